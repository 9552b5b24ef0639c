"""Each strategy of Devil does what its text says; margins in standard errors."""

import random
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.devil.layout import SPECIAL1, SPECIAL4
from sim.devil.view import DevilView
from sim.masks import Flags, Masks
from sim.table import Table
from strategies.base import Strategy
from strategies.devil import features
from strategies.devil.allround import Allround
from strategies.devil.counter import Counter
from strategies.devil.dumper import Dumper
from strategies.devil.heuristic import Heuristic
from strategies.devil.hoarder import Hoarder
from strategies.devil.stopper import Stopper
from strategies.random import Random
from tests.devil.plays import GAME, any_rules, numbers, started, table, transcripts

STRATEGIES = (Dumper(), Counter(), Stopper(), Hoarder())
OTHERS = (Random(), *STRATEGIES)
ERRORS = 5  # standard errors that a difference has to exceed
GAMES = {Dumper(): 8000, Counter(): 2000, Stopper(): 1200}  # more, the closer they are


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
        state = started(
            {"deck": deck, "target": 30, "guard": 400, **rules}, players, 60
        )
        GAME.play(state, table([Watched(strategy, heard)]))
    return found[kind]


def watched(
    strategy: Strategy,
    kind: str,
    judge: Callable[[DevilView, Masks], int],
    players: int,
    *,
    games: int = 600,
    **rules: Any,
) -> int:
    """The same with so many players, by the printed rules."""
    found = Tally[str]()

    def heard(view: DevilView, answer: Masks) -> None:
        if view.kind.name == kind:
            found[kind] += int(judge(view, answer))

    GAME.play(started(rules, players, games), table([Watched(strategy, heard)]))
    return found[kind]


def kinds_of(view: DevilView, cards: Masks) -> Any:
    """(rows,) the number of the kind of a lone card."""
    return view.layout.kind_of[masks.index(cards)]


def options(view: DevilView) -> Flags:
    """(kinds, rows) which kinds of card may be played."""
    able: Flags = (view.legal & view.layout.each_kind) != masks.NOTHING
    return able


def dearest(view: DevilView, answer: Masks) -> int:
    """Assert that no option costs more points; where there was a choice."""
    points = features.points(view.layout)[:, 0]
    able = options(view)
    most = np.where(able, points[:, None], -1.0).max(axis=0)
    assert (points[kinds_of(view, answer)] == most).all()
    return int((able.sum(axis=0) > 1).sum())


def continues(view: DevilView, answer: Masks) -> int:
    assert (answer == view.bits("continue")).all()
    return len(view)


def added(view: DevilView) -> Any:
    """(rows,) what an end now adds to this seat less the mean of the others, in truth.

    The judge looks at all hands, which the player cannot.
    """
    state, seat = view._state, np.asarray(view.seat)
    rows = np.arange(len(state.games)) if view._rows is None else view._rows
    cost = state.layout.cost(state.hands[:, rows]).astype(float)
    own = np.take_along_axis(cost, np.broadcast_to(seat, (1, len(rows))), axis=0)[0]
    others = (cost.sum(axis=0) - own) / (view.players - 1)
    four = (view.played & view.layout.kinds[SPECIAL4]) != masks.NOTHING
    spared = four & (view.rules.s4_end == "self_only")
    return 2 * own - np.where(spared, others, 2 * others)


def ended_and_not(strategy: Strategy) -> tuple[list[Any], list[Any]]:
    """What ends declared added, and what those would have that were not declared."""
    ended, not_ended = list[Any](), list[Any]()

    def judge(view: DevilView, answer: Masks) -> int:
        ends, found = answer == view.bits("end"), added(view)
        ended.append(found[ends])
        not_ended.append(found[~ends])
        return len(found)

    assert judged(strategy, "declare", judge) > 100
    return ended, not_ended


@pytest.mark.parametrize("strategy", [Dumper(), Hoarder()], ids=title)
def test_they_shed_the_dearest_card(strategy: Strategy) -> None:
    assert judged(strategy, "play", dearest) > 100


def test_hoarder_never_ends_a_round() -> None:
    assert judged(Hoarder(), "declare", continues) > 100


