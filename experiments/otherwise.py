"""What would have become of a game, had one decision been another.

Some decisions of a game are tried with each of their options: the game is copied where
it stands, this decision is told, and all that follows is played on by who sits there,
with the same chance. So two ends of the same decision differ by it alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.cells import Cell, Played
from experiments.scripted import Scripted
from sim import games, masks
from sim.masks import Flags, Masks
from sim.view import Rows, Seat


@dataclass(frozen=True)
class Otherwise:
    """Which decisions are tried.

    Those of the kinds ``first``, each together with the question that comes next where
    it is of the kinds ``then`` (a card, and on whom): an option is an answer to both.
    ``when`` is a moment of the clock, such as ("phase", 1). Tried are the games whose
    number is divisible by ``every``, which should share no divisor with the number of
    players: then a rotated lineup is tried in every seat.
    """

    first: tuple[str, ...]
    then: tuple[str, ...]
    when: tuple[str, int]
    every: int = 1


class _Moment(NamedTuple):
    """Games that stand at a decision, whose it is and what he may choose, (games,)."""

    state: Any
    seat: NDArray[np.uint8]
    legal: Masks

    def told(self, rows: Rows, script: Masks, end: Mapping[str, Any]) -> pl.DataFrame:
        """What was tried in these rows, and who won."""
        seat, many = self.seat.take(rows), len(rows)
        won = end["winner"] == seat
        if "winners" in end:
            won |= (end["winners"] >> seat.astype(np.uint64) & masks.ONE) != 0
        told = {
            unit: np.full(many, number, dtype=np.int16)
            for unit, number in self.state.clock.told().items()
        }
        return pl.DataFrame(
            {
                "game": self.state.games.take(rows),
                **told,
                "seat": seat,
                "option": script[0],
                "then": script[1],
                "winner": end["winner"].astype(np.int8),
                "won": won,
            }
        )


class Branches:
    """Listens to some games, and plays them on from each of the decisions to be tried.

    Of games whose rows are in step, and whose state can ``keep`` some of them.
    """

    def __init__(self, wanted: Otherwise) -> None:
        self._wanted = wanted
        self._moments: list[_Moment] = []

    def hears(self, name: str) -> bool:
        """The decisions to be tried."""
        return name in self._wanted.first

    def note(self, *_: object) -> None:
        """Never called: no note is heard."""

    def choice(
        self,
        state: Any,
        kind: object,
        seat: Seat,
        legal: Masks,
        most: object,
        answer: object,
        asked: Flags,
    ) -> None:
        """Keep the games as they stand before the decision."""
        unit, number = self._wanted.when
        rows = np.flatnonzero(asked & (state.games % self._wanted.every == 0))
        if state.clock.told()[unit] != number or not len(rows):
            return
        here = state.copy()
        here.keep(rows)
        seats = np.broadcast_to(np.asarray(seat, dtype=np.uint8), legal.shape)
        self._moments.append(_Moment(here, seats.take(rows), legal.take(rows)))

    def table(self, cell: Cell, played: Played) -> pl.DataFrame:
        """A row an option that was tried: game, time, seat, option, who won with it.

        ``option`` and ``then`` are its answers as masks. First each answer to the first
        question is tried, and the next one, ``then`` nothing, left to who decides. The
        other answers to that are tried where he wins with all of these, or with none.
        ``won`` is whether he wins, alone or not. Without columns if nothing was tried.
        """
        parts = [
            part
            for moment in self._moments
            for part in self._tried(cell, played, moment)
        ]
        return pl.concat(parts) if parts else pl.DataFrame()

    def _tried(
        self, cell: Cell, played: Played, moment: _Moment
    ) -> Iterator[pl.DataFrame]:
        """All that is tried of a moment."""
        game, kinds = games.load(cell.game), (self._wanted.first, self._wanted.then)
        rows, option = _each(moment.legal)
        script = np.stack([option, np.zeros_like(option)])
        desk = Scripted(game, played, kinds)
        desk.play(moment.state, rows, script)
        found = moment.told(rows, script, desk.end)
        yield found
        ends = np.zeros((2, len(moment.seat)), dtype=np.bool_)
        ends[found["won"].cast(int), rows] = True
        others, then = _each(masks.where(~ends.all(axis=0).take(rows), desk.others))
        if len(others):
            rows, script = rows.take(others), np.stack([option.take(others), then])
            desk.play(moment.state, rows, script)
            yield moment.told(rows, script, desk.end)


def _each(sets: Masks) -> tuple[Rows, Masks]:
    """Of which set each member is, and each member as a lone bit."""
    rows, bits = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint64)]
    left = sets.copy()
    while left.any():
        rows.append(np.flatnonzero(left))
        bits.append(masks.lowest(left.take(rows[-1])))
        left &= left - masks.ONE
    return np.concatenate(rows), np.concatenate(bits)
