"""Games of Kunitame told by a transcript, counted by hand in plain Python."""

from collections import Counter, defaultdict

import numpy as np

from experiments.core.block_records import report_context
from experiments.core.cells import Cell, play
from experiments.core.event_tables import event_frames
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.report import REPORT
from sim import games
from sim.recorder import Recorder
from sim.transcript import Transcript

GAME = games.load("kunitame")
RAW = REPORT.all_notes


def cell(lineup=("random",) * 4, changes=None, **more):
    return Cell("kunitame", GAME.rules.of(changes), len(lineup), lineup, True, **more)


def transcripts(of, count=12):
    """The games' raw tables read as arrays, and their events by game."""
    recorder, transcript = Recorder(RAW), Transcript(GAME)
    numbers = np.arange(count, dtype=np.uint64)
    played = play(of, numbers, [recorder, transcript])
    raw = event_frames(GAME, recorder, RAW, played)
    events = defaultdict(list)
    for event in transcript.events():
        events[event["game"]].append(event)
    return KunitameArrays(raw, report_context(of, played)), dict(events)


def raw_of(of, count=12, first=0):
    recorder = Recorder(RAW)
    numbers = np.arange(first, first + count, dtype=np.uint64)
    played = play(of, numbers, [recorder])
    return event_frames(GAME, recorder, RAW, played), report_context(of, played)


class Board:
    """One game followed event by event: squares, points and who leads."""

    def __init__(self, events, rules, players):
        self.squares = {s.id: s for s in rules.in_play}
        self.holds = {s.id: s.gem for s in rules.in_play if s.when != "rank"}
        self.points = [0] * players
        self.count = Counter()
        self.leaders, self.steps = [], 0
        self.met_by = defaultdict(set)
        self.moves = []
        self.tricks = []
        for event in events:
            if event["type"] in {"outcome", "result"}:
                getattr(self, f"on_{event['name']}", lambda _: None)(event)

    def on_trick(self, event):
        self._step_after_trick()
        suit, number = _read(event["card"])
        met = {
            s.id
            for s in self.squares.values()
            if s.when == "trick" and _meets(s, suit, number, event["round"])
        }
        for square in met:
            key = (square, event["week"])
            self.count["met", *key] += 1
            self.count["open", *key] += square in self.holds
            self.met_by[key].add(event["winner"])
        self.tricks.append({**event, "gained": 0, "returned": 0})
        self.pending = True

    def on_gem(self, event):
        self.points[event["seat"]] += event["value"]
        key = (event["square"], event["week"])
        if event["value"] > 0:
            assert self.holds.pop(event["square"]) == event["value"]
            self.count["claims", *key] += 1
            self.count["paid", *key] += event["value"]
        else:
            assert event["square"] not in self.holds
            self.holds[event["square"]] = -event["value"]
            self.count["returned", *key] += 1
        if getattr(self, "pending", False):
            side = "gained" if event["value"] > 0 else "returned"
            self.tricks[-1][side] = abs(event["value"])

    def on_contracts(self, event):
        self._step_after_trick()

    def on_week(self, event):
        assert event["points"] == self.points
        self._step()

    def _step_after_trick(self):
        if getattr(self, "pending", False):
            self.pending = False
            self._step()

    def _step(self):
        self.steps += 1
        best = max(self.points)
        self.moves.append(list(self.points))
        if self.points.count(best) == 1:
            self.leaders.append(self.points.index(best))

    @property
    def lead_changes(self):
        pairs = zip(self.leaders, self.leaders[1:], strict=False)
        return sum(one != other for one, other in pairs)


def _read(card):
    if card == "P":
        return "white", 0
    suits = {"B": "blue", "R": "red", "Y": "yellow", "D": "black"}
    return suits[card[0]], int(card[1:])


def _meets(square, suit, number, round_):
    return (
        (square.suit is None or square.suit == suit)
        and (square.num is None or square.num[0] <= number <= square.num[1])
        and (square.round is None or square.round[0] <= round_ <= square.round[1])
    )
