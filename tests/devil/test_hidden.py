"""No strategy sees what its seat may not know: to deal that anew changes nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks
from sim.devil.hidden import redeal
from sim.devil.play import STEPS
from sim.devil.state import Phase, State
from sim.devil.view import DevilView
from sim.masks import Masks
from strategies.random import Random
from strategies.registry import builtin
from tests.devil.plays import GAME, started, table

RULES = {"deck": "440", "target": 30, "voluntary_draw": True, "first_card_effect": True}
SALTS = (1, 2)


class Seen(AssertionError):
    """A decision changed with cards that the seat cannot see."""


class Watched:
    """A player that decides again, where all that its seat cannot see is changed."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.asked = Counter[str]()

    @property
    def title(self) -> str:
        return str(self.inner.title)

    def decide(self, view: DevilView) -> Masks:
        answer = self.inner.decide(view).copy()
        for salt in SALTS:
            other = self.inner.decide(anew(view, salt))
            if not (other == answer).all():
                row = int(np.flatnonzero(other != answer)[0])
                raise Seen(f"{self.title} at {view.kind.name}, row {row}, {view.time}")
        self.asked[view.kind.name] += len(view)
        return answer


def anew(view: DevilView, salt: int) -> DevilView:
    """The same decision with all that the seat cannot see dealt anew."""
    state: State = view._state
    rows = np.arange(len(state.games)) if view._rows is None else view._rows
    seat = np.zeros(len(state.games), dtype=np.uint8)
    seat[rows] = view.seat
    other = redeal(state, seat, salt)
    return DevilView(
        other, view.kind, view.seat, view._rows, view.legal.copy(), view._most
    )


def caught(
    player: Any, players: int = 4, games: int = 12, **rules: Any
) -> Counter[str]:
    """Play with a watched player in all seats; what it was asked."""
    watched = Watched(player)
    GAME.play(
        started({**RULES, **rules}, players, games, seed=players), table([watched])
    )
    return watched.asked


@pytest.mark.parametrize(("players", "deck"), [(2, "440"), (5, "base")])
@pytest.mark.parametrize("name", builtin("devil"))
def test_strategy_is_blind_to_hidden_cards(name: str, players: int, deck: str) -> None:
    strategy, draws = builtin("devil")[name](), deck == "440"
    asked = caught(strategy, players, deck=deck, voluntary_draw=draws, guard=90)
    assert asked.keys() == GAME.kinds.keys()


# --- Planted: strategies that peek --------------------------------------------------

What = Callable[[State], NDArray[Any]]


@dataclass(frozen=True)
class Peek(Random):
    """Looks at what it may not see, at one kind of decision."""

    name = "peek"
    kind: str = "play"
    what: What = lambda state: state.pile

    def decide(self, view: DevilView) -> Masks:
        right = super().decide(view)
        if view.kind.name != self.kind:
            return right
        seen = view.common(self.what(view._state)).astype(np.uint64)
        odd = (masks.count(seen) & 1) == 1
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))


def low_cards(state: State) -> Masks:
    """Of the low half of the deck, those in the draw pile."""
    return state.pile & np.uint64(0xFFFFFFF)


def next_hand(state: State) -> Masks:
    """Some cards of the next player."""
    rows = np.arange(len(state.games))
    hand: Masks = state.hands[state.seat_after(state.seat, 1), rows]
    return hand & np.uint64(0x5555555555555555)


@pytest.mark.parametrize("kind", ["play", "declare"])
@pytest.mark.parametrize("what", [low_cards, next_hand])
def test_peeking_is_caught(kind: str, what: What) -> None:
    with pytest.raises(Exception, match=f"peek.* at .?{kind}"):
        caught(Peek(kind=kind, what=what), games=100)


@pytest.mark.parametrize("kind", ["play", "declare"])
def test_looking_at_what_is_public_is_no_peeking(kind: str) -> None:
    def public(state: State) -> Masks:
        sizes = masks.count(state.hands).astype(np.uint64)
        return masks.join([state.under(), state.top, *sizes, masks.count(state.pile)])

    assert caught(Peek(kind=kind, what=public))[kind] > 0


# --- What a redeal is ---------------------------------------------------------------

HIDDEN = {"hands", "pile"}


def moments(players: int, games: int = 40) -> list[State]:
    """States before every step of some games, until most are over."""
    state, desk, found = started(RULES, players, games, seed=9), table(), []
    while state.clock.phase is not Phase.OVER and len(found) < 400:
        if state.clock.phase is not Phase.DEAL:
            found.append(state.copy())
        STEPS[state.clock.phase](state, desk)
    return found


