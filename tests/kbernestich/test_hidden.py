"""What is hidden in Kbernestich, and that its strategies do not see it."""

from collections.abc import Mapping

import numpy as np

from sim import masks
from sim.kbernestich.state import Phase, State
from sim.masks import Masks
from tests.games.hidden import Hidden, Spread
from tests.games.peeking import Look
from tests.games.plays import Changes, once
from tests.kbernestich.plays import PLAYS, started, table

RULES = {"rounds": 2, "tricks": 8, "future_known": True}
MEMORIES = {"memories": True}
HIDDEN = {"hands_by_turn": 1000, "rest": 1000, "down": 10}


def next_hand(state: State) -> Masks:
    """Some cards of whoever plays last in the trick."""
    return state.hands_by_turn[state.players - 1] & np.uint64(0x5555555555555555)


def set_aside(state: State) -> Masks:
    """The red cards that nobody holds; Review shows them to one."""
    return state.rest & state.layout.suits[1]


def won(state: State) -> Masks:
    """The low half of the cards that the first seat won."""
    return state.won[0] & np.uint64(0x3F03F03F03F)


def face_down(state: State) -> Masks:
    """The red and yellow cards that lie face down."""
    return state.down & (state.layout.suits[1] | state.layout.suits[2])


def public(state: State) -> Masks:
    """Tricks won, the sheet, the trump and the cards on the table."""
    return masks.join([state.won[0], state.sheet, state.trump, *state.cards])


def places(state: State) -> list[Masks]:
    """Wherever a card can be; all places together hold each card once."""
    return [*state.hands_by_turn, *state.won, *state.cards, state.down, state.rest]


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret, amid = RULES, HIDDEN, Phase.PLAY
    variants = ({"memories": False}, MEMORIES)
    asked = frozenset({"trump", "claim", "plot", "play"})

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        kinds = ("trump", "claim", "plot", "play")
        return [
            *((kind, look, {}) for look in (next_hand, set_aside) for kind in kinds),
            ("play", face_down, {}),
            ("plot", won, MEMORIES),
            ("play", won, MEMORIES),
        ]

    def open_at(self) -> list[tuple[str, Look]]:
        return [("plot", public), ("play", public)]

    def hides(self, changes: Changes) -> Mapping[str, int]:
        return {**HIDDEN, "won": 1000} if changes["memories"] else HIDDEN

    def known(self, state: State, other: State, seat: int) -> None:
        assert (other.won[seat] == state.won[seat]).all()
        mine = state.placed[seat]
        looked = ((mine & state.layout.square("review")) != 0) & ~state.reviewing
        assert (other.rest == state.rest)[looked].all()
        downed = (mine & state.layout.square("incubation")) != 0
        assert (other.down == state.down)[downed].all()
        for one, two in zip(places(other), places(state), strict=True):
            assert (masks.count(one) == masks.count(two)).all()
        assert (once(places(other)) == state.layout.everything).all()

    def spread(self) -> Spread:
        state = PLAYS.until(Phase.TRUMP, started(None, 3, 4000), table())
        return Spread(
            state,
            state.layout.deck,
            state.hands[0],
            lambda other: [(other.hands[1], 11), (other.rest, 3)],
            25,
        )
