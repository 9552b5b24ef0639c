"""Game 7 of Kunitame is game 7, and everybody sits where the rotation says."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from experiments.cells import Cell, play
from sim.kunitame.rules import Kunitame
from strategies.base import Strategy
from tests.games.plays import Changes
from tests.games.replay import Replay, Resumed
from tests.kunitame.plays import NAMES, PLAYS, any_rules, numbers, told

RULES = {"weeks": 2, "removed_pledge": "none", "devil_ranks": 4}
MIXED = ["balanced", "random", "gambler", "random"]
WEEK = {"weeks": 1}


def resumed(players: int, *, mixed: bool) -> Resumed:
    dice = random.Random(players)
    lineup = [dice.choice(NAMES) for _ in range(players)] if mixed else ["random"]
    return Resumed(players, lineup, RULES, step=1 if players == 3 else 5)


RESUMED: dict[str, Resumed] = {
    f"{players} {'mixed' if mixed else 'at random'}": resumed(players, mixed=mixed)
    for players in (3, 4, 5)
    for mixed in (False, True)
}


class TestReplay(Replay):
    plays = PLAYS
    rules, brief, mixed = RULES, WEEK, MIXED
    resumed = RESUMED
    array, kept = "gems_1", 0.3
    cells = ((WEEK, MIXED, True), (WEEK, ["random"] * 3, False))
    size, jobs = (1000, 400), (2, 3)

    def any_game(self, dice: random.Random) -> tuple[int, Changes]:
        return 4, any_rules(dice, 4, weeks=2)


def test_rules_that_agree_see_the_same_deals() -> None:
    """Common random numbers: another payoff or option changes no card."""
    base = told({"weeks": 2}, 4, 20)
    for changes in ({"life": 5}, {"refill_weekly": True}, {"contract_limit": 0}):
        other = told({"weeks": 2, **changes}, 4, 20)
        for one, two in zip(base, other, strict=True):
            for name in ("dealer", "deal"):
                assert [
                    e.get("hands", e.get("seat")) for e in one if e["name"] == name
                ] == [e.get("hands", e.get("seat")) for e in two if e["name"] == name]


# --- Rotation -----------------------------------------------------------------------


def test_rotation_seats_everybody_everywhere() -> None:
    lineup = ["balanced", "greedy", "timid", "random"]
    games = told({"weeks": 1}, 4, 8, lineup=lineup, rotate=True)
    for game, events in enumerate(games):
        turn = game % 4
        assert events[0]["lineup"] == lineup[turn:] + lineup[:turn]
    games = told({"weeks": 1}, 4, 8, lineup=lineup)
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

    def otherwise(self, view: Any) -> Any:
        rows = range(len(view)) if view._rows is None else view._rows
        for row, place in enumerate(rows):
            seat = view.seat if isinstance(view.seat, int) else int(view.seat[row])
            self.asked.add((int(view._state.games[place]), seat, self.mark))
        return super().otherwise(view)

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
