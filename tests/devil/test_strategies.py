"""Each school of Devil does what its text says; margins in standard errors."""

import random
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.devil.box import SPECIAL1, SPECIAL4
from sim.devil.state import State
from sim.devil.view import DevilView
from sim.masks import Masks
from sim.table import Table
from strategies.base import Strategy
from strategies.devil import reading
from strategies.devil.balanced import Balanced
from strategies.devil.counter import Counter
from strategies.devil.dumper import Dumper
from strategies.devil.hoarder import Hoarder
from strategies.devil.stopper import Stopper
from strategies.random import Random
from tests.devil.plays import GAME, any_rules, numbers, started, table

SCHOOLS = (Dumper(), Counter(), Stopper(), Hoarder())
OTHERS = (Random(), *SCHOOLS)
ERRORS = 5  # standard errors that a difference has to exceed


def title(strategy: Strategy) -> str:
    return strategy.title


# --- What each one says of itself, decision by decision -----------------------------


class Watched:
    """A player whose every answer is shown to a judge."""

    def __init__(self, inner: Strategy, judge: Callable[[DevilView, Masks], Any]):
        self.inner, self.judge = inner, judge
        self.title = inner.title

    def decide(self, view: DevilView) -> Masks:
        answer = self.inner.decide(view)
        self.judge(view, answer)
        return answer


def judged(
    strategy: Strategy,
    kind: str,
    judge: Callable[[DevilView, Masks], int],
    **rules: Any,
) -> int:
    """Play among its likes; the sum of what the judge found at these decisions."""
    found = Tally[str]()

    def heard(view: DevilView, answer: Masks) -> None:
        if view.kind.name == kind:
            found[kind] += int(judge(view, answer))

    for players, deck in ((2, "base"), (4, "440")):
        state = started({"deck": deck, "target": 100, **rules}, players, 60)
        GAME.play(state, table([Watched(strategy, heard)]))
    return found[kind]


def kinds_of(view: DevilView, cards: Masks) -> Any:
    """(rows,) the number of the kind of a lone card."""
    return view.box.kind_of[masks.index(cards)]


def dearest(view: DevilView, answer: Masks) -> int:
    """Assert that no option costs more points; where there was a choice."""
    points = reading.points(view.box)[:, 0]
    able = reading.options(view)
    most = np.where(able, points[:, None], -1.0).max(axis=0)
    assert (points[kinds_of(view, answer)] == most).all()
    return int((able.sum(axis=0) > 1).sum())


def continues(view: DevilView, answer: Masks) -> int:
    assert (answer == view.bits("continue")).all()
    return len(view)


def stands_back(view: DevilView, answer: Masks) -> int:
    """Assert that a Special goes only where it must, or the rest is cheap."""
    kinds, rows = kinds_of(view, answer), np.arange(len(view))
    special = np.isin(kinds, (SPECIAL1, SPECIAL4))
    others = reading.expected(view)[1:].mean(axis=0)
    cheap = 2 * reading.left_over(view)[kinds, rows] < Stopper().share * others
    plain = reading.options(view)
    plain[[SPECIAL1, SPECIAL4]] = False
    assert not (special & ~cheap & plain.any(axis=0)).any()
    return int((~special & (view.legal & view.box.specials != 0)).sum())


def ends_cheaply(view: DevilView, answer: Masks) -> int:
    costs = reading.expected(view)
    cheap = 2 * costs[0] < Stopper().share * costs[1:].mean(axis=0)
    assert ((answer == view.bits("end")) == cheap).all()
    return int(cheap.sum()) * int((~cheap).sum())


def ends_with_gain(view: DevilView, answer: Masks) -> int:
    added = reading.if_ended(view)
    cheap = added[0] < added[1:].mean(axis=0)
    assert ((answer == view.bits("end")) == cheap).all()
    return int(cheap.sum())


def throws_no_game_away(view: DevilView, answer: Masks) -> int:
    """Assert that it never ends a game that it would lose by its own estimate."""
    after = view.scores + reading.if_ended(view)
    last = after.max(axis=0) >= view.rules.goal
    lost = last & (after[0] > after[1:].min(axis=0))
    assert not ((answer == view.bits("end")) & lost).any()
    return int(lost.sum())


@pytest.mark.parametrize("strategy", [Dumper(), Hoarder()], ids=title)
def test_they_shed_the_dearest_card(strategy: Strategy) -> None:
    assert judged(strategy, "play", dearest) > 100


def test_hoarder_never_ends_a_round() -> None:
    assert judged(Hoarder(), "declare", continues) > 100


@pytest.mark.parametrize("strategy", [Dumper(), Counter()], ids=title)
def test_they_end_a_round_that_costs_them_less(strategy: Strategy) -> None:
    assert judged(strategy, "declare", ends_with_gain) > 50


def test_stopper_keeps_its_specials_until_its_hand_is_cheap() -> None:
    assert judged(Stopper(), "play", stands_back) > 50
    assert judged(Stopper(), "declare", ends_cheaply) > 20


def test_balanced_never_ends_a_game_that_it_loses() -> None:
    assert judged(Balanced(), "declare", throws_no_game_away) > 20