@pytest.mark.parametrize("players", [2, 3, 8])
def test_redeal_keeps_what_the_seat_knows(players: int) -> None:
    changed = 0
    for number, state in enumerate(moments(players)):
        seat = number % players
        before = arrays(state.copy())
        other = redeal(state, seat, number)
        for key, value in before.items():
            assert (vars(state)[key] == value).all(), f"redeal changed the own {key}"
            if key not in HIDDEN:
                assert (vars(other)[key] == value).all(), f"{key} is no secret"
        assert (other.clock.count == state.clock.count).all()
        assert (other.hands[seat] == state.hands[seat]).all()
        assert (other.under() == state.under()).all()
        places = ([*part.hands, part.pile] for part in (other, state))
        for one, two in zip(*places, strict=True):
            assert (masks.count(one) == masks.count(two)).all()
        both = np.zeros_like(state.pile)
        for held in (*other.hands, other.pile, other.top, other.under()):
            assert not (both & held).any()
            both |= held
        assert (both == state.box.everything).all()
        changed += int(np.count_nonzero(other.hands != state.hands))
    assert changed > 1000


def arrays(state: State) -> dict[str, NDArray[Any]]:
    return {k: v for k, v in vars(state).items() if isinstance(v, np.ndarray)}


def test_redeal_may_give_each_hidden_card_to_each_hidden_place() -> None:
    state, desk = started(None, 3, 4000), table()
    STEPS[Phase.DEAL](state, desk)
    known, other = state.hands[0] | state.top, redeal(state, 0, 5)
    for number in state.box.deck:
        lone = masks.bit(number)
        hidden = (known & lone) == 0
        for place, size in ((other.hands[1], 4), (other.pile, 27)):
            share = ((place & lone)[hidden] != 0).mean()
            assert abs(share - size / 35) < 0.04
    assert (redeal(state, 0, 5).hands == other.hands).all()
    assert (redeal(state, 0, 6).hands != other.hands).any()


def test_seats_may_differ_by_game() -> None:
    state, desk = started(RULES, 4, 60), table()
    STEPS[Phase.DEAL](state, desk)
    seat = (np.arange(60) % 4).astype(np.uint8)
    own, other = np.arange(4)[:, None] == seat, redeal(state, seat, 3)
    assert (other.hands == state.hands)[own].all()
    assert (other.hands != state.hands)[~own].any()


# --- What a view tells --------------------------------------------------------------

KEYS = [
    key
    for key in dir(DevilView)
    if not key.startswith("_")
    and not callable(getattr(DevilView, key))
    and key not in ("rules", "box", "words")  # of the game, not of a seat
]


def test_views_show_no_secret() -> None:
    """Whatever a view tells is the same after a redeal, property by property."""
    told = Counter[str]()

    class Reader(Random):
        def decide(self, view: DevilView) -> Masks:
            other = anew(view, 7)
            for key in KEYS:
                one, two = getattr(view, key), getattr(other, key)
                parts = (one, two) if isinstance(one, dict) else ({0: one}, {0: two})
                same = [np.array_equal(parts[0][k], parts[1][k]) for k in parts[0]]
                assert all(same), f"{key} at {view.kind.name}"
                told[key] += 1
            return super().decide(view)

    GAME.play(started(RULES, 4, 20), table([Reader()]))
    assert set(told) == set(KEYS)


def test_views_count_the_cards() -> None:
    """What a seat holds, what lies there, and what is elsewhere make up the deck."""
    seen = Counter[str]()

    class Counting(Random):
        def decide(self, view: DevilView) -> Masks:
            state: State = view._state
            rows = np.arange(len(state.games)) if view._rows is None else view._rows
            copies = view.box.count(np.array([view.box.everything]))
            assert ((view.held + view.gone + view.unseen) == copies).all()
            held = view.sizes.astype(int)
            assert (held[0] == view.held.sum(axis=0)).all()
            others = view.unseen.sum(axis=0).astype(int)
            assert (held[1:].sum(axis=0) + view.left == others).all()
            seats = np.broadcast_to(np.asarray(view.seat), len(view))
            assert (view.hand == state.hands[seats, rows]).all()
            sees = [(seats + n) % view.players for n in range(view.players)]
            for told, seat in zip(view.scores, sees, strict=True):
                assert (told == state.score[seat, rows]).all()
            dealer = (view.dealer + seats) % view.players
            assert (dealer == state.dealer[rows]).all()
            seen[view.kind.name] += len(view)
            return super().decide(view)

    GAME.play(started(RULES, 5, 20), table([Counting()]))
    assert seen.keys() == GAME.kinds.keys()
