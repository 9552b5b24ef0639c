"""What is hidden in the Drake: the order of the decks, and nothing else."""

import numpy as np

from sim.drake.layout import MAIDEN, NO_CARD
from sim.drake.state import Phase, State
from sim.drake.view import DrakeView
from sim.masks import Masks
from strategies.random import Random
from tests.drake.plays import GAME, PLAYS, started, table
from tests.games.hidden import Hidden
from tests.games.peeking import Look
from tests.games.plays import Changes

SMITH = {
    "deck": "knight",
    "strength": 2,
    "wealth": 1,
    "effect": "shuffle_all_discards",
    "use_from": "in_play",
    "copies": 3,
}
RULES = {"special.sangria-all.copies": 3, "special.smith": SMITH}


def next_maiden(state: State) -> Masks:
    """The Chastity of the top Maiden."""
    top = np.minimum(state.top[MAIDEN], state.layout.lines[MAIDEN].stop - 1)
    card = state.card_at(top, np.arange(len(state.games)))
    return state.layout.number("chastity", card).astype(np.uint64)


def rightmost(state: State) -> Masks:
    """The rightmost Maiden, whom everybody sees."""
    card = state.rightmost(MAIDEN, np.arange(len(state.games)))
    return state.layout.number("chastity", card).astype(np.uint64)


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret = RULES, {"cards": 1000}
    variants = ({}, {"ruleset": "update_I", "must_act": False})
    asked = frozenset(GAME.kinds)

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        return [(kind, next_maiden, {}) for kind in GAME.kinds]

    def open_at(self) -> list[tuple[str, Look]]:
        return [(kind, rightmost) for kind in GAME.kinds]

    def hands_known(self, state: State, other: State, seat: int) -> None:
        """Nobody holds a card."""

    def known(self, state: State, other: State, seat: int) -> None:
        positions = np.arange(state.layout.size)[:, None]
        for deck, line in enumerate(state.layout.lines):
            seen = positions[line] < state.top[deck]
            assert (other.cards[line] == state.cards[line])[seen].all()
            both = (np.sort(of.cards[line], axis=0) for of in (state, other))
            assert np.array_equal(*both)
        assert not any(wrong.any() for wrong in other.conserved().values())

    def test_redeal_may_give_each_hidden_card_to_each_hidden_place(self) -> None:
        """Each card left in a deck may lie anywhere in it."""
        state = PLAYS.until(Phase.PLAY, started(None, 3, 4000), table())
        other = GAME.redeal(state, 0, 5)
        for line, codes in zip(state.layout.lines, state.layout.codes, strict=True):
            for code in set(codes.tolist()):
                hidden = state.cards[line][1:] == code
                even = hidden.sum() / (len(codes) - 1) / 4000
                found = (other.cards[line][1:] == code).mean(axis=1)
                assert (abs(found - even) < 0.04).all()
        assert (GAME.redeal(state, 0, 5).cards == other.cards).all()
        assert (GAME.redeal(state, 0, 6).cards != other.cards).any()

    def test_seats_may_differ_by_game(self) -> None:
        """All seats know the same, so a redeal is the same whoever asks."""
        state = PLAYS.until(Phase.PLAY, started(None, 4, 60), table())
        seat = (np.arange(60) % 4).astype(np.uint8)
        other = GAME.redeal(state, seat, 3)
        assert (other.cards == GAME.redeal(state, 0, 3).cards).all()
        assert (other.cards != state.cards).any()


def test_views_tell_where_every_card_is() -> None:
    """What lies there, is in play, discarded and left makes up the decks."""
    seen = set[str]()

    class Counting(Random):
        def decide(self, view: DrakeView) -> Masks:
            state: State = view._state
            codes = np.concatenate(state.layout.codes)
            copies = np.bincount(codes, minlength=len(view.layout.ids))[:, None]
            found = view.left.astype(int) + view.gone
            for card in (*view.lying, *view.in_play):
                found[card, np.arange(len(view))] += card != NO_CARD
            assert (found == copies).all()
            for deck, name in enumerate(("maiden", "knight", "treasure")):
                own = np.array(view.layout.deck_of) == deck
                assert (view.left[own].sum(axis=0) == view.decks[deck]).all(), name
                assert (view.gone[own].sum(axis=0) == view.discards[deck]).all()
                lying = view.lying[view.layout.lines[deck]]
                size = view.piles[deck]
                assert ((lying != NO_CARD).sum(axis=0) == size).all()
                last = lying[np.maximum(size, 1) - 1, np.arange(len(view))]
                assert (view.rightmost[deck] == np.where(size, last, 0)).all()
            rows = np.arange(len(state.games)) if view._rows is None else view._rows
            seats = np.broadcast_to(np.asarray(view.seat), len(view))
            assert (view.virtues[0] == state.virtues[seats, rows]).all()
            assert (view.waits[view.virtues[0], np.arange(len(view))] == 0).all()
            absent = (view.waits == 255).sum(axis=0)
            assert (absent == 4 - view.players).all()
            seen.add(view.kind.name)
            return super().decide(view)

    for players in GAME.players:
        GAME.play(started(RULES, players, 40), table([Counting()]))
    assert seen == GAME.kinds.keys()
