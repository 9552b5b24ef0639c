"""What is hidden in Devil, and that its strategies do not see it."""

from collections import Counter

import numpy as np

from sim import masks
from sim.devil.state import Phase, State
from sim.devil.view import DevilView
from sim.masks import Masks
from strategies.random import Random
from tests.devil.plays import GAME, NAMES, PLAYS, started, table
from tests.games.hidden import Hidden, Spread
from tests.games.peeking import Look
from tests.games.plays import Changes, once

RULES = {"deck": "440", "target": 30, "voluntary_draw": True, "first_card_effect": True}
BASE = {"deck": "base", "voluntary_draw": False, "guard": 90}
HIDDEN = {"hands": 1000, "pile": 1000}


def low_cards(state: State) -> Masks:
    """Of the low half of the deck, those in the draw pile."""
    return state.pile & np.uint64(0xFFFFFFF)


def next_hand(state: State) -> Masks:
    """Some cards of the next player."""
    rows = np.arange(len(state.games))
    hand: Masks = state.hands[state.seat_after(state.seat, 1), rows]
    return hand & np.uint64(0x5555555555555555)


def public(state: State) -> Masks:
    """The discards, and how many cards there are elsewhere."""
    sizes = masks.count(state.hands).astype(np.uint64)
    return masks.join([state.under(), state.top, *sizes, masks.count(state.pile)])


class TestHidden(Hidden):
    plays = PLAYS
    rules, secret, amid = RULES, HIDDEN, Phase.TURN
    asked, least = frozenset(GAME.kinds), 100
    games, games_random, games_redealt = 12, 12, 40
    peek_at = (4, 100)

    def cases(self) -> list[tuple[str, int, Changes]]:
        tables = ((2, {"guard": 90}), (5, BASE))
        return [(name, *table) for name in NAMES for table in tables]

    def tables(self) -> tuple[int, ...]:
        return 2, 3, 8

    def peeks(self) -> list[tuple[str, Look, Changes]]:
        kinds, looks = ("play", "declare"), (low_cards, next_hand)
        return [(kind, look, {}) for look in looks for kind in kinds]

    def open_at(self) -> list[tuple[str, Look]]:
        return [("play", public), ("declare", public)]

    def known(self, state: State, other: State, seat: int) -> None:
        assert (other.under() == state.under()).all()
        assert (masks.count(other.pile) == masks.count(state.pile)).all()
        cards = once((*other.hands, other.pile, other.top, other.under()))
        assert (cards == state.layout.everything).all()

    def spread(self) -> Spread:
        state = PLAYS.until(Phase.TURN, started(None, 3, 4000), table())
        known = state.hands[0] | state.top
        return Spread(
            state,
            state.layout.deck,
            known,
            lambda other: [(other.hands[1], 4), (other.pile, 27)],
            35,
        )


def test_views_count_the_cards() -> None:
    """What a seat holds, what lies there, and what is elsewhere make up the deck."""
    seen = Counter[str]()

    class Counting(Random):
        def decide(self, view: DevilView) -> Masks:
            state: State = view._state
            rows = np.arange(len(state.games)) if view._rows is None else view._rows
            copies = view.layout.count(np.array([view.layout.everything]))
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


def test_a_card_more_in_hand_is_unknown() -> None:
    """The experiment gives one that the others do not see."""
    state = PLAYS.until(Phase.TURN, started(None, 3, 40), table())
    for shown in (state.voids, state.lacked):
        shown[:] = state.pile
    seat = np.ones(40, dtype=np.uint8)
    assert GAME.grants["hand cards"].give(state, seat).all()
    assert not state.voids[1].any()
    assert (masks.count(state.hands[1] & state.lacked[1]) == state.late[1]).all()
    assert (state.late[1] == 1).all()
    assert (state.voids[2] == state.lacked[2]).all()
