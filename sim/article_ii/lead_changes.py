"""Lead changes: which cards change who would win; for tables only.

A ``LeadTracker`` looks at the table before and after a card is placed on a player or
removed, and announces what that changed. If nobody listens it does nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.article_ii.elections import attributes_in
from sim.article_ii.layout import CANDIDATE, CHANGES, CONTENDS
from sim.article_ii.scoring import Numbers, general_totals, leaders, winner_flags
from sim.article_ii.state import State
from sim.masks import Counts, Masks
from sim.table import Table
from sim.view import Rows

_SEATS = np.arange(8, dtype=np.uint8)[:, None]
_ALONE = np.full(256, -1, dtype=np.int8)  # by set of seats, its only one
_ALONE[1 << _SEATS] = _SEATS


@dataclass(frozen=True)
class LeadTracker:
    """The totals and leader before a change; ``after`` announces what it did."""

    state: State
    table: Table
    rows: Rows
    totals: Numbers  # (seats, rows)
    leader: NDArray[np.int8]  # (rows,)

    def after(self, change: str, by: Counts, on: Counts, card: Masks) -> None:
        """Announce a change, ``placed`` or ``removed``."""
        if not len(self.rows):
            return
        state, rows = self.state, self.rows
        here = np.arange(len(rows))
        totals, leader = totals_and_leader(state, rows)
        mine, theirs = self.totals[by, here], self.totals[on, here]
        self.table.emit(
            state,
            "change",
            rows=rows,
            **state.clock.labels(),
            seat=by,
            on=on,
            card=card,
            change=np.full(len(rows), CHANGES.index(change), dtype=np.uint8),
            reaction=by != state.seat.take(rows),
            leader=self.leader,
            leader_after=leader,
            rank=(self.totals > theirs).sum(axis=0, dtype=np.uint8),
            own_rank=(self.totals > mine).sum(axis=0, dtype=np.uint8),
            gain=totals[on, here] - theirs,
            own_gain=totals[by, here] - mine,
        )


class _NoTracker:
    """Stands in for a tracker if nobody listens."""

    def after(self, change: str, by: Counts, on: Counts, card: Masks) -> None:
        """Do nothing."""


_NO_TRACKER = _NoTracker()


def track(state: State, table: Table, rows: Rows) -> LeadTracker | _NoTracker:
    """Start tracking a change in these rows, if somebody listens."""
    if not table.hears("change"):
        return _NO_TRACKER
    return LeadTracker(state, table, rows, *totals_and_leader(state, rows))


def tell_totals(state: State, table: Table, rows: Rows) -> None:
    """Announce totals after a turn of each player, and at the end of the phase."""
    if not table.hears("totals"):
        return
    clock = state.clock
    if (clock.turn + 1) % state.players:
        over = np.ones(len(state.games), dtype=np.bool_)
        over[state.going] = False
        rows = rows.compress(over.take(rows))
    if len(rows):
        totals, _ = totals_and_leader(state, rows)
        table.emit(state, "totals", rows=rows, **clock.labels(), totals=totals)


def totals_and_leader(state: State, rows: Rows) -> tuple[Numbers, NDArray[np.int8]]:
    """(seats, rows) totals of this phase, and (rows,) the sole leader; -1 for nobody.

    The leader would win the phase now; in the Primary, has the highest total.
    """
    traits = state.traits.take(rows, axis=1)
    if state.clock.phase == 0:
        now = attributes_in(state, rows, None)
        totals = now.electability + now.affiliation
        first = leaders(totals, np.ones(totals.shape, dtype=np.bool_))
    else:
        contenders = (traits & CONTENDS) != 0
        candidates = (traits & CANDIDATE) != 0
        now = attributes_in(state, rows, contenders)
        totals = general_totals(state.layout, traits, now, contenders)
        raw = state.electability.take(rows, axis=1)
        first = winner_flags(
            state.layout, traits, raw, now, totals, candidates, contenders
        )
    several: Counts = np.bitwise_or.reduce(
        first.view(np.uint8) << _SEATS[: len(first)], axis=0
    )
    return totals, _ALONE.take(several)