def test_counter_keeps_what_can_follow() -> None:
    """More ranks can be followed by the rest of its hand than after a random card."""
    gains: list[Any] = []

    def judge(view: DevilView, answer: Masks) -> int:
        able, layout = options(view), view.layout
        rows = np.flatnonzero(able.sum(axis=0) > 1)
        chosen = kinds_of(view, answer)
        for row in rows.tolist():
            reach = {}
            for kind in np.flatnonzero(able[:, row]).tolist():
                card = min(masks.members(view.hand[row] & layout.kinds[kind]))
                rest = view.hand[row] & ~masks.bit(card)
                tops = [
                    layout.fits[min(masks.members(top))] for top in layout.kinds[:10]
                ]
                reach[kind] = sum((fits & rest) != 0 for fits in tops)
            gains.append(reach[chosen[row]] - np.mean([*reach.values()]))
        return len(rows)

    assert judged(Counter(), "play", judge) > 100
    assert np.mean(gains) > ERRORS * np.std(gains) / np.sqrt(len(gains))


@pytest.mark.parametrize("strategy", [Dumper(), Counter(), Stopper()], ids=title)
def test_they_end_a_round_that_costs_them_less(strategy: Strategy) -> None:
    ended, not_ended = ended_and_not(strategy)
    gains = np.concatenate(ended)
    assert gains.mean() < -ERRORS * error(gains)
    assert apart(not_ended, ended) > ERRORS


def test_stopper_keeps_its_specials_until_its_hand_is_cheap() -> None:
    """Where it has the choice, its hand costs less when it plays one."""
    played, kept = list[Any](), list[Any]()

    def judge(view: DevilView, answer: Masks) -> int:
        specials = view.legal & view.layout.specials
        choice = (specials != 0) & (view.legal != specials)
        special = (answer & view.layout.specials) != 0
        played.append(view.cost[choice & special])
        kept.append(view.cost[choice & ~special])
        return int(choice.sum())

    assert judged(Stopper(), "play", judge) > 50
    assert apart(kept, played) > ERRORS


@pytest.mark.slow
def test_allround_wins_most_games_that_it_ends() -> None:
    """Among its likes: who declares the end of the last round has won."""
    found = list[bool]()
    for players in (2, 4):
        for events in transcripts(
            {"target": 30}, players, 150, lineup=["allround"] * players
        ):
            if events[-2].get("by") == "end":
                found.append(events[-2]["winner"] in events[-1]["winners"])
    won = np.array(found)
    assert len(won) > 50
    assert won.mean() - ERRORS * error(won) > 1 / 2


@dataclass(frozen=True)
class Ending(Allround):
    """As allround, but it ends each round that it can."""

    name = "ending"

    def ends(self, view: DevilView) -> Flags:
        return np.ones(len(view), dtype=np.bool_)


@dataclass(frozen=True)
class Going(Allround):
    """As allround, but it never ends a round."""

    name = "going"

    def ends(self, view: DevilView) -> Flags:
        return np.zeros(len(view), dtype=np.bool_)


@pytest.mark.soak
@pytest.mark.parametrize("other", [Ending(), Going()], ids=title)
def test_allround_ends_where_that_is_better_than_to_go_on(other: Strategy) -> None:
    """To do so everywhere wins less, and so does to do so nowhere."""
    won = share(Allround(), other, 2, 1500)
    assert won.mean() - ERRORS * error(won) > 1 / 2


