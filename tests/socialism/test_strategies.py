"""Each school of Socialism does what its text says; margins in standard errors."""

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
from sim.table import Table
from strategies.base import Strategy
from strategies.registry import make
from strategies.socialism import features
from tests.socialism.plays import GAME, NAMES, any_rules, numbers, started, table

ERRORS = 5  # standard errors that a difference has to exceed
OTHERS = [name for name in NAMES if name != "allround"]
CLOSE = {"viral": 3000, "hub": 1500}  # games, more, the closer they are


@dataclass(frozen=True)
class Watch:
    """A player whose answers to one kind of decision are measured."""

    inner: Strategy
    kind: str
    measure: Callable[[SocialismView, Masks], Any]
    found: list[Any]

    @property
    def title(self) -> str:
        return self.inner.title

    def decide(self, view: SocialismView) -> Masks:
        answer = self.inner.decide(view)
        if view.kind.name == self.kind:
            self.found.append(np.asarray(self.measure(view, answer), dtype=float))
        return answer


@lru_cache
def measured(name: str, kind: str, measure: Callable[..., Any], players: int) -> Any:
    """What a strategy's answers are like, among its likes."""
    watch = Watch(make("socialism", name), kind, measure, [])
    GAME.play(started({}, players, 200), table([watch]))
    return np.concatenate(watch.found)


def more(name: str, other: str, kind: str, measure: Callable[..., Any]) -> float:
    """By how many standard errors one does something more often than another."""
    apart = []
    for players in (2, 4):
        one, two = (measured(n, kind, measure, players) for n in (name, other))
        error = np.hypot(one.std() / len(one) ** 0.5, two.std() / len(two) ** 0.5)
        apart.append((one.mean() - two.mean()) / error)
    return float(min(apart))


def chose(*options: str) -> Callable[[SocialismView, Masks], Any]:
    """Whether one of these was chosen, where it could be."""
    return _chose(options)


@lru_cache
def _chose(options: tuple[str, ...]) -> Callable[[SocialismView, Masks], Any]:
    def measure(view: SocialismView, answer: Masks) -> Any:
        wanted = sum(int(view.bits(option)) for option in options)
        could = (view.legal & np.uint64(wanted)) != 0
        return (answer[could] & np.uint64(wanted)) != 0

    return measure


def friends_of_cell(view: SocialismView, answer: Masks) -> Any:
    """How many lie around the cell that was chosen."""
    on = features.holds(view.board, view.layout.size).astype(np.float32)
    return _chosen(features.cells(view, on), answer)


def free_around_cell(view: SocialismView, answer: Masks) -> Any:
    """How many of them are no Members yet, less those who are."""
    on = features.holds(features.wanted(view), view.layout.size).astype(np.float32)
    own = features.holds(view.mine, view.layout.size).astype(np.float32)
    return _chosen(features.cells(view, on - own), answer)


def friends_of_inviter(view: SocialismView, answer: Masks) -> Any:
    """How many Friends outside the network the inviter has, more than the mean."""
    free = features.around(view, features.wanted(view))
    able = features.holds(view.legal, view.layout.size)
    mean = (free * able).sum(axis=0) / able.sum(axis=0)
    return _chosen(free, answer) - mean


def joined_by_status(view: SocialismView, answer: Masks) -> Any:
    """How many join by a Stellar Status that is played."""
    status = (answer & view.bits("stellar-status")) != 0
    return features.adjacent(view).max(axis=0)[status]


def against_leader(view: SocialismView, answer: Masks) -> Any:
    """Whether the seat chosen is the one of the others with fewest tokens left."""
    seats = (masks.index(answer) - np.asarray(view.seat, dtype=int)) % view.players
    left = view.to_place[seats, np.arange(len(view))]
    return left == view.to_place[1:].min(axis=0)


def path(view: SocialismView, answer: Masks) -> Any:
    """How many outside the network lie beside where a Viral Post goes."""
    return _chosen(features.around(view, features.wanted(view)), answer)


