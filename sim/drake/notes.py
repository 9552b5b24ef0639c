"""Announcing events of the Drake; nothing is computed if nobody listens."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.drake.layout import CAUSES, IN_PLAY, OF_PILE, PRIDE
from sim.drake.state import State
from sim.masks import Counts
from sim.table import Table
from sim.view import Rows

COUNTED = ("gullet", "lair", "bed", "maidens", "knights", "treasures")
"""Columns of tables: cards in each pile, and left in each deck."""


def tell_setup(state: State, table: Table) -> None:
    """Announce the Virtues, who starts, and the first card of each pile."""
    table.emit(state, "virtues", virtues=state.virtues)
    if state.rules.ruleset == "update_II":
        table.emit(state, "start", seat=state.order[0])
    if table.hears("piles"):
        first = [state.cards[line.start] for line in state.layout.lines]
        table.emit(state, "piles", cards=np.stack(first)[None])


def tell_card(state: State, table: Table, deck: int, rows: Rows) -> None:
    """Announce the card turned up."""
    _tell(state, table, "card", rows, card=state.before_top(deck, rows))


def tell_discard(
    state: State, table: Table, rows: Rows, deck: int, cause: str, in_play: bool = False
) -> None:
    """Announce a card to be discarded: the rightmost of a pile, or the one in play."""
    if not table.hears("discard"):
        return
    card = (state.before_top if in_play else state.rightmost)(deck, rows)
    where = np.full_like(card, IN_PLAY if in_play else deck)
    why = np.full_like(card, CAUSES.index(cause))
    _tell(state, table, "discard", rows, card=card, cause=why, **{"from": where})


def tell_shuffle(state: State, table: Table, rows: Rows, by: str, back: Counts) -> None:
    """Announce discards shuffled back, (rows,) how many, and by what."""
    if table.hears("shuffle"):
        code = np.full_like(back, state.layout.vocabularies["shuffler"].index(by))
        _tell(state, table, "shuffle", rows, by=code, cards=back)


def _tell(state: State, table: Table, name: str, rows: Rows, **fields: Any) -> None:
    """Announce an event of a turn in these rows, with the seat whose turn it is."""
    if len(rows):
        time: dict[str, Any] = state.clock.labels()
        seat = state.seat.take(rows)
        table.emit(state, name, rows=rows, **time, seat=seat, **fields)


def tell_turn(state: State, table: Table) -> None:
    """Announce the end of a turn in games that go on."""
    if table.hears("turn"):
        values = _counted(state.sizes())
        seat = state.seat
        table.emit(
            state, "turn", state.goes_on, **state.clock.labels(), seat=seat, **values
        )
    if table.hears("lacks"):
        lacks = _lacks(state.sizes(), state.virtues, state.rules.goal)
        table.emit(state, "lacks", state.goes_on, **state.clock.labels(), lacks=lacks)


def tell_results(state: State, table: Table) -> None:
    """Announce the results of all games, in the order in which they started."""
    ends = state.ends
    state.games = ends.games
    if table.hears("lacks"):
        lacks = _lacks(ends.sizes, ends.holds, state.rules.goal)
        table.emit(state, "lacks", turn=ends.turns, lacks=lacks)
    table.emit(
        state,
        "result",
        winner=ends.winner,
        by=ends.by,
        virtue=ends.virtue,
        deck=ends.deck,
        turns=ends.turns,
        holds=ends.holds,
        place=ends.place,
        **_counted(ends.sizes),
    )


def _lacks(sizes: Counts, virtues: Counts, goal: int) -> NDArray[np.int16]:
    """(seats, games) cards that each Virtue lacks: for its pile, or to empty a deck."""
    piles, decks, _ = sizes.astype(np.int16)
    each = np.empty((len(OF_PILE) + 1, piles.shape[1]), dtype=np.int16)
    each[list(OF_PILE)] = goal - piles
    each[PRIDE] = decks.min(axis=0)
    return np.take_along_axis(each, virtues.astype(np.intp), axis=0)


def _counted(sizes: Counts) -> dict[str, Any]:
    """Numbers of cards (3, 3, games) as fields of transcripts and of tables."""
    lists = dict(zip(("piles", "decks", "discards"), sizes[:, None], strict=True))
    return lists | dict(zip(COUNTED, sizes[:2].reshape(6, -1), strict=True))
