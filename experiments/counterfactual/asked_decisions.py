"""Decisions at which every option is tried: the games of a cell as they stood there.

Whoever tries options shares this listener and its branches. Changed players and grants
have listeners of their own: players are changed from where an answer first differs, and
a grant is given between decisions, so neither samples decisions nor tries options.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import Cell
from experiments.counterfactual.action_counts import Numbers, first_seat
from experiments.counterfactual.changed_players import End
from experiments.counterfactual.intervention import EveryOption, Intervention
from sim import games, masks
from sim.branches import Branch
from sim.listener import Choice
from sim.masks import Flags, Masks
from sim.view import Rows, View


@dataclass(frozen=True)
class Asked(Branch):
    """Decisions of one call, and the games as they stood there, (games,) each.

    decision: its number, of all those kept. game: that of the cell. place: where it
    started at the table. most: tokens or cards that an answer takes, or None. chosen:
    the answer.
    """

    decision: Rows
    game: Numbers
    place: Rows
    seat: NDArray[np.uint8]
    legal: Masks
    most: Any
    chosen: Masks

    def view(self) -> View:
        """Return what those who decide may know."""
        game = games.load(self.state.game_id)
        kind = game.kinds[self.kind]
        return game.view(self.state, kind, self.seat, None, self.legal, self.most)


class AskedDecisions(End):
    """Listens to games, and keeps (``kept``) those whose options are to be tried.

    Decisions with a single option are left out, unless another decision may follow
    (``EveryOption.then``): ``several`` counts those that are kept, ``total`` all. The
    cell's games start in these ``places`` of the table, and are numbered from ``first``
    on.
    """

    def __init__(
        self, tried: Intervention[EveryOption], cell: Cell, places: slice, first: int
    ) -> None:
        self._tried, self._when, self._do = tried, tried.when, tried.do
        self._cell, self._places, self._first = cell, places, first
        self.kept: list[Asked] = []
        self.total = self.several = 0
        kinds, size = tried.when.decisions, places.stop - places.start
        self._calls = dict.fromkeys(kinds, 0)  # of each kind so far
        # Own decisions of each kind so far, by game
        self._own_ones = {kind: np.zeros(size, dtype=np.uint64) for kind in kinds}

    def hears(self, name: str) -> bool:
        """Hear the decisions to try, and the result."""
        return name in self._when.decisions or super().hears(name)

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the games as they stand before the decision, and the answers."""
        kind, seat, legal, most, answer, asked, _ = choice
        if not self._when.now(state.clock.labels()):
            return
        own, number = self._own(state.start_rows)
        seat = np.broadcast_to(np.asarray(seat, dtype=np.uint8), legal.shape)
        tried = (asked & (legal != masks.NOTHING)).take(own)
        if self._tried.whose == "first":
            tried &= seat.take(own) == first_seat(self._cell, number)
        tried &= self._drawn(number, kind.name, tried)
        self.total += int(np.count_nonzero(tried))
        if not self._do.then:  # a bag may always stay empty
            few: Any = {"one": 1, "bag": 0, "sample": most}[kind.form]
            tried &= (masks.count(legal) > few).take(own)
        at, number = own.compress(tried), number.compress(tried)
        if len(at):
            bound = None if most is None else most.take(at)
            place, decision = (
                state.start_rows.take(at),
                self.several + np.arange(len(at)),
            )
            about = decision, number, place, seat.take(at)
            answers = legal.take(at), bound, answer.take(at)
            self.kept.append(Asked(state.branch(at), kind.name, *about, *answers))
            self.several += len(at)

    def _own(self, started: Rows) -> tuple[Rows, Numbers]:
        """Return the rows of the cell's games, and the numbers of these games."""
        begin, end = self._places.start, self._places.stop
        own = np.flatnonzero((started >= begin) & (started < end))
        return own, (started.take(own) + (self._first - begin)).astype(np.uint64)

    def _drawn(self, numbers: Numbers, kind: str, asked: Flags) -> Flags:
        """Return (games,) flags of those in which this decision is sampled."""
        when = self._when
        drawn: Flags = numbers % np.uint64(when.one_game_in) == 0
        if not when.one_in:
            return drawn
        if self._tried.whose == "first":
            at, turn = numbers - np.uint64(self._first), self._own_ones[kind]
            count = numbers // np.uint64(self._cell.players) + turn.take(at)
            turn[at] += asked
        else:
            count = numbers + np.uint64(self._calls[kind])
            self._calls[kind] += 1
        drawn &= count % np.uint64(when.one_in[when.decisions.index(kind)]) == 0
        return drawn