@pytest.mark.parametrize("players", [2, 4])
def test_allround_decides_by_totals(players: int) -> None:
    """The same hands at other totals, and it would decide otherwise."""

    def judge(view: DevilView, answer: Masks) -> int:
        other = view.take(np.arange(len(view)))
        other.scores = view.scores[::-1]
        return int((Allround().declare(other) != answer).sum())

    assert watched(Allround(), "declare", judge, players, target=90) > 20


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize("deck", ["base", "440"])
def test_the_chance_to_win_is_right(players: int, deck: str) -> None:
    """Of those that it gives such a chance before a round, as many win."""
    state = started({"deck": deck}, players, 3000)
    games, seen = len(state.games), list[Any]()

    def judge(view: DevilView, _: Masks) -> int:
        first = np.flatnonzero((view.turn == 1) & (view.round > 1))
        game = view._rows if state.origin is None else state.origin[view._rows]
        for ahead in range(players):
            some = view.take(first)
            some.scores = np.roll(view.scores[:, first], -ahead, axis=0)
            chance = features.chance(some, np.zeros(some.scores.shape), 1.0)
            seen.append((game[first], (some.seat + ahead) % players, chance))
        return len(first)

    GAME.play(state, table([Watched(Allround(), judge)]))
    game, seat, chance = (np.concatenate(part) for part in zip(*seen, strict=True))
    winners = state.finals.winners[game]
    won = (winners >> seat.astype(np.uint64) & np.uint64(1)) / masks.count(winners)
    assert games * 2 < len(game)
    for least in (0.0, 0.2, 0.4, 0.6, 0.8):
        part = (chance >= least) & (chance < least + 0.2)
        if part.sum() > 300:
            off = won[part] - chance[part]
            assert abs(off.mean()) < ERRORS * error(off) + 0.02


def options_apart(each: features.Options, answer: Masks, worth: Any) -> Any:
    """(rows,) by how much the card chosen has more of it than all options, mean."""
    number = np.bincount(each.row)
    mean = np.bincount(each.row, worth) / number
    chosen = worth[each.card == answer.take(each.row)]
    return (chosen - mean)[number > 1]


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 4, 8])
def test_allround_sheds_points_and_blocks_the_others(players: int) -> None:
    shed, open_to = list[Any](), list[Any]()

    def judge(view: DevilView, answer: Masks) -> int:
        each = features.Options.of(view)
        shed.append(options_apart(each, answer, features.points_of(each)))
        open_to.append(options_apart(each, answer, features.answers(each)))
        return len(shed[-1])

    assert watched(Allround(), "play", judge, players) > 300
    more, less = np.concatenate(shed), np.concatenate(open_to)
    assert more.mean() > ERRORS * error(more)
    assert less.mean() < -ERRORS * error(less)


def apart(one: Sequence[Any], other: Sequence[Any]) -> float:
    """How much more often the first is so, in standard errors."""
    more, less = np.concatenate(one), np.concatenate(other)
    return float((more.mean() - less.mean()) / np.hypot(error(more), error(less)))


@pytest.mark.soak
def test_allround_plays_a_special_first_that_can_end_the_round_well() -> None:
    """More often where that costs it next to nothing of what it costs the others."""
    well, else_ = list[Any](), list[Any]()

    def judge(view: DevilView, answer: Masks) -> int:
        each = features.Options.of(view)
        several = np.bincount(each.row)[each.row] > 1
        which = np.flatnonzero((each.kind == SPECIAL1) & several)
        row = each.row[which]
        first = answer[row] == each.card[which]
        others = features.expected_costs(view)[1:].mean(axis=0)[row]
        cheap = 8 * each.left_over[which] < others
        well.append(first[cheap])
        else_.append(first[~cheap])
        return int(cheap.sum())

    assert watched(Allround(), "play", judge, 4, games=3000) > 100
    assert apart(well, else_) > ERRORS
    assert np.concatenate(well).mean() > 0.5


@pytest.mark.slow
def test_allround_keeps_a_special_as_its_last_card() -> None:
    """More often than among more cards, where it could play either."""
    last, else_ = list[Any](), list[Any]()

    def judge(view: DevilView, answer: Masks) -> int:
        able = options(view)
        special = able[[SPECIAL1, SPECIAL4]].sum(axis=0)
        choice = (special > 0) & (special < able.sum(axis=0))
        kept = ~np.isin(kinds_of(view, answer), (SPECIAL1, SPECIAL4))
        two = view.sizes[0] == 2
        last.append(kept[choice & two])
        else_.append(kept[choice & ~two])
        return int((choice & two).sum())

    assert watched(Allround(), "play", judge, 4, games=3000) > 100
    assert apart(last, else_) > ERRORS
    assert np.concatenate(last).mean() > 0.5


@pytest.mark.soak
@pytest.mark.parametrize("strategy", [*STRATEGIES, Allround()], ids=title)
def test_no_strategy_draws_where_it_can_play(strategy: Strategy) -> None:
    def plays(view: DevilView, answer: Masks) -> int:
        draw = view.bits("draw")
        assert not (answer & draw).any()
        return int(((view.legal & draw) != 0).sum())

    assert judged(strategy, "play", plays, voluntary_draw=True) > 100


