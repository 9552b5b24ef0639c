"""No strategy sees what its seat may not know: to deal that anew changes nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks
from sim.kunitame.hidden import redeal
from sim.kunitame.play import STEPS
from sim.kunitame.state import Phase, State
from sim.kunitame.view import KunitameView
from sim.masks import Masks
from strategies.kunitame.greedy import Greedy
from strategies.random import Random
from strategies.registry import builtin
from tests.kunitame.plays import GAME, started, table

RULES = {"removed_pledge": "none", "weeks": 2, "rounds": 6, "devil_ranks": 5}
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

    def decide(self, view: KunitameView) -> Masks:
        answer = self.inner.decide(view).copy()
        for salt in SALTS:
            other = self.inner.decide(anew(view, salt))
            if not (other == answer).all():
                row = int(np.flatnonzero(other != answer)[0])
                raise Seen(f"{self.title} at {view.kind.name}, row {row}, {view.time}")
        self.asked[view.kind.name] += len(view)
        return answer


def anew(view: KunitameView, salt: int) -> KunitameView:
    """The same decision with all that the seat cannot see dealt anew."""
    state: State = view._state
    rows = np.arange(len(state.games)) if view._rows is None else view._rows
    seat = np.zeros(len(state.games), dtype=np.uint8)
    seat[rows] = view.seat
    other = redeal(state, seat, salt)
    return KunitameView(
        other, view.kind, view.seat, view._rows, view.legal.copy(), view._most
    )


def caught(player: Any, players: int = 4, games: int = 150) -> Counter[str]:
    """Play with a watched player in all seats; what it was asked."""
    watched = Watched(player)
    state = started(RULES, players, games, seed=players)
    desk = table([watched])
    while state.clock.phase is not Phase.OVER:
        STEPS[state.clock.phase](state, desk)
    return watched.asked


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("name", builtin("kunitame"))
def test_strategy_is_blind_to_hidden_cards(name: str, players: int) -> None:
    asked = caught(builtin("kunitame")[name](), players)
    assert {"contract", "play", "claim", "bonus", "return"} <= asked.keys()


def test_all_kinds_of_decisions_are_watched() -> None:
    assert caught(Random()).keys() == GAME.kinds.keys()


# --- Planted: strategies that peek --------------------------------------------------


@dataclass(frozen=True)
class Peek(Greedy):
    """Looks at what it may not see, at one kind of decision."""

    name = "peek"
    kind: str = "play"
    what: Callable[[State], NDArray[Any]] = lambda state: state.hands[0]

    def decide(self, view: KunitameView) -> Masks:
        right = super().decide(view)
        if view.kind.name != self.kind:
            return right
        seen = view.common(self.what(view._state)).astype(np.uint64)
        odd = (masks.count(seen) & 1) == 1
        if view.kind.form == "bag":
            one = np.minimum(view.most, 1)
            return masks.where(odd, view.stake(np.zeros(len(view), dtype=int), one))
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))


def next_hand(state: State) -> Masks:
    """The low cards of whoever plays last in the trick."""
    return state.fan[state.players - 1] & np.uint64(0x5555555555555555)


def set_aside(state: State) -> Masks:
    """The red cards that nobody holds."""
    held = np.bitwise_or.reduce(state.hands, axis=0)
    return ~held & state.box.suits[1]


def secret(state: State) -> Masks:
    """The contract of the first seat, while the others make theirs."""
    return state.stakes[0]


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        # At liquidation the hands have been dropped: no card is hidden any more.
        *((k, next_hand) for k in ("contract", "play", "claim", "return")),
        *((k, set_aside) for k in ("contract", "play", "claim", "return")),
        ("contract", secret),
    ],
)
def test_peeking_is_caught(kind: str, what: Callable[[State], Masks]) -> None:
    with pytest.raises(Exception, match=f"peek.* at .?{kind}"):
        caught(Peek(kind=kind, what=what))


@pytest.mark.parametrize("kind", ["contract", "play"])
def test_looking_at_what_is_public_is_no_peeking(kind: str) -> None:
    def public(state: State) -> Masks:
        return state.played ^ state.gems_1 ^ state.gems_3 ^ state.life[0]

    assert caught(Peek(kind=kind, what=public))[kind] > 0


# --- What a redeal is ---------------------------------------------------------------


def moments(players: int, games: int = 80) -> list[State]:
    """States before every question of a game of two weeks."""
    state, desk, found = started(RULES, players, games, seed=9), table(), []
    while state.clock.phase is not Phase.OVER:
        if state.clock.week or state.clock.phase is not Phase.DEAL:
            found.append(state.copy())
        STEPS[state.clock.phase](state, desk)
    return found


HIDDEN = {"fan", "stakes"}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_redeal_keeps_what_the_seat_knows(players: int) -> None:
    changed = 0
    for number, state in enumerate(moments(players)):
        seat = number % players
        before = {
            key: value.copy()
            for key, value in vars(state).items()
            if isinstance(value, np.ndarray)
        }
        other = redeal(state, seat, number)
        for key, value in before.items():
            now = vars(state)[key]
            assert (now == value).all(), f"redeal changed {key} of the original"
            if key not in HIDDEN:
                assert (vars(other)[key] == value).all(), f"{key} is no secret"
        assert other.clock == state.clock
        assert (other.hands[seat] == state.hands[seat]).all()
        assert (other.stakes[seat] == state.stakes[seat]).all()
        if state.clock.phase is not Phase.CONTRACT:
            assert (other.stakes == state.stakes).all(), "contracts are revealed"
        for part in (state.box.devils, ~state.box.devils):
            size = masks.count(state.hands & part)
            assert (masks.count(other.hands & part) == size).all()
        changed += _one_place_each(state, other, seat)
    assert changed > 1000


def _one_place_each(state: State, other: State, seat: int) -> int:
    """No card is in two places after a redeal; how many hands are others now."""
    trick = state.cards if state.clock.phase is Phase.PLAY else []
    seen = np.zeros_like(state.played)
    for held in (*other.hands, other.played, *trick):
        assert not (seen & held).any()
        seen |= held
    assert not (seen & ~state.box.everything).any()
    hands = np.delete(other.hands != state.hands, seat, axis=0)
    return int(np.count_nonzero(hands))


def test_redeal_may_give_each_hidden_card_to_each_hidden_place() -> None:
    state, desk = started({"weeks": 1}, 3, 4000), table()
    while state.clock.phase is not Phase.CONTRACT:
        STEPS[state.clock.phase](state, desk)
    state.clock.turn = 0
    first = state.hands
    other = redeal(state, 0, 5)
    for seat in (1, 2):
        for card in masks.members(state.box.ability | state.box.priests):
            lone = masks.bit(card)
            hidden = (first[0] & lone) == 0
            held = (other.hands[seat] & lone)[hidden] != 0
            # 7 of the 35 cards that seat 0 does not hold
            assert abs(held.mean() - 1 / 5) < 0.04
    again = redeal(state, 0, 5)
    assert (again.hands == other.hands).all()
    assert (redeal(state, 0, 6).hands != other.hands).any()


def test_seats_may_differ_by_game() -> None:
    state, desk = started(RULES, 4, 60), table()
    while state.clock.phase is not Phase.PLAY:
        STEPS[state.clock.phase](state, desk)
    seat = (np.arange(60) % 4).astype(np.uint8)
    other = redeal(state, seat, 3)
    own = np.arange(4)[:, None] == seat
    assert (other.hands == state.hands)[own].all()
    assert (other.hands != state.hands)[~own].any()


def test_views_show_no_secret() -> None:
    """Whatever a view tells is the same after a redeal, property by property."""
    told = Counter[str]()

    class Reader(Random):
        def decide(self, view: KunitameView) -> Masks:
            other = anew(view, 7)
            for key in KEYS:
                one, two = _read(view, key), _read(other, key)
                assert np.array_equal(one, two), f"{key} at {view.kind.name}"
                told[key] += one.size
            return super().decide(view)

    state = started(RULES, 4, 40)
    GAME.play(state, table([Reader()]))
    assert set(told) == set(KEYS)
    assert all(told.values())


KEYS = [
    key
    for key in dir(KunitameView)
    if not key.startswith("_")
    and not callable(getattr(KunitameView, key))
    and key not in ("rules", "box", "words")  # of the game, not of a seat
]


def _read(view: KunitameView, key: str) -> NDArray[Any]:
    """What a view tells; nothing where this is not the moment for it."""
    try:
        value = getattr(view, key)
    except (IndexError, ValueError):
        return np.zeros(0)
    return np.array(list(value.items()) if isinstance(value, dict) else value)
