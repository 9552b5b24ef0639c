"""Each strategy of Socialism does what its text says; margins in standard errors."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from sim import masks
from sim.masks import Masks
from sim.recorder import Recorder
from sim.socialism.view import SocialismView
from strategies.base import Strategy
from strategies.registry import make
from strategies.socialism import features
from tests.socialism.plays import GAME, NAMES, PLAYS, any_rules, started, table

ERRORS = 5  # standard errors that a difference has to exceed
OTHERS = [name for name in NAMES if name != "allround"]
RULES = {"guard": 60, "actions.viral-post.copies": 3}  # where choices are measured
Measure = Callable[[SocialismView, Masks], Any]


@dataclass(frozen=True)
class Watch:
    """A player of whose answers something is measured, by kind of decision."""

    inner: Strategy
    wanted: list[tuple[str, Measure]]
    found: dict[Measure, list[Any]]

    @property
    def title(self) -> str:
        return self.inner.title

    def decide(self, view: SocialismView) -> Masks:
        answer = self.inner.decide(view)
        for kind, measure in self.wanted:
            if kind == view.kind.name:
                found = np.asarray(measure(view, answer), dtype=float)
                self.found.setdefault(measure, []).append(found)
        return answer


@lru_cache
def measured(name: str) -> dict[Measure, Any]:
    """What a strategy's answers are like, among its likes."""
    watch = Watch(make("socialism", name), MEASURED, {})
    GAME.play(started(RULES, 3, 800), table([watch]))
    return {measure: np.concatenate(one) for measure, one in watch.found.items()}


def more(name: str, other: str, measure: Measure) -> float:
    """By how many standard errors one does something more often than another."""
    one, two = (measured(who)[measure] for who in (name, other))
    spread = np.hypot(one.std() / len(one) ** 0.5, two.std() / len(two) ** 0.5)
    return float((one.mean() - two.mean()) / spread)


@lru_cache
def chose(*options: str) -> Measure:
    """Whether one of these was chosen, where it could be."""

    def measure(view: SocialismView, answer: Masks) -> Any:
        wanted = sum(int(view.bits(option)) for option in options)
        could = (view.legal & np.uint64(wanted)) != 0
        return (answer[could] & np.uint64(wanted)) != 0

    return measure


def friends_of_cell(view: SocialismView, answer: Masks) -> Any:
    """Whether most lie around the cell that was chosen."""
    on = features.on(view, view.board).astype(np.float32)
    return is_best(view, features.cells(view, on), answer)


def free_around_cell(view: SocialismView, answer: Masks) -> Any:
    """The same of those who are no Members yet, less those who are."""
    on = features.on(view, features.wanted(view)).astype(np.float32)
    on -= features.on(view, view.mine)
    return is_best(view, features.cells(view, on), answer)


def sends_from_most(view: SocialismView, answer: Masks) -> Any:
    """Whether no Member has more Friends outside the network than who invites."""
    return is_best(view, features.around(view, features.wanted(view)), answer)


def goes_on(view: SocialismView, answer: Masks) -> Any:
    """Whether most can be won from where a Viral Post goes."""
    return is_best(view, features.ahead(view), answer)


def is_best(view: SocialismView, worth: Any, answer: Masks) -> Any:
    """Whether no option is worth more than the answer, where one is worth less."""
    lone = masks.ONE << np.arange(len(worth), dtype=np.uint64)[:, None]
    able = (view.legal & lone) != 0
    most = np.where(able, worth, -np.inf).max(axis=0)
    some = most > np.where(able, worth, np.inf).min(axis=0)
    return (_chosen(worth, answer) > most - 1e-3)[some]


def plays_post(view: SocialismView, answer: Masks) -> Any:
    """Whether a Viral Post is played where two can be won by it, and a Member is."""
    post = view.bits("viral-post")
    could = ((view.legal & post) != 0) & (view.mine != 0)
    could &= masks.count(features.wanted(view)) > 1
    return (answer[could] & post) != 0


def keeps_status(view: SocialismView, answer: Masks) -> Any:
    """Whether a Stellar Status is kept that few would join by, if that does not win."""
    status = view.bits("stellar-status")
    joining = features.adjacent(view).max(axis=0)
    could = ((view.legal & status) != 0) & ((view.legal & ~status) != 0)
    could &= (joining < 4) & (joining < view.to_place[0])
    return (answer[could] & status) == 0


