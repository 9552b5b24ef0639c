"""Actions on cards: "as an action"."""

import numpy as np

from sim.drake.discards import discard_in_play, discard_rightmost, shuffle_back
from sim.drake.layout import IN_PLAY, CardAction
from sim.drake.notes import tell_shuffle
from sim.drake.state import ONE, State
from sim.masks import Flags
from sim.table import Table
from sim.view import Rows


def usable(state: State, action: CardAction) -> Flags:
    """(games,) whether the card lies where its action can be used."""
    if action.place == IN_PLAY:
        rows = np.flatnonzero(state.in_play[action.deck])
        found = np.zeros(len(state.games), dtype=np.bool_)
        found[rows] = state.before_top(action.deck, rows) == action.card
        return found
    line = state.layout.lines[action.deck]
    found = state.cards[line] == action.card
    positions = np.arange(line.start, line.stop, dtype=np.uint8)[:, None]
    found &= positions < state.pile_end[action.deck]
    some: Flags = found.any(axis=0)
    return some


def use(state: State, table: Table, action: CardAction, rows: Rows) -> None:
    """Use the card in these rows: its cost first, then its effect."""
    if not len(rows):
        return
    if action.pays:
        _pay(state, table, action, rows)
    _EFFECTS[action.effect](state, table, action, rows)


def _pay(state: State, table: Table, action: CardAction, rows: Rows) -> None:
    """Discard the card; of several copies in a pile, the rightmost."""
    deck = action.deck
    if action.place == IN_PLAY:
        discard_in_play(state, table, deck, rows, "cost")
        return
    line = state.layout.lines[deck]
    positions = np.arange(line.start, line.stop, dtype=np.uint32)
    end = state.pile_end[deck].take(rows).astype(np.uint32)[:, None]
    copies = (action.card == state.cards[line, rows].T) & (positions < end)
    paid = np.where(copies, positions, 0).max(axis=1, keepdims=True)
    keys = np.where(positions == paid, 2 * end - 1, 2 * positions)
    state.arrange(line, rows, keys)
    discard_rightmost(state, table, deck, rows, "cost")


def _shuffle(state: State, table: Table, action: CardAction, rows: Rows) -> None:
    """Shuffle all discards "back into their decks"; V8: this card too, or not."""
    kept = None if state.rules.sangria_returns or not action.pays else action
    back = shuffle_back(state, rows, moment=0, kept=kept)
    tell_shuffle(state, table, rows, state.layout.ids[action.card], back)


def _discard_rightmost(
    state: State, table: Table, action: CardAction, rows: Rows
) -> None:
    """Discard the rightmost card of a pile, if there is one."""
    start = state.layout.lines[action.where].start
    some = rows.compress(state.pile_end[action.where].take(rows) > start)
    discard_rightmost(state, table, action.where, some, "effect")


def _discard_in_play(
    state: State, table: Table, action: CardAction, rows: Rows
) -> None:
    """Discard the Maiden or the Knight in play, if there is one."""
    some = rows.compress(state.in_play[action.where].take(rows) == 1)
    discard_in_play(state, table, action.where, some, "effect")


def _swap_rightmost(state: State, table: Table, action: CardAction, rows: Rows) -> None:
    """Swap the two rightmost cards of a pile, if there are two."""
    start = state.layout.lines[action.where].start
    end = state.pile_end[action.where].take(rows)
    two = np.flatnonzero(end > start + 1)
    end = end.take(two)
    state.swap(end - ONE, end - ONE - ONE, rows.take(two))


_EFFECTS = {
    "shuffle_all_discards": _shuffle,
    "discard_rightmost": _discard_rightmost,
    "discard_in_play": _discard_in_play,
    "swap_rightmost": _swap_rightmost,
}
