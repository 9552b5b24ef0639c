"""Rounds that never end are passed over, and what is found is the same."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from experiments.core.multi_cell_table import BatchedTable
from sim import games
from sim.devil.layout import GUARD
from sim.listener import Listener
from sim.table import Table

SHORT = {"guard": 1_200}


class Ends(Listener):
    """Hears how games end and, if it ``follows``, what is played."""

    ignores_public_history = True

    def __init__(self, *, follows: bool) -> None:
        self._names = {"result", "play"} if follows else {"result"}
        self.end: dict[str, Any] = {}

    def hears(self, name: str) -> bool:
        return name in self._names

    def event(
        self, state: Any, name: str, where: object, fields: Mapping[str, Any]
    ) -> None:
        self.end = {key: np.copy(part) for key, part in fields.items()}


def ends(
    players: int, lineup: str, numbers: Any, changes: dict[str, Any], *, follows: bool
) -> tuple[dict[str, Any], int]:
    """How games end, and the decisions that they took."""
    rules = games.load("devil").rules.of(SHORT | changes)
    cell = Cell("devil", rules, players, (lineup,), True, 77)
    heard = Ends(follows=follows)
    played = play(cell, np.asarray(numbers, dtype=np.uint64), [heard])
    return heard.end, played.decisions


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The turns that were passed over, of each time."""
    found: list[int] = []

    def passing(table: Table, state: Any, rows: Any, number: Any) -> None:
        found.extend(number.tolist())
        table.decisions += int(number.sum())

    monkeypatch.setattr(Table, "count_forced", passing)
    return found


@pytest.mark.parametrize("lineup", ["random", "allround"])
def test_games_of_the_printed_rules_that_never_end(
    lineup: str, passed: list[int]
) -> None:
    """Found among 65,536 of each."""
    numbers = {"random": [15414, 39795, 41002, 1, 2], "allround": [12194, 12695, 3]}
    told, decisions = ends(6, lineup, numbers[lineup], {}, follows=True)
    assert passed == []
    found, others = ends(6, lineup, numbers[lineup], {}, follows=False)
    assert decisions == others
    assert len(passed) == len(numbers[lineup]) - found["by"].tolist().count(0)
    assert all(0 < turns < SHORT["guard"] for turns in passed)
    assert all(np.array_equal(told[key], found[key]) for key in told)


def lone(**deck: Any) -> dict[str, Any]:
    """One card of each rank, and no Special."""
    none = {"special1": 0, "special4": 0}
    return {"base_deck": {"normal": [1] * 10, **none, **deck}}


@pytest.mark.parametrize("lineup", ["random", "stopper"])
@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (3, {"hand": 3, **lone()}),
        (4, {"hand": 2, **lone()}),
        (4, {"hand": 2, **lone(), "voluntary_draw": True}),
        (2, {"hand": 5, **lone(special1=1)}),
        (2, {"hand": 5, **lone(special4=1), "first_card_effect": True}),
        (3, {"hand": 3, **lone(), "sums_ok": [3, 5, 9]}),
    ],
)
def test_small_decks_are_the_same_whether_turns_are_told_or_not(
    players: int,
    changes: dict[str, Any],
    lineup: str,
    passed: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With nearly all cards in hands, where circles are many."""
    monkeypatch.setattr("sim.devil.play.LAP", 16)
    numbers = range(300)
    told, decisions = ends(players, lineup, numbers, changes, follows=True)
    assert passed == []
    found, others = ends(players, lineup, numbers, changes, follows=False)
    assert decisions == others
    assert all(np.array_equal(told[key], found[key]) for key in told)
    broken_off = np.count_nonzero(told["by"] == GUARD)
    asked = any(changes["base_deck"][one] for one in ("special1", "special4"))
    assert 50 < len(passed) <= broken_off  # a Special can go round, too: there one asks
    assert asked or len(passed) == broken_off


def test_each_cell_of_a_table_has_the_decisions_of_its_games() -> None:
    made = np.zeros(2, dtype=np.int64)
    state = games.load("devil").start(
        games.load("devil").rules.of(), 6, 1, np.arange(4, dtype=np.uint64)
    )
    table = BatchedTable(np.array([0, 1, 1, 0]), made, [], None, None, {})
    table.count_forced(state, np.array([0, 1, 3]), np.array([5, 7, 2], dtype=np.uint64))
    assert made.tolist() == [7, 7]
    assert table.decisions == 14
