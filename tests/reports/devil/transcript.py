"""Games of Devil told by a transcript, and followed by hand in plain Python."""

from collections import defaultdict
from types import SimpleNamespace

import numpy as np

from experiments.core.block_records import report_context
from experiments.core.cells import Cell, play
from experiments.core.event_tables import event_frames
from reports.devil.game_arrays import DevilArrays
from reports.devil.report import REPORT
from sim import games
from sim.recorder import Recorder
from sim.transcript import Transcript

GAME = games.load("devil")
RAW = REPORT.all_notes
KINDS = [*map(str, range(1, 11)), "1S", "4S", "blank", "oni"]


def cell(players=4, lineup=None, changes=None, **more):
    lineup = lineup or ("random",) * players
    return Cell("devil", GAME.rules.of(changes), players, lineup, True, **more)


def raw_of(of, count=12, first=0):
    recorder = Recorder(RAW)
    numbers = np.arange(first, first + count, dtype=np.uint64)
    played = play(of, numbers, [recorder])
    return event_frames(GAME, recorder, RAW, played), report_context(of, played)


def transcripts(of, count=12, first=0):
    """The games read as arrays, and each game followed event by event."""
    recorder, transcript = Recorder(RAW), Transcript(GAME)
    numbers = np.arange(first, first + count, dtype=np.uint64)
    played = play(of, numbers, [recorder, transcript])
    events = defaultdict(list)
    for event in transcript.events():
        events[event["game"]].append(event)
    raw = event_frames(GAME, recorder, RAW, played)
    rules = of.rules.plain_with(of.players)
    followed = [followed_game(events[game], rules) for game in sorted(events)]
    return DevilArrays(raw, report_context(of, played)), followed


def points_of(hand, rules):
    """Points of the cards of a hand, nothing doubled."""
    other = {"blank": rules["blank_points"], "oni": rules["onifuda_points"]}
    return sum(
        other[card] if card in other else rules["points"][int(card.strip("S")) - 1]
        for card in hand
    )


def cost_of(hand, rules):
    """What a hand costs, doubled for each Special in it."""
    return points_of(hand, rules) * 2 ** sum(card.endswith("S") for card in hand)


def followed_game(events, rules):
    """The rounds of a game, each with its hands at the end, and the result."""
    rounds, now = [], None
    for event in events:
        name = event["name"]
        if name == "deal":
            hands = [list(hand) for hand in event["hands"]]
            now = SimpleNamespace(
                dealer=event["dealer"],
                hands=hands,
                dealt=event["hands"],
                draws=0,
                penalties=0,
                skips=0,
                reshuffles=0,
                declares=[],
                turns=0,
                last=None,
            )
        elif name in {"draw", "penalty"}:
            now.hands[event["seat"]].append(event["card"])
            now.draws += name == "draw"
            now.penalties += name == "penalty"
        elif name == "play":
            now.hands[event["seat"]].remove(event["chosen"])
            now.last = event["chosen"]
        elif name == "declare":
            costs = [cost_of(hand, rules) for hand in now.hands]
            declared = SimpleNamespace(
                who=event["seat"],
                card=now.last,
                cost=costs,
                turn=event["turn"],
                ends=event["chosen"] == "end",
            )
            now.declares.append(declared)
        elif name in {"skip", "reshuffle"}:
            now.skips += name == "skip"
            now.reshuffles += name == "reshuffle"
        elif name == "round":
            now.winner, now.by = event["winner"], event["by"]
            now.added, now.scores = event["added"], event["scores"]
            rounds.append(now)
        if event["type"] == "result":
            result = event
        if now is not None:
            now.turns = max(now.turns, event.get("turn", 0))
    return SimpleNamespace(rounds=rounds, result=result)


def ending_of(round_):
    """How a round ended, as the report calls it."""
    if round_.by == "oni":
        return "oni"
    special = f" {round_.last}" if round_.last.endswith("S") else ""
    return f"{round_.by}{special}"