def test_the_two_costs_of_a_hand_agree() -> None:
    """What a hand costs without a card, as read, is what it costs without it."""

    def left(view: DevilView, _: Masks) -> int:
        each = features.Options.of(view)
        rest = view.hand[each.row] & ~each.card
        assert (each.left_over == view.layout.cost(rest)).all()
        assert (features.expected_costs(view)[0] == view.cost).all()
        return len(view)

    assert judged(Random(), "play", left) > 1000


def test_what_the_rest_can_follow_is_looked_up_right() -> None:
    """As it is counted, card by card."""

    def reads(view: DevilView, _: Masks) -> int:
        each, layout = features.Options.of(view), view.layout
        fits, reached = features._walk(layout, view.players)
        cover, answers = features.cover(each), features.answers(each)
        for at in range(0, len(each), 7):
            row, kind = each.row[at], each.kind[at]
            rest = [(each.rest[at] & cards) != 0 for cards in layout.kinds]
            follows = [any(rest & (fit > 0)) for fit in fits]
            assert cover[at] == pytest.approx(reached[kind] @ follows, abs=1e-12)
            share = fits[kind] @ view.unseen[:, row] / view.unseen[:, row].sum()
            assert answers[at] == pytest.approx(share)
        return len(each)

    assert judged(Counter(), "play", reads) > 1000


# --- Who is the strongest -----------------------------------------------------------


@lru_cache
def share(
    one: Strategy, others: Strategy, players: int, count: int, seats: int = 1
) -> Any:
    """(games,) what some seats of one win among others, each seat in turn.

    A shared victory counts by its part, a game without winner for nobody.
    """
    state = GAME.start(GAME.rules(), players, 7, numbers(count))
    place = (np.arange(players)[:, None] + np.arange(count)) % players
    mine = place % (players // seats) == 0
    sitting = (~mine).astype(np.uint8)
    GAME.play(state, Table([one, others], sitting, GAME.view, GAME.kinds, []))
    winners = state.finals.winners
    each = (winners >> np.arange(players, dtype=np.uint64)[:, None]) & np.uint64(1)
    return (each * mine).sum(axis=0) / np.maximum(masks.count(winners), 1)


def error(won: Any) -> float:
    """The standard error of a mean of games."""
    return float(won.std() / np.sqrt(len(won)))


@pytest.mark.soak
@pytest.mark.parametrize(("players", "seats"), [(2, 1), (4, 1), (8, 4)])
@pytest.mark.parametrize("other", OTHERS, ids=title)
def test_allround_beats_each_other_one(
    other: Strategy, players: int, seats: int
) -> None:
    won = share(Allround(), other, players, GAMES.get(other, 600), seats)
    assert won.mean() - 3 * error(won) > seats / players


@pytest.mark.soak
@pytest.mark.parametrize("other", OTHERS, ids=title)
def test_no_other_one_beats_a_table_of_allround(other: Strategy) -> None:
    won = share(other, Allround(), 4, GAMES.get(other, 600))
    assert won.mean() + 3 * error(won) < 1 / 4


@pytest.mark.slow
def test_the_card_matters_less_than_the_end() -> None:
    """With the same rule for ending, shedding points wins, being able to follow not."""
    dear = share(Dumper(), Heuristic(), 2, 1500)
    assert dear.mean() - 3 * error(dear) > 0.5
    follows = share(Counter(), Heuristic(), 2, 1500)
    assert follows.mean() + 3 * error(follows) < dear.mean()
    ends = share(Heuristic(), Random(), 2, 800)
    assert ends.mean() - 3 * error(ends) > dear.mean()


# --- Every variant ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_every_strategy_plays_odd_variants(seed: int) -> None:
    dice = random.Random(seed)
    players = dice.randint(2, 8)
    rules = any_rules(dice, players)
    everyone: Sequence[Strategy] = (*OTHERS, Allround())
    for strategy in everyone:
        state = started(rules, players, 10, seed=seed)
        GAME.play(state, table([strategy]))
        assert state.clock.phase.name == "OVER"
