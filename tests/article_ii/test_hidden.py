"""What is hidden in Article II, and that its strategies do not see it."""

import numpy as np

from sim import masks
from sim.article_ii.state import State, Step
from sim.masks import Masks
from tests.article_ii.plays import (
    NAMES,
    PLAYERS,
    PLAYS,
    each_card_once,
    in_deck,
    started,
    table,
)
from tests.games.hidden import Hidden, Spread
from tests.games.peeking import Look
from tests.games.plays import Changes

STYLES = {"cards": {"great-debater": {"copies": 4}, "teflon-wonder": {"copies": 4}}}
RULES = {**STYLES, "necromancer_target": "chosen"}
"""A deck in which kinds of decisions are frequent."""
OFTEN = {"cards": {**STYLES["cards"], "necromancer": {"copies": 7}}}

HIDDEN = {"hands": 500, "stack": 500}


def first_hand(state: State) -> Masks:
    """Some of the cards of the first seat."""
    return state.hands[0] & np.uint64(0x5555555555555555)


def next_card(state: State) -> Masks:
    """The card on top of the deck, as so many bits."""
    slot = (state.top & np.uint8(63)).astype(np.int64)
    number = state.stack[slot, np.arange(len(state.games))]
    return (masks.ONE << (number % np.uint8(64)).astype(np.uint64)) - masks.ONE


def public(state: State) -> Masks:
    """What lies on players, and the discard pile."""
    return masks.join([*state.lying, state.discard])


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret, amid = RULES, HIDDEN, Step.TURN
    asked = frozenset({"play", "target"})
    games, games_random, games_redealt = 60, 50, 30
    often = OFTEN
    peek_at, step = (3, 60), 4

    def cases(self) -> list[tuple[str, int, Changes]]:
        others = [name for name in NAMES if name != "allround"]
        return [
            *((name, PLAYERS[number % 3], {}) for number, name in enumerate(others)),
            *(("allround", players, {}) for players in PLAYERS),
        ]

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        kinds = ("play", "second", "target", "remove", "react")
        return [(kind, look, {}) for kind in kinds for look in (first_hand, next_card)]

    def open_at(self) -> list[tuple[str, Look]]:
        return [("play", public), ("target", public)]

    def known(self, state: State, other: State, seat: int) -> None:
        each_card_once(other)
        each_card_once(state)

    def spread(self) -> Spread:
        state = PLAYS.until(Step.TURN, started(None, 3, 3000), table())
        return Spread(
            state,
            list(masks.members(int(state.layout.everything))),
            state.hands[0],
            lambda other: [(h, 7) for h in other.hands[1:]] + [(in_deck(other), 30)],
            44,
        )
