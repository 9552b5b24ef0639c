"""What is hidden in Kunitame, and that its strategies do not see it."""

import numpy as np

from sim import masks
from sim.kunitame.state import Phase, State
from sim.kunitame.view import KunitameView
from sim.masks import Flags, Masks
from tests.games.hidden import Hidden, Spread
from tests.games.peeking import Look
from tests.games.plays import Changes, once
from tests.kunitame.plays import PLAYS, started, table

RULES = {"removed_pledge": "none", "weeks": 2, "rounds": 6, "devil_ranks": 5}
HIDDEN = {"hands_by_turn": 1000, "stakes": 100}


def next_hand(state: State) -> Masks:
    """The low cards of whoever plays last in the trick."""
    return state.hands_by_turn[state.players - 1] & np.uint64(0x5555555555555555)


def set_aside(state: State) -> Masks:
    """The red cards that nobody holds."""
    held = np.bitwise_or.reduce(state.hands, axis=0)
    return ~held & state.layout.suits[1]


def secret(state: State) -> Masks:
    """The contract of the first seat, while the others make theirs."""
    return state.stakes[0]


def public(state: State) -> Masks:
    """Cards played, gems on the board and lives."""
    return state.played ^ state.gems_1 ^ state.gems_3 ^ state.life[0]


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret, amid = RULES, HIDDEN, Phase.PLAY
    asked = frozenset({"contract", "play", "claim", "bonus", "return"})
    games, games_random, games_redealt = 150, 150, 80
    peek_at = (4, 150)

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        # At liquidation the hands have been dropped: no card is hidden any more.
        kinds = ("contract", "play", "claim", "return")
        return [
            *((kind, look, {}) for look in (next_hand, set_aside) for kind in kinds),
            ("contract", secret, {}),
        ]

    def open_at(self) -> list[tuple[str, Look]]:
        return [("contract", public), ("play", public)]

    def pick(self, view: KunitameView, odd: Flags) -> Masks:
        if view.kind.form != "bag":
            return super().pick(view, odd)
        one = np.minimum(view.most, 1)
        return masks.where(odd, view.stake(np.zeros(len(view), dtype=int), one))

    def dealt(self, state: State, stage: Phase) -> bool:
        return state.clock.week > 0 or stage is not Phase.DEAL

    def known(self, state: State, other: State, seat: int) -> None:
        assert (other.stakes[seat] == state.stakes[seat]).all()
        if state.clock.phase is not Phase.CONTRACT:
            assert (other.stakes == state.stakes).all(), "contracts are revealed"
        for part in (state.layout.devils, ~state.layout.devils):
            size = masks.count(state.hands & part)
            assert (masks.count(other.hands & part) == size).all()
        trick = state.cards if state.clock.phase is Phase.PLAY else []
        cards = once((*other.hands, other.played, *trick))
        assert not (cards & ~state.layout.everything).any()

    def spread(self) -> Spread:
        state = started({"weeks": 1}, 3, 4000)
        PLAYS.until(Phase.CONTRACT, state, table())
        state.clock.turn = 0
        return Spread(
            state,
            list(masks.members(state.layout.ability | state.layout.priests)),
            state.hands[0],
            lambda other: [(other.hands[1], 7), (other.hands[2], 7)],
            35,
        )