def against_leader(view: SocialismView, answer: Masks) -> Any:
    """Whether the seat chosen is the one of the others with fewest tokens left."""
    seats = (masks.index(answer) - np.asarray(view.seat, dtype=int)) % view.players
    left = view.to_place[seats, np.arange(len(view))]
    return left == view.to_place[1:].min(axis=0)


def _chosen(worth: Any, answer: Masks) -> Any:
    return worth[masks.index(answer), np.arange(len(answer))]


USERS = ("john-smith", "mary", "sheila", "billy", "hater", "rachel", "sloan")
PREFERS: list[tuple[str, str, Measure]] = [
    ("hub", "play", chose(*USERS)),
    ("hub", "cell", friends_of_cell),
    ("hub", "inviter", sends_from_most),
    ("spammer", "invite", chose("spam")),
    ("spammer", "play", chose("new-feature", "industrial-espionage", "ipo")),
    ("blocker", "play", chose("a-s-l", "lost-password")),
    ("blocker", "invite", chose("block")),
    ("viral", "play", plays_post),
    ("viral", "play", keeps_status),
    ("allround", "cell", free_around_cell),
]
MEASURED = [(kind, measure) for _, kind, measure in PREFERS]
MEASURED += [("viral", goes_on), ("front", against_leader)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "measure"), [(n, what) for n, _, what in PREFERS])
def test_what_a_strategy_prefers_it_does_more_often_than_the_others(
    name: str, measure: Measure
) -> None:
    """But for allround, which likes a Viral Post and Stellar Status as viral does."""
    for other in NAMES:
        if other != name and (name, other) != ("viral", "allround"):
            assert more(name, other, measure) > ERRORS, other


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_all_strategies_block_whoever_leads_and_go_where_most_can_be_won(
    name: str,
) -> None:
    assert more(name, "random", goes_on) > ERRORS
    assert measured(name)[against_leader].all()


def test_the_chances_read_are_those_of_the_dice() -> None:
    """What a Member is expected to bring is what comes of it."""
    seen: list[Any] = []

    def expects(view: SocialismView, answer: Masks) -> Any:
        seen.append((view.turn, _chosen(features.personal(view), answer)))
        return []

    watch = Watch(make("socialism", "hub"), [("inviter", expects)], {})
    book = Recorder(["invitation"])
    GAME.play(started({}, 2, 400), table([watch], book))
    told = book.table("invitation")
    came = told["accepted"][told["via"] == 2].sum()
    hoped = sum(float(brings.sum()) for _, brings in seen)
    assert abs(came / hoped - 1) < 0.06


# --- Who is the strongest -------------------------------------------------------------


@lru_cache
def share(one: str, others: str, players: int, count: int) -> Any:
    """(games,) whether the only one of its kind wins, in each seat in turn."""
    state = started({}, players, count, seed=7)
    table = PLAYS.seated([one, *[others] * (players - 1)], count)
    GAME.play(state, table)
    winner = state.finals.winner
    return (winner >= 0) & (table.sitting[winner, np.arange(count)] == 0)


def error(won: Any) -> float:
    """The standard error of a mean of games."""
    return float(won.std() / np.sqrt(len(won)))


def meetings() -> list[Any]:
    """Who meets allround, how many play, and how many games: more, the closer."""
    often = {"viral": 1500, "hub": 600}
    return [
        pytest.param(
            other,
            players,
            often.get(other, 300) * (3 if players > 3 else 1),
            marks=() if players == 3 and other in often else pytest.mark.soak,
        )
        for other in OTHERS
        for players in GAME.players
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("other", "players", "games"), meetings())
def test_allround_beats_each_other_one_and_none_gains_against_it(
    other: str, players: int, games: int
) -> None:
    """One of it at a table of the other, and the other way round."""
    won = share("allround", other, players, games)
    lost = share(other, "allround", players, games)
    assert won.mean() - 3 * error(won) > 1 / players
    assert lost.mean() + 3 * error(lost) < 1 / players


# --- Every variant --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_every_strategy_plays_odd_variants(seed: int) -> None:
    dice = random.Random(seed)
    players = dice.randint(2, 5)
    rules = any_rules(dice, players)
    for name in NAMES:
        state = started(rules, players, 10, seed=seed)
        GAME.play(state, table([make("socialism", name)]))
        assert state.clock.phase.name == "OVER"
