"""Sums of the report, added up again in plain Python from the transcripts."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from experiments.core.cells import Cell
from reports.evilpact import assumptions
from reports.evilpact.report import REPORT
from sim import games
from sim.transcript import Event
from tests.games.event_lines import first, of
from tests.reports import course_by_hand
from tests.reports.recorded import Sums, counted, recorded

GAME, GAMES = games.load("evilpact"), 60
Both = tuple[Sums, list[list[Event]]]
EASY = {"thresholds": [1, 2], "contract_after_round": 2}


@pytest.fixture(scope="module", params=[{}, EASY], ids=str)
def both(request: pytest.FixtureRequest) -> tuple[Sums, list[list[Event]]]:
    """What the report counts of some games, and their transcripts."""
    cell = Cell("evilpact", GAME.rules.of(request.param), 2, ("random",) * 2, True, 5)
    games = recorded(cell, GAMES, REPORT.all_notes)
    return counted(REPORT, games), games.told


def margins(game: list[Event]) -> np.ndarray:
    """(rounds, elements) power of who starts, less the other's."""
    seat = first(game, "start")["seat"]
    powers = [event["power"] for event in of(game, "round")]
    return np.array([np.subtract(both[seat], both[1 - seat]) for both in powers])


def test_who_starts(both: Both) -> None:
    counted, told = both
    ends = [(game[-1]["winner"], first(game, "start")["seat"]) for game in told]
    ahead = sum((winner == seat) - (winner == 1 - seat) for winner, seat in ends)
    assert counted["starter ahead"][()][0] == ahead


def test_contracts(both: Both) -> None:
    counted, told = both
    kept = alone = 0
    for game in told:
        fulfilled = game[-1]["fulfilled"]
        kept += sum(fulfilled)
        alone += fulfilled[0] != fulfilled[1]
    assert counted["fulfilled"][()] == (kept, 2 * GAMES)
    assert counted["broken alone"][()] == (alone, 2 * GAMES)


def test_breaking_costs_who_would_have_led(both: Both) -> None:
    counted, told = both
    would = broken = changed = 0
    for game in told:
        end = game[-1]
        one, other = zip(end["elements"], end["hands"], strict=True)
        without = None if one == other else int(other > one)
        changed += without != end["winner"]
        if end["by"] == "contract":
            broken += 1
            would += without == 1 - end["winner"]
    assert counted["cost of breaking"][()] == (would, broken)
    assert counted["changed by contracts"][()] == (changed, GAMES)


def test_spells_and_counters(both: Both) -> None:
    counted, told = both
    rounds, could, done = Counter[Any](), 0, 0
    for game in told:
        mine = [event for event in of(game, "spell") if event["spell"] != "hastur"]
        rounds.update((event["spell"], event["round"]) for event in mine)
        asked = of(game, "counter")
        could += len(asked)
        done += sum(event["chosen"] != "pass" for event in asked)
    by_round = counted["casts by spell and round"]
    assert {key: y for key, (y, _) in by_round.items()} == rounds
    counterable = counted["could be countered by spell"].values()
    assert tuple(map(sum, zip(*counterable, strict=True))) == (could, rounds.total())
    countered = counted["countered by spell"].values()
    assert tuple(map(sum, zip(*countered, strict=True))) == (done, could)


def test_elements_and_the_lead(both: Both) -> None:
    counted, told = both
    close, wins = Counter[Any](), Counter[Any]()
    course: list[Any] = []
    for game in told:
        start, margin = first(game, "start")["seat"], margins(game)
        for name, value in zip(GAME.rules().elements, margin[-1], strict=True):
            close[name,] += abs(value) <= 1
        leads = [int(np.sign(np.sign(row).sum())) for row in margin]
        for at, lead in enumerate(leads, 1):
            leader = None if not lead else start if lead > 0 else 1 - start
            wins[at,] += leader is not None and leader == game[-1]["winner"]
        winner = game[-1]["winner"]
        place = None if winner is None else int(winner != start)
        led = [[int((row > 0).sum()), int((row < 0).sum())] for row in margin]
        course.append(course_by_hand.told(led, place))
    for measure, expected in (("close at the end", close), ("leader wins", wins)):
        assert {key: y for key, (y, _) in counted[measure].items()} == expected
    course_by_hand.same(counted, course)


def test_cards_taken(both: Both) -> None:
    """Of the choices at which a kind lies there; Turbidity by what it counts for."""
    counted, told = both

    def kind(card: str) -> str:
        return card[-2:] if "-" in card else "Turbidity" if "/" in card else "normal"

    there, taken, over = Counter[Any](), Counter[Any](), Counter[Any]()
    for game in told:
        turns = set[tuple[int, int]]()
        for event in of(game, "acquire"):
            now = event["round"], event["turn"]
            if now not in turns:  # the additional card is no choice
                there.update({(kind(card),) for card in event["legal"]})
                taken[kind(event["chosen"]),] += 1
                triggers = event["chosen"][-1] == "3" and event["turn"] >= 3
                over["i3",] += kind(event["chosen"]) == "i3" and triggers
            turns.add(now)
    assert counted["taken"] == {key: (taken[key], n) for key, n in there.items()}
    assert counted["sideways at once"]["i3",] == (over["i3",], taken["i3",])


def test_there_are_twelve_rings() -> None:
    elements = ("red", "blue", "yellow", "black", "white")
    found = [ring for _, ring in assumptions.rings(elements)]
    assert len({frozenset(map(frozenset, ring)) for ring in found}) == 12
    for ring in found:
        on = Counter(name for pair in ring for name in pair)
        assert on == dict.fromkeys(elements, 2)
    rules = GAME.rules().plain()
    changes = [one.changes for one in assumptions.SENSITIVITY.all_readings(rules)[1:]]
    assert sum("turbidity" in change for change in changes) == 11
    for change in changes:
        assert GAME.rules().changed(change) != GAME.rules()
    assert assumptions.most_power(rules) == "7 to 10"