def _chosen(worth: Any, answer: Masks) -> Any:
    return worth[masks.index(answer), np.arange(len(answer))]


USERS = ("john-smith", "mary", "sheila", "billy", "hater", "rachel", "sloan")
HARM = ("a-s-l", "lost-password", "smtp-block-list", "change-of-management")


@pytest.mark.parametrize(
    ("name", "kind", "measure"),
    [
        ("hub", "play", chose(*USERS)),
        ("hub", "cell", friends_of_cell),
        ("hub", "inviter", friends_of_inviter),
        ("spammer", "invite", chose("spam")),
        ("spammer", "play", chose("new-feature", "industrial-espionage", "ipo")),
        ("blocker", "play", chose("a-s-l", "lost-password")),
        ("blocker", "invite", chose("block")),
        ("viral", "play", chose("viral-post")),
        ("viral", "play", joined_by_status),
        ("allround", "cell", free_around_cell),
    ],
)
def test_what_a_school_prefers_it_does_more_often_than_the_others(
    name: str, kind: str, measure: Callable[..., Any]
) -> None:
    shared = {("viral", joined_by_status): {"allround"}}  # who keeps it as long
    shared |= {("viral", chose("viral-post")): {"allround"}}
    alike = shared.get((name, measure), set())
    for other in [*OTHERS, "allround"]:
        if other != name and other not in alike:
            assert more(name, other, kind, measure) > ERRORS, other


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_all_schools_block_whoever_leads_and_go_where_most_can_be_won(
    name: str,
) -> None:
    assert more(name, "random", "viral", path) > ERRORS
    for players in (3, 5):
        assert measured(name, "front", against_leader, players).all()


def test_the_chances_read_are_those_of_the_dice() -> None:
    """What a Member is expected to bring is what comes of it."""
    seen: list[Any] = []

    def expects(view: SocialismView, answer: Masks) -> Any:
        seen.append((view.turn, _chosen(features.personal(view), answer)))
        return []

    watch, book = (
        Watch(make("socialism", "hub"), "inviter", expects, []),
        Recorder(["invitation"]),
    )
    GAME.play(started({}, 2, 400), table([watch], book))
    told = book.table("invitation")
    came = told["accepted"][told["via"] == 2].sum()
    hoped = sum(float(brings.sum()) for _, brings in seen)
    assert abs(came / hoped - 1) < 0.06


# --- Who is the strongest -------------------------------------------------------------


@lru_cache
def share(one: str, others: str, players: int, count: int) -> Any:
    """(games,) whether the only one of its kind wins, in each seat in turn."""
    state = GAME.start(GAME.rules(), players, 7, numbers(count))
    place = (np.arange(players)[:, None] + np.arange(count)) % players
    sitting = (place != 0).astype(np.uint8)
    lineup = [make("socialism", one), make("socialism", others)]
    GAME.play(state, Table(lineup, sitting, GAME.view, GAME.kinds, []))
    winner = state.finals.winner
    return (winner >= 0) & (sitting[winner, np.arange(count)] == 0)


def error(won: Any) -> float:
    """The standard error of a mean of games."""
    return float(won.std() / np.sqrt(len(won)))


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("other", OTHERS)
def test_allround_beats_each_other_one(other: str, players: int) -> None:
    won = share("allround", other, players, CLOSE.get(other, 600))
    assert won.mean() - 3 * error(won) > 1 / players


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("other", OTHERS)
def test_no_other_one_beats_a_table_of_allround(other: str, players: int) -> None:
    won = share(other, "allround", players, CLOSE.get(other, 600))
    assert won.mean() + 3 * error(won) < 1 / players


# --- Every variant --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_every_strategy_plays_odd_variants(seed: int) -> None:
    dice = random.Random(seed)
    players = dice.randint(2, 5)
    rules = any_rules(dice, players)
    for name in NAMES:
        state = started(rules, players, 10, seed=seed)
        GAME.play(state, table([make("socialism", name)]))
        assert state.clock.phase.name == "OVER"
