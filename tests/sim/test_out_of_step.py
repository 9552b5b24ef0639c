"""Games whose rows are out of step: own clocks, rows dropped, notes about some."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.chance import Chance, Purpose
from sim.masks import Masks
from sim.parameters import Group, RuleError, Rules, parameter
from sim.recorder import Recorder
from sim.table import Table
from sim.transcript import Transcript
from sim.view import Rows, View
from tests.sim import toy


def chance(games: int = 50, seed: int = 3) -> Chance:
    return Chance(seed, np.arange(games, dtype=np.uint64))


def counters(games: int = 50) -> Masks:
    return (np.arange(games, dtype=np.uint64) * np.uint64(7)) % np.uint64(11)


def test_a_counter_a_row_gives_what_it_gives_to_all():
    each = chance().bits(Purpose.DRAW, counters())
    for row, counter in enumerate(counters().tolist()):
        assert each[row] == chance().bits(Purpose.DRAW, counter)[row]


def test_some_rows_have_what_they_have_among_all():
    rows = np.array([3, 4, 40])
    for counter in (5, counters()):
        some = counter if isinstance(counter, int) else counter.take(rows)
        for draw in (0, 2):
            whole = chance().short_bits(Purpose.TIE, counter, draw)
            assert np.array_equal(
                chance().short_bits(Purpose.TIE, some, draw, rows), whole.take(rows)
            )


@pytest.mark.parametrize("games", [50, 5_000])
def test_few_decks_are_dealt_as_many_are(games):
    counter, piles = counters(games), (4, 4, 1)
    rows = np.arange(0, games, 7)
    few = chance(games).deal_rows(
        range(40), Purpose.DEAL, counter.take(rows), rows, piles
    )
    for value in range(11):
        same = np.flatnonzero(counter.take(rows) == value)
        whole = chance(games).shuffle(range(40), Purpose.DEAL, value, piles)
        lone = masks.ONE << whole.take(rows.take(same), axis=1).astype(np.uint64)
        first = 0
        for size, pile in zip(piles, few, strict=True):
            expected = masks.join(list(lone[first : first + size]))
            assert np.array_equal(pile.take(same), expected)
            first += size
    none = np.empty(0, dtype=np.int64)
    empty = chance().deal_rows(range(9), Purpose.DEAL, counters()[:0], none, (2, 1))
    assert empty.shape == (2, 0)


def test_rows_become_other_games_and_copies_do_not():
    mine = chance()
    before = mine.bits(Purpose.DRAW, 1)
    copy = mine.copy()
    mine.replace(np.array([2, 5]), Chance(3, np.array([900, 901], dtype=np.uint64)))
    after = mine.bits(Purpose.DRAW, 1)
    assert np.array_equal(copy.bits(Purpose.DRAW, 1), before)
    assert np.flatnonzero(before != after).tolist() == [2, 5]
    late = Chance(3, np.arange(902, dtype=np.uint64))
    for purpose in (Purpose.DRAW, Purpose.DEAL):
        assert np.array_equal(
            mine.bits(purpose, 1)[[2, 5]], late.bits(purpose, 1)[[900, 901]]
        )


@dataclass
class Clock:
    """A turn for each row."""

    turn: Masks = field(default_factory=lambda: np.array([4, 0, 2, 9], dtype=np.uint64))

    @property
    def tick(self) -> Masks:
        return self.turn

    def labels(self) -> dict[str, Masks]:
        return {"turn": self.turn + np.uint64(1)}

    def take(self, rows: Rows) -> "Clock":
        return Clock(self.turn.take(rows))


class State(toy.State):
    """A toy whose rows are out of step."""

    out_of_step = True

    def __init__(self) -> None:
        super().__init__(games=4)
        self.clock: Any = Clock()


def test_dropped_rows_leave_the_others_as_they_were():
    state = State()
    copy = state.copy()
    expected = state.chance.bits(Purpose.DRAW, 2)
    state.keep(np.array([1, 3]))
    state.keep(np.array([1]))
    assert state.games.tolist() == [103]
    assert state.points.tolist() == [[3], [13], [23]]
    assert state.clock.turn.tolist() == [9]
    assert state.origin is not None
    assert state.origin.tolist() == [3]
    assert state.chance.bits(Purpose.DRAW, 2).tolist() == [expected[3]]
    assert state.at(np.array([2], dtype=np.uint8)).tolist() == [2]
    assert copy.clock.turn.tolist() == [4, 0, 2, 9]
    assert copy.origin is None


def test_who_sat_where_is_known_after_rows_were_dropped():
    state = State()
    sitting = np.array([[0, 1, 0, 1]] * 3, dtype=np.uint8)
    first, second = (toy.Answers(toy.letters("a")) for _ in range(2))
    table = toy.table(first, second, sitting=sitting)
    state.keep(np.array([2, 3]))
    table.ask(state, "take", 0, toy.letters("ab", "ab"))
    assert [len(one.views) for one in (first, second)] == [1, 1]
    assert first.views[0]._state.games[first.views[0]._rows].tolist() == [102]


def test_each_row_tells_its_own_time():
    state, transcript, recorder = State(), Transcript(toy.GAME), Recorder(["take"])
    transcript.open(state, [["x"] * 3] * 4)
    table = toy.table(toy.Lowest(), listeners=[transcript, recorder])
    table.ask(state, "take", 1, toy.letters("ab", "bc", "c", "d"))
    told = [event for event in transcript.events() if event["type"] == "choice"]
    assert [event["turn"] for event in told] == [5, 1, 3, 10]
    assert recorder.table("take")["turn"].tolist() == [5, 1, 3, 10]


def test_a_note_about_some_rows_has_their_values_only():
    state, recorder = State(), Recorder(["score"])
    table = toy.table(toy.Lowest(), listeners=[recorder])
    rows = np.array([3, 1])
    points = np.array([[7, 8], [9, 10], [11, 12]])
    table.emit(state, "score", rows=rows, turn=np.array([2, 5]), points=points)
    kept = recorder.table("score")
    assert kept["game"].tolist() == [101, 103] * 3
    assert kept["points"].tolist() == [8, 7, 10, 9, 12, 11]
    assert kept["turn"].tolist() == [5, 2] * 3


def test_a_view_of_some_rows_is_the_view_in_these_rows():
    state, seen = State(), []

    class Look:
        title = "look"

        def decide(self, view: View) -> Masks:
            seen.append(view)
            return toy.Lowest().decide(view)

    table = Table([Look()], None, View, toy.KINDS)
    seats = np.array([0, 1, 2, 1], dtype=np.uint8)
    table.ask(state, "take", seats, toy.letters("ab", "", "cd", "de"))
    part = seen[0].take(np.array([0, 2]))
    assert part.own(state.points).tolist() == [0, 13]
    assert part.time["turn"].tolist() == [5, 10]
    assert part.random().tolist() == seen[0].random()[[0, 2]].tolist()


class Pair(Group):
    """Two values."""

    left: int
    right: int


class Pairs(Rules):
    """Rules with a part."""

    pair: Pair = parameter(Pair(left=1, right=2), "two", source="here")


def test_a_part_is_changed_value_by_value():
    for change in ({"pair.left": 5}, {"pair": {"left": 5}}):
        rules = Pairs.of(change)
        assert (rules.pair.left, rules.pair.right) == (5, 2)
        assert rules.differences() == {"pair.left": (1, 5)}
    with pytest.raises(RuleError, match=r"^pair.*'rihgt'; did you mean 'right'"):
        Pairs.of({"pair.rihgt": 5})
    with pytest.raises(RuleError, match=r"^pair\.left: .*whole number"):
        Pairs.of({"pair.left": "x"})
