"""Game 7 of Kunitame is game 7, and everybody sits where the rotation says."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from experiments.core.cells import Cell, play
from sim import masks
from sim.kunitame.rules import Kunitame
from sim.kunitame.state import Phase, State
from strategies.base import Strategy
from tests.games.plays import Changes
from tests.games.replay import Replay
from tests.kunitame.plays import PLAYS, any_rules, numbers, transcripts

RULES = {"weeks": 2, "removed_pledge": "none", "devil_ranks": 4}
MIXED = ["allround", "random", "gambler", "random"]
WEEK = {"weeks": 1}


def gem(state: State) -> None:
    state.purse[1, 2] += 1


def card(state: State) -> None:
    state.played[3] |= masks.lowest(state.hands_by_turn[1])[3]


THEFTS = {"1-point gems": (Phase.CLAIM, gem), "cards astray": (Phase.TRICK, card)}


class TestReplay(Replay):
    plays = PLAYS
    rules, mixed = RULES, MIXED
    thefts = THEFTS
    cells = ((WEEK, MIXED, True), (WEEK, ["random"] * 3, False))
    size, jobs = (1000, 400), (2, 3)

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        return 4, any_rules(dice, 4, weeks=2)


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""
    base = transcripts({"weeks": 2}, 4, 20)
    for changes in ({"life": 5}, {"refill_weekly": True}, {"contract_limit": 0}):
        other = transcripts({"weeks": 2, **changes}, 4, 20)
        for one, two in zip(base, other, strict=True):
            for name in ("dealer", "deal"):
                assert [
                    e.get("hands", e.get("seat")) for e in one if e["name"] == name
                ] == [e.get("hands", e.get("seat")) for e in two if e["name"] == name]


# --- Rotation -----------------------------------------------------------------------


def test_rotation_seats_everybody_everywhere() -> None:
    lineup = ["allround", "greedy", "timid", "random"]
    games = transcripts({"weeks": 1}, 4, 8, lineup=lineup, rotate=True)
    for game, events in enumerate(games):
        turn = game % 4
        assert events[0]["lineup"] == lineup[turn:] + lineup[:turn]
    games = transcripts({"weeks": 1}, 4, 8, lineup=lineup)
    assert all(events[0]["lineup"] == lineup for events in games)


class Marked(Strategy):
    """Keeps the seats and games in which it was asked."""

    name = "marked"

    def __init__(self, title: str, asked: set[tuple[int, int, str]]) -> None:
        object.__setattr__(self, "mark", title)
        object.__setattr__(self, "asked", asked)

    @property
    def title(self) -> str:
        return str(self.mark)

    def fallback(self, view: Any) -> Any:
        rows = range(len(view)) if view._rows is None else view._rows
        for row, place in enumerate(rows):
            seat = view.seat if isinstance(view.seat, int) else int(view.seat[row])
            self.asked.add((int(view._state.games[place]), seat, self.mark))
        return super().fallback(view)

    def __hash__(self) -> int:
        return hash(self.mark)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Marked) and self.mark == other.mark


@pytest.mark.parametrize("rotate", [False, True])
def test_each_seat_is_asked_of_who_sits_there(*, rotate: bool) -> None:
    asked: set[tuple[int, int, str]] = set()
    lineup = tuple(Marked(name, asked) for name in "abca")
    cell = Cell("kunitame", Kunitame.of({"weeks": 1}), 4, lineup, rotate, 5)
    played = play(cell, numbers(9, 3))
    names: Mapping[int, list[str]] = dict(
        zip(range(3, 12), played.titles(), strict=True)
    )
    assert asked == {(g, s, names[g][s]) for g in range(3, 12) for s in range(4)}
    for game, titles in names.items():
        turn = game % 4 if rotate else 0
        assert titles == [*"abca"[turn:], *"abca"[:turn]]
