"""What is hidden in Socialism, and that its strategies do not see it."""

import numpy as np
import pytest

from sim import masks
from sim.masks import Masks
from sim.socialism.state import Phase, State
from tests.games.hidden import Hidden, Spread
from tests.games.peeking import Look
from tests.games.plays import Changes, once
from tests.socialism.plays import GAME, NAMES, PLAYS, started, table

RULES = {
    "tokens": 12,
    "guard": 70,
    "actions": {"sherman-act": {"copies": 3}, "viral-post": {"copies": 3}},
    "users": {"jimmy": {"copies": 2}, "sloan": {"copies": 2}},
}
RARE = {"viral", "copy", "manage", "network", "victim", "colour", "front", "user"}
RARE |= {"friend", "lost", "member", "sherman"}
HIDDEN = {"hands": 250, "pile": 250}


def some_of_pile(state: State) -> Masks:
    """Some of the cards in the draw pile."""
    return state.pile & np.uint64(0x5555555555555555)


def next_hand(state: State) -> Masks:
    """Some cards of the next player."""
    rows = np.arange(len(state.games))
    hand: Masks = state.hands[state.seat_after(state.seat, 1), rows]
    return hand & np.uint64(0x5555555555555555)


def public(state: State) -> Masks:
    """What lies on the table, and how many cards there are elsewhere."""
    sizes = masks.count(state.hands).astype(np.uint64)
    return masks.join([state.board, state.discards, *state.tokens, *sizes])


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret, amid = RULES, HIDDEN, Phase.PLAY
    asked, least = frozenset(set(GAME.kinds) - RARE), 100
    games, games_random, games_redealt = 3, 10, 6
    step = 17
    peek_at = (4, 16)

    @pytest.mark.slow
    def test_all_kinds_of_decisions_are_watched(self) -> None:
        super().test_all_kinds_of_decisions_are_watched()

    def cases(self) -> list[tuple[str, int, Changes]]:
        return [(name, players, {"guard": 24}) for name in NAMES for players in (2, 5)]

    def tables(self) -> tuple[int, ...]:
        return 2, 3, 5

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        kinds, looks = ("play", "invite", "beside"), (some_of_pile, next_hand)
        return [(kind, look, {"guard": 24}) for look in looks for kind in kinds]

    def open_at(self) -> list[tuple[str, Look]]:
        return [("play", public)]

    def known(self, state: State, other: State, seat: int) -> None:
        assert (masks.count(other.pile) == masks.count(state.pile)).all()
        assert not (other.pile & state.held).any(), "that was not discarded"
        assert not (state.known & ~other.hands).any(), "everybody saw it taken"
        lies = masks.join(
            [state.discards, state.card, state.board & state.layout.cells]
        )
        cards = once((*other.hands, other.pile))
        assert not (cards & lies).any()
        assert (cards == once((*state.hands, state.pile))).all()

    def spread(self) -> Spread:
        state = PLAYS.until(Phase.TURN, started(None, 3, 4000), table())
        return Spread(
            state,
            state.layout.deck,
            state.hands[0],
            lambda other: [(other.hands[1], 3), (other.pile, 31)],
            37,
        )


def test_what_was_seen_of_hidden_cards_is_known() -> None:
    """Sloan taken into a hand, and cards in hands while the pile is made anew."""
    state = started(RULES, 3, 30)
    taken = old = 0
    for phase in PLAYS.stages(state, table()):
        for known, hand in zip(state.known, state.hands, strict=True):
            assert not (known & ~hand).any()
            taken += int(np.count_nonzero(known))
        assert not (state.held & ~masks.join(list(state.hands))).any()
        old += int(np.count_nonzero(state.held)) if phase is Phase.PLAY else 0
    assert taken > 10
    assert old > 50
