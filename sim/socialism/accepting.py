"""Who accepts an invitation, and on which faces of the die."""

import numpy as np

from sim import masks
from sim.masks import Counts, Flags, Mask, Masks
from sim.socialism.board import parts_of
from sim.socialism.layout import BLOCK, FEATURE, IPO, via
from sim.socialism.state import Numbers, Rows, State

_SIX_ONLY = np.uint8(0b100000)


def features(state: State, rows: Rows = None) -> Numbers:
    """(rows,) by what lies before the active seat: 1 an IPO, plus 2 a New feature."""
    front = state.own(state.front, rows)
    found: Numbers = ((front & state.layout.kinds[FEATURE]) != 0).astype(np.int64)
    found += found
    found |= (front & state.layout.kinds[IPO]) != 0
    return found


def acceptors(state: State, rows: Rows = None, spam: bool = False) -> Masks | Mask:
    """(rows,) or for all: who accepts on any face of the die, Members or not."""
    of = state.layout.spam if spam else state.layout.personal
    if not state.rules.newfeature_beats_never:
        return of[0]
    return of.take(features(state, rows))


def may_spam(state: State, rows: Rows = None) -> Flags:
    """(rows,) whether no SMTP Block List lies before the active seat."""
    front = state.own(state.front, rows)
    flags: Flags = (front & state.layout.kinds[BLOCK]) == 0
    return flags


def reached_by_spam(state: State, rows: Rows = None) -> Masks:
    """(rows,) who may be spammed, by a seat that may.

    Reading S9: on a board in parts, only those parts where the seat has a Member.
    """
    board, mine = state.some(state.board, rows), state.own(state.tokens, rows)
    if state.rules.split_blocks_spam:
        where = np.arange(len(state.games)) if rows is None else rows
        whole = parts_of(state, where, masks.lowest(board)) == board
        reach = parts_of(state, where, mine)
        board = masks.blend(whole, board, reach)
    return board & acceptors(state, rows, spam=True) & ~mine


def faces(
    state: State, rows: Numbers, way: int, inviter: Numbers | Counts, target: Numbers
) -> Counts:
    """(rows,) the faces on which the target joins, a bit each.

    ``inviter`` is ``box.nobody`` for spam and for the IPO.
    """
    layout = state.layout
    if way == via("ipo"):
        return np.full(len(rows), _SIX_ONLY)
    place = features(state, rows) * (layout.size + 1)
    place += inviter
    place *= layout.size
    place += target
    return layout.faces.take(place)
