"""No strategy sees what its seat may not know: to deal that anew changes nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from experiments.proving.redealt import redealt
from sim import masks
from sim.article_ii.hidden import redeal
from sim.article_ii.play import STEPS
from sim.article_ii.state import State, Step
from sim.article_ii.view import ArticleIIView
from sim.masks import Masks
from strategies.random import Random
from strategies.registry import builtin
from tests.article_ii.plays import (
    GAME,
    NAMES,
    PLAYERS,
    each_card_once,
    in_deck,
    started,
    table,
)

STYLES = {"cards": {"great-debater": {"copies": 4}, "teflon-wonder": {"copies": 4}}}
RULES = {**STYLES, "necromancer_target": "chosen"}
"""A deck in which all kinds of decisions are frequent."""


class Seen(AssertionError):
    """A decision changed with cards that the seat cannot see."""


class Watched:
    """A player that decides again, where all that its seat cannot see is changed."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.asked = Counter[str]()
        self.turn = False

    @property
    def title(self) -> str:
        return str(self.inner.title)

    def decide(self, view: ArticleIIView) -> Masks:
        answer = self.inner.decide(view).copy()
        self.turn = not self.turn
        if self.turn:  # every other time, to be done sooner
            return answer
        other = self.inner.decide(redealt(GAME, view, 1))
        if not (other == answer).all():
            row = int(np.flatnonzero(other != answer)[0])
            raise Seen(f"{self.title} at {view.kind.name}, row {row}, {view.time}")
        self.asked[view.kind.name] += len(view)
        return answer


def caught(player: Any, players: int = 3, games: int = 60) -> Counter[str]:
    """Play with a watched player in all seats; what it was asked."""
    watched = Watched(player)
    GAME.play(started(RULES, players, games, seed=players), table([watched]))
    return watched.asked


@pytest.mark.parametrize(
    ("name", "players"),
    [
        *((name, PLAYERS[n % 3]) for n, name in enumerate(NAMES) if name != "balanced"),
        *(("balanced", players) for players in PLAYERS),
    ],
)
def test_strategy_is_blind_to_hidden_cards(name: str, players: int) -> None:
    asked = caught(builtin("article_ii")[name](), players)
    assert {"play", "target"} <= asked.keys()
    assert asked.total() > 200


def test_all_kinds_of_decisions_are_watched() -> None:
    assert caught(Random(), 4, 250).keys() == GAME.kinds.keys()


# --- Planted: strategies that peek --------------------------------------------------

What = Callable[[State], NDArray[Any]]


@dataclass(frozen=True)
class Peek(Random):
    """Looks at what it may not see, at one kind of decision."""

    name = "peek"
    kind: str = "play"
    what: What = lambda state: state.hands[0]

    def decide(self, view: ArticleIIView) -> Masks:
        right = super().decide(view)
        if view.kind.name != self.kind:
            return right
        seen = view.common(self.what(view._state)).astype(np.uint64)
        odd = (masks.count(seen) & 1) == 1
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))


def first_hand(state: State) -> Masks:
    """Some of the cards of the first seat."""
    return state.hands[0] & np.uint64(0x5555555555555555)


def next_card(state: State) -> Masks:
    """The card on top of the deck, as so many bits."""
    slot = (state.top & np.uint8(63)).astype(np.int64)
    number = state.stack[slot, np.arange(len(state.games))]
    return (masks.ONE << (number % np.uint8(64)).astype(np.uint64)) - masks.ONE


@pytest.mark.parametrize("what", [first_hand, next_card])
@pytest.mark.parametrize("kind", ["play", "second", "target", "remove", "react"])
def test_peeking_is_caught(kind: str, what: What) -> None:
    with pytest.raises(Exception, match=f"peek.* at .?{kind}"):
        caught(Peek(kind=kind, what=what), 3, 60)


@pytest.mark.parametrize("kind", ["play", "target"])
def test_looking_at_what_is_public_is_no_peeking(kind: str) -> None:
    def public(state: State) -> Masks:
        return masks.join([*state.lying, state.discard])

    assert caught(Peek(kind=kind, what=public))[kind] > 0


# --- What a redeal is ---------------------------------------------------------------

HIDDEN = {"hands", "stack"}


def moments(players: int, games: int = 30) -> list[State]:
    """States before every step of a game."""
    state, desk, found = started(RULES, players, games, seed=9), table(), []
    while state.clock.step is not Step.OVER:
        if state.clock.step is not Step.DEAL:
            found.append(state.copy())
        STEPS[state.clock.step](state, desk)
    return found


@pytest.mark.parametrize("players", PLAYERS)
def test_redeal_keeps_what_the_seat_knows(players: int) -> None:
    changed = Counter[str]()
    for number, state in enumerate(moments(players)[::4]):
        seat = number % players
        before = arrays(state.copy())
        other = redeal(state, seat, number)
        for key, value in before.items():
            now = vars(state)[key]
            assert (now == value).all(), f"redeal changed {key} of the original"
            same = vars(other)[key] == value
            assert key in HIDDEN or same.all(), f"{key} is no secret"
            changed[key] += int(np.count_nonzero(~same))
        assert other.clock == state.clock
        assert (other.hands[seat] == state.hands[seat]).all()
        for one, two in zip(other.hands, state.hands, strict=True):
            assert (masks.count(one) == masks.count(two)).all()
        each_card_once(other)
        each_card_once(state)
    assert min(changed[key] for key in HIDDEN) > 500


def arrays(state: State) -> dict[str, NDArray[Any]]:
    return {k: v for k, v in vars(state).items() if isinstance(v, np.ndarray)}


def test_redeal_may_give_each_hidden_card_to_each_hidden_place() -> None:
    state, desk = started(None, 3, 3000), table()
    STEPS[Step.DEAL](state, desk)
    own, other = state.hands[0], redeal(state, 0, 5)
    deck = in_deck(other)
    for number in masks.members(int(state.box.everything)):
        lone = masks.bit(number)
        hidden = (own & lone) == 0
        for place, size in ((other.hands[1], 7), (other.hands[2], 7), (deck, 30)):
            share = ((place & lone)[hidden] != 0).mean()
            assert abs(share - size / 44) < 0.04
    assert (redeal(state, 0, 5).hands == other.hands).all()
    assert (redeal(state, 0, 6).hands != other.hands).any()


def test_seats_may_differ_by_game() -> None:
    state, desk = started(None, 4, 60), table()
    STEPS[Step.DEAL](state, desk)
    seat = (np.arange(60) % 4).astype(np.uint8)
    own, other = np.arange(4)[:, None] == seat, redeal(state, seat, 3)
    assert (other.hands == state.hands)[own].all()
    assert (other.hands != state.hands)[~own].any()


# --- What a view tells --------------------------------------------------------------

KEYS = [
    key
    for key in dir(ArticleIIView)
    if not key.startswith("_")
    and not callable(getattr(ArticleIIView, key))
    and key not in ("rules", "box", "words")  # of the game, not of a seat
]


def test_views_show_no_secret() -> None:
    """Whatever a view tells is the same after a redeal, property by property."""
    told = Counter[str]()

    class Reader(Random):
        def decide(self, view: ArticleIIView) -> Masks:
            other = redealt(GAME, view, 7)
            for key in KEYS:
                one, two = getattr(view, key), getattr(other, key)
                assert np.array_equal(one, two), f"{key} at {view.kind.name}"
                told[key] += np.size(one)
            return super().decide(view)

    GAME.play(started(RULES, 4, 15), table([Reader()]))
    assert set(told) == set(KEYS)
    assert all(told.values())