@pytest.mark.parametrize("strategy", [*SCHOOLS, Balanced()], ids=title)
def test_no_school_draws_where_it_can_play(strategy: Strategy) -> None:
    def plays(view: DevilView, answer: Masks) -> int:
        draw = view.bits("draw")
        assert not (answer & draw).any()
        return int(((view.legal & draw) != 0).sum())

    assert judged(strategy, "play", plays, voluntary_draw=True) > 100


def test_the_two_costs_of_a_hand_agree() -> None:
    """What a hand costs without a card, as read, is what it costs without it."""

    def left(view: DevilView, _: Masks) -> int:
        found = reading.left_over(view)
        for kind, cards in enumerate(view.box.kinds):
            held = (view.hand & cards) != 0
            rest = view.hand & ~masks.lowest(view.hand & cards)
            assert (found[kind] == view.box.cost(rest))[held].all()
        assert (reading.expected(view)[0] == view.cost).all()
        return len(view)

    assert judged(Random(), "play", left) > 1000


# --- Numbers ------------------------------------------------------------------------


class Book:
    """Counts, for each of the lineup, what befell it."""

    def __init__(self, place: Any) -> None:
        self.place = place
        self.kept: dict[str, list[tuple[Any, ...]]] = {}

    def hears(self, name: str) -> bool:
        return name in ("draw", "round")

    def note(self, state: State, name: str, where: Any, fields: Any) -> None:
        rows = np.flatnonzero(where)
        key = "seat" if name == "draw" else "winner"
        who = self.place[fields[key][rows], state.games[rows].astype(int)]
        by = fields["by"][rows] if name == "round" else np.zeros(len(rows))
        self.kept.setdefault(name, []).append((who, state.games[rows], by))

    def choice(self, *told: Any) -> None:
        pass

    def each(self, name: str, who: int, games: int, by: int | None = None) -> Any:
        """(games,) how often it befell one of the lineup."""
        parts = [np.concatenate(part) for part in zip(*self.kept[name], strict=True)]
        mine = parts[0] == who
        if by is not None:
            mine &= parts[2] == by
        return np.bincount(parts[1][mine].astype(int), minlength=games)


@lru_cache
def played(lineup: tuple[Strategy, ...], count: int) -> tuple[Any, Any]:
    """A run in which the lineup moves on by a seat a game: (lineup, games) wins, Book.

    A shared victory counts by halves or less, a game without winner for nobody.
    """
    players = len(lineup)
    state = GAME.start(GAME.rules(), players, 7, numbers(count))
    place = (np.arange(players)[:, None] + np.arange(count)) % players
    different = list(dict.fromkeys(lineup))
    sitting = np.array([different.index(s) for s in lineup], dtype=np.uint8)[place]
    book = Book(place)
    one = len(different) == 1
    desk = Table(different, None if one else sitting, GAME.view, GAME.kinds, [book])
    GAME.play(state, desk)
    winners = state.finals.winners
    seat = np.argsort(place, axis=0).astype(np.uint64)
    won = ((winners >> seat) & np.uint64(1)) / np.maximum(masks.count(winners), 1)
    return won, book


def above(more: Any, less: Any) -> bool:
    """Whether one mean of games exceeds another by several standard errors."""
    gap = more - less  # game by game: seats of a game hang together
    return bool(gap.mean() > ERRORS * gap.std() / np.sqrt(len(gap)))


def test_counter_draws_less_often_than_those_who_do_not_count() -> None:
    """Each turn that it can follow, it does not draw."""
    lineup = (Counter(), Random(), Hoarder(), Dumper())
    book = played(lineup, 1500)[1]
    draws = [book.each("draw", who, 1500) for who in range(4)]
    assert all(above(other, draws[0]) for other in draws[1:])


def test_counter_goes_out_more_often() -> None:
    book = played((Counter(), Random(), Hoarder(), Dumper()), 1500)[1]
    outs = [book.each("round", who, 1500, by=0) for who in range(4)]
    assert all(above(outs[0], other) for other in (outs[1], outs[2]))


@lru_cache
def share(one: Strategy, others: Strategy, players: int, count: int) -> Any:
    """(games,) what one among the others wins."""
    return played((one, *[others] * (players - 1)), count)[0][0]


@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize("other", OTHERS, ids=title)
def test_balanced_beats_a_table_of_each_other_one(
    other: Strategy, players: int
) -> None:
    won = share(Balanced(), other, players, 1500)
    error = won.std() / np.sqrt(len(won))
    assert won.mean() - 3 * error > 1 / players


@pytest.mark.parametrize("players", [4, 8])
@pytest.mark.parametrize("other", OTHERS, ids=title)
def test_no_other_one_beats_a_table_of_balanced(other: Strategy, players: int) -> None:
    won = share(other, Balanced(), players, 1500)
    error = won.std() / np.sqrt(len(won))
    assert won.mean() + 3 * error < 1 / players


# --- Every variant ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_every_strategy_plays_odd_variants(seed: int) -> None:
    dice = random.Random(seed)
    players = dice.randint(2, 8)
    rules = any_rules(dice, players)
    everyone: Sequence[Strategy] = (*OTHERS, Balanced())
    for strategy in everyone:
        state = started(rules, players, 10, seed=seed)
        GAME.play(state, table([strategy]))
        assert state.clock.phase.name == "OVER"
