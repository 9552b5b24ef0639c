"""Victory: the checks after a card is played, and after an action."""

import numpy as np

from sim.drake.discards import shuffle_back
from sim.drake.layout import (
    DECK,
    NO_DECK,
    NO_VIRTUE,
    OF_PILE,
    PRIDE,
    STALEMATE,
    VIRTUES,
)
from sim.drake.notes import tell_shuffle
from sim.drake.state import State
from sim.masks import Flags
from sim.table import Table
from sim.view import Rows


def check_pile(state: State, table: Table, pile: int, received: Flags) -> None:
    """A Virtue wins if its pile "ever contains seven"; (games,) received a card.

    Reading V2: a full pile that stays full does not win again.
    """
    full = received & (state.pile_end[pile] >= state.layout.goals[pile])
    succeed(state, table, np.flatnonzero(full), OF_PILE[pile], pile)


def check_deck(state: State, table: Table, deck: int, ran_out: Flags) -> None:
    """Pride wins "if any of the decks is ever exhausted before" that."""
    out = ran_out & state.goes_on & (state.top[deck] == state.layout.lines[deck].stop)
    succeed(state, table, np.flatnonzero(out), PRIDE, DECK, deck)


def succeed(
    state: State, table: Table, rows: Rows, virtue: int, by: int, deck: int = NO_DECK
) -> None:
    """Have a Virtue win in these rows; by update I an absent one does not at first."""
    if len(rows) and state.rules.ruleset == "update_I":
        rows = _absent_first(state, table, rows, virtue, by)
    end(state, rows, by, virtue, deck)


def _absent_first(state: State, table: Table, rows: Rows, virtue: int, by: int) -> Rows:
    """If it "is not in play", all discards are shuffled back, "once per Virtue".

    Returns the rows in which the Virtue does win.
    """
    absent = state.holder[virtue].take(rows) < 0
    spent = state.spent[virtue].take(rows)
    first = rows.compress(absent & ~spent)
    state.spent[virtue, first] = True
    back = shuffle_back(state, first, moment=int(by == DECK))
    tell_shuffle(state, table, first, VIRTUES[virtue], back)
    if state.rules.absent_second_win == "ignored":
        return rows.compress(~absent)
    return rows.compress(~absent | spent)


def end(state: State, rows: Rows, by: int, virtue: int, deck: int = NO_DECK) -> None:
    """End these games: how, and by which Virtue, whoever holds it."""
    if len(rows):
        state.ending[rows] = by
        state.won[rows] = virtue
        state.ran_out[rows] = deck
        state.turns[rows] = state.clock.turn - (by == STALEMATE)


def leave(state: State, rows: Rows) -> None:
    """Record games that are over in ``ends``."""
    virtue = state.won.take(rows)
    winner = state.holder[np.minimum(virtue, PRIDE), rows]
    winner[virtue == NO_VIRTUE] = -1
    state.ends.write(
        state.spot.take(rows),
        by=state.ending.take(rows),
        virtue=virtue,
        winner=winner,
        turns=state.turns.take(rows),
        deck=state.ran_out.take(rows),
        sizes=state.sizes(rows),
    )
