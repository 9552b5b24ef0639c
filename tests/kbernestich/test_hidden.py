"""No strategy sees what its seat may not know: to deal that anew changes nothing."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.hidden import redeal
from sim.kbernestich.play import STEPS
from sim.kbernestich.state import Phase, State
from sim.kbernestich.view import KbernestichView
from sim.masks import Masks
from strategies.random import Random
from strategies.registry import builtin
from tests.kbernestich.plays import GAME, started, table

RULES = {"rounds": 2, "tricks": 8, "future_known": True}
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

    def decide(self, view: KbernestichView) -> Masks:
        answer = self.inner.decide(view).copy()
        for salt in SALTS:
            other = self.inner.decide(anew(view, salt))
            if not (other == answer).all():
                row = int(np.flatnonzero(other != answer)[0])
                raise Seen(f"{self.title} at {view.kind.name}, row {row}, {view.time}")
        self.asked[view.kind.name] += len(view)
        return answer


def anew(view: KbernestichView, salt: int) -> KbernestichView:
    """The same decision with all that the seat cannot see dealt anew."""
    state: State = view._state
    rows = np.arange(len(state.games)) if view._rows is None else view._rows
    seat = np.zeros(len(state.games), dtype=np.uint8)
    seat[rows] = view.seat
    other = redeal(state, seat, salt)
    return KbernestichView(
        other, view.kind, view.seat, view._rows, view.legal.copy(), view._most
    )


def caught(
    player: Any, players: int = 4, games: int = 25, *, memories: bool = False
) -> Counter[str]:
    """Play with a watched player in all seats; what it was asked."""
    watched = Watched(player)
    rules = {**RULES, "memories": memories}
    GAME.play(started(rules, players, games, seed=players), table([watched]))
    return watched.asked


@pytest.mark.parametrize("memories", [False, True])
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", builtin("kbernestich"))
def test_strategy_is_blind_to_hidden_cards(
    name: str, players: int, *, memories: bool
) -> None:
    strategy = builtin("kbernestich")[name]()
    asked = caught(strategy, players, memories=memories)
    assert {"trump", "claim", "plot", "play"} <= asked.keys()


def test_all_kinds_of_decisions_are_watched() -> None:
    assert caught(Random()).keys() == GAME.kinds.keys()


# --- Planted: strategies that peek --------------------------------------------------

What = Callable[[State], NDArray[Any]]


@dataclass(frozen=True)
class Peek(Random):
    """Looks at what it may not see, at one kind of decision."""

    name = "peek"
    kind: str = "play"
    what: What = lambda state: state.hands[0]

    def decide(self, view: KbernestichView) -> Masks:
        right = super().decide(view)
        if view.kind.name != self.kind:
            return right
        seen = view.common(self.what(view._state)).astype(np.uint64)
        odd = (masks.count(seen) & 1) == 1
        return masks.blend(odd, masks.lowest(view.legal), masks.highest(view.legal))


def next_hand(state: State) -> Masks:
    """Some cards of whoever plays last in the trick."""
    return state.fan[state.players - 1] & np.uint64(0x5555555555555555)


def set_aside(state: State) -> Masks:
    """The red cards that nobody holds; Review shows them to one."""
    return state.rest & state.box.suits[1]


def won(state: State) -> Masks:
    """The low half of the cards that the first seat won."""
    return state.won[0] & np.uint64(0x3F03F03F03F)


def face_down(state: State) -> Masks:
    """The red and yellow cards that lie face down."""
    return state.down & (state.box.suits[1] | state.box.suits[2])


@pytest.mark.parametrize(
    ("kind", "what", "memories"),
    [
        *((k, next_hand, False) for k in ("trump", "claim", "plot", "play")),
        *((k, set_aside, False) for k in ("trump", "claim", "plot", "play")),
        ("play", face_down, False),
        ("plot", won, True),
        ("play", won, True),
    ],
)
def test_peeking_is_caught(kind: str, what: What, *, memories: bool) -> None:
    with pytest.raises(Exception, match=f"peek.* at .?{kind}"):
        caught(Peek(kind=kind, what=what), games=200, memories=memories)


@pytest.mark.parametrize("kind", ["plot", "play"])
def test_looking_at_what_is_public_is_no_peeking(kind: str) -> None:
    def public(state: State) -> Masks:
        return masks.join([state.won[0], state.sheet, state.trump, *state.cards])

    assert caught(Peek(kind=kind, what=public))[kind] > 0


# --- What a redeal is ---------------------------------------------------------------

HIDDEN = {"fan", "rest", "down"}


def moments(players: int, games: int = 60, *, memories: bool = False) -> list[State]:
    """States before every step of a game."""
    rules = {**RULES, "memories": memories}
    state, desk, found = started(rules, players, games, seed=9), table(), []
    while state.clock.phase is not Phase.OVER:
        if state.clock.phase is not Phase.DEAL:
            found.append(state.copy())
        STEPS[state.clock.phase](state, desk)
    return found


@pytest.mark.parametrize("memories", [False, True])
@pytest.mark.parametrize("players", [3, 4])
def test_redeal_keeps_what_the_seat_knows(players: int, *, memories: bool) -> None:
    changed = 0
    for number, state in enumerate(moments(players, memories=memories)):
        seat = number % players
        before = arrays(state.copy())
        other = redeal(state, seat, number)
        for key, value in before.items():
            now = vars(state)[key]
            assert (now == value).all(), f"redeal changed {key} of the original"
            if key not in (HIDDEN | ({"won"} if memories else set())):
                assert (vars(other)[key] == value).all(), f"{key} is no secret"
        assert other.clock == state.clock
        assert (other.hands[seat] == state.hands[seat]).all()
        assert (other.won[seat] == state.won[seat]).all()
        mine = state.placed[seat]
        looked = ((mine & state.box.square("review")) != 0) & ~state.reviewing
        assert (other.rest == state.rest)[looked].all()
        downed = (mine & state.box.square("incubation")) != 0
        assert (other.down == state.down)[downed].all()
        for one, two in zip(places(other), places(state), strict=True):
            assert (masks.count(one) == masks.count(two)).all()
        assert (masks.join(places(other)) == state.box.everything).all()
        changed += int(np.count_nonzero(other.fan != state.fan))
    assert changed > 1000


def arrays(state: State) -> dict[str, NDArray[Any]]:
    return {k: v for k, v in vars(state).items() if isinstance(v, np.ndarray)}


def places(state: State) -> list[Masks]:
    """Wherever a card can be; all places together hold each card once."""
    return [*state.fan, *state.won, *state.cards, state.down, state.rest]


def test_redeal_may_give_each_hidden_card_to_each_hidden_place() -> None:
    state, desk = started(None, 3, 4000), table()
    while state.clock.phase is not Phase.TRUMP:
        STEPS[state.clock.phase](state, desk)
    own, other = state.hands[0], redeal(state, 0, 5)
    for number in state.box.deck:
        lone = masks.bit(number)
        hidden = (own & lone) == 0
        for place, size in ((other.hands[1], 11), (other.rest, 3)):
            share = ((place & lone)[hidden] != 0).mean()
            assert abs(share - size / 25) < 0.04
    assert (redeal(state, 0, 5).fan == other.fan).all()
    assert (redeal(state, 0, 6).fan != other.fan).any()


def test_seats_may_differ_by_game() -> None:
    state, desk = started(RULES, 4, 60), table()
    while state.clock.phase is not Phase.PLAY:
        STEPS[state.clock.phase](state, desk)
    seat = (np.arange(60) % 4).astype(np.uint8)
    own, other = np.arange(4)[:, None] == seat, redeal(state, seat, 3)
    assert (other.hands == state.hands)[own].all()
    assert (other.hands != state.hands)[~own].any()


# --- What a view tells --------------------------------------------------------------

KEYS = [
    key
    for key in dir(KbernestichView)
    if not key.startswith("_")
    and not callable(getattr(KbernestichView, key))
    and key not in ("rules", "box", "words")  # of the game, not of a seat
]


@pytest.mark.parametrize("memories", [False, True])
def test_views_show_no_secret(*, memories: bool) -> None:
    """Whatever a view tells is the same after a redeal, property by property."""
    told = Counter[str]()

    class Reader(Random):
        def decide(self, view: KbernestichView) -> Masks:
            other = anew(view, 7)
            for key in KEYS:
                one, two = getattr(view, key), getattr(other, key)
                assert np.array_equal(one, two), f"{key} at {view.kind.name}"
                told[key] += np.size(one)
            return super().decide(view)

    GAME.play(started({**RULES, "memories": memories}, 4, 40), table([Reader()]))
    assert set(told) == set(KEYS)
    assert all(told.values())
