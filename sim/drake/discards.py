"""Discarding cards, and shuffling them back into the decks that they came from."""

import numpy as np

from sim.chance import Purpose
from sim.drake.layout import IN_PLAY, CardAction
from sim.drake.notes import tell_discard
from sim.drake.state import ONE, State
from sim.masks import Counts
from sim.table import Table
from sim.view import Rows


def discard_rightmost(
    state: State, table: Table, pile: int, rows: Rows, cause: str
) -> None:
    """Discard the rightmost card of a pile that has one."""
    if len(rows):
        tell_discard(state, table, rows, pile, cause)
        state.pile_end[pile, rows] -= ONE


def discard_in_play(
    state: State, table: Table, deck: int, rows: Rows, cause: str
) -> None:
    """Discard the card in play of a deck."""
    if len(rows):
        tell_discard(state, table, rows, deck, cause, in_play=True)
        state.in_play[deck, rows] = 0


def shuffle_back(
    state: State, rows: Rows, moment: int, kept: CardAction | None = None
) -> Counts:
    """Shuffle all discards into their decks; returns (rows,) how many.

    ``kept`` is a card just discarded that is left out. Two shuffles in one step need
    different ``moment`` numbers.
    """
    if not len(rows):
        return np.zeros(0, dtype=np.uint8)
    decks = range(len(state.layout.lines))
    first = np.stack([_set_apart(state, rows, deck, kept) for deck in decks])
    back = (state.top.take(rows, axis=1) - first).sum(axis=0, dtype=np.uint8)
    state.shuffle_from(first, rows, Purpose.DRAW, state.clock.tick * 2 + moment)
    state.top[:, rows] = first
    return back


def _set_apart(state: State, rows: Rows, deck: int, kept: CardAction | None) -> Counts:
    """Move ``kept`` before the other discards; returns (rows,) where those begin."""
    first = state.pile_end[deck].take(rows)
    last = state.top[deck].take(rows) - ONE
    if kept is not None and kept.deck == deck:
        if kept.place == IN_PLAY:  # a card out of a pile lies there already
            state.swap(first, last, rows)
        first += ONE
    if deck < len(state.in_play):
        here = np.flatnonzero(state.in_play[deck].take(rows))
        state.swap(first.take(here), last.take(here), rows.take(here))
        first += state.in_play[deck].take(rows)
    return first
