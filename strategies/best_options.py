"""The best options by value; ties are kept, for the caller to break at random."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.flags import flags_of, sets_of
from sim.masks import Flags, Masks
from sim.observation import Worth
from sim.view import Rows, View

_Considered = tuple[Rows, Masks, NDArray[Any]]
_BITS = 64  # that an option may have


class BestOptions:
    """The options of highest value among those considered so far, row by row.

    Values that differ by no more than ``close`` are equal.
    """

    def __init__(self, rows: int, close: float = 0.0) -> None:
        self.worth: NDArray[np.float64] = np.full(rows, -np.inf)
        self.options: Masks = np.zeros(rows, dtype=np.uint64)
        self._close = close
        self._considered: list[_Considered] = []

    def consider(self, rows: Rows, options: Masks, worth: NDArray[np.float64]) -> None:
        """Consider one more option in these rows; options and worth are (rows,)."""
        self._considered.append((rows, options, worth))
        best, held = self.worth.take(rows), self.options.take(rows)
        more = worth > best + self._close
        held = np.where(~more & (worth >= best - self._close), held | options, held)
        self.options[rows] = np.where(more, options, held)
        self.worth[rows] = np.where(more, worth, best)

    def consider_all(
        self, rows: Rows, options: Masks, worth: NDArray[np.float64]
    ) -> None:
        """Consider several options per row in one call, where ``close`` is 0.

        Rows rise, and start again for each option; no option comes twice. Equivalent to
        one call of ``consider`` for each run of rising rows.
        """
        self._considered.append((rows, options, worth))
        before = self.worth.copy()
        np.maximum.at(self.worth, rows, worth)
        self.options[self.worth > before] = masks.NOTHING
        most = np.flatnonzero(worth == self.worth.take(rows))
        np.add.at(self.options, rows.take(most), options.take(most))

    def worth_of(self, of: Rows, answer: Masks) -> NDArray[np.float64]:
        """(answers,) the value of each answer, in row ``of``; 0 if not considered."""
        values = np.zeros(len(of))
        for rows, options, worth in chain(*map(_one_a_row, self._considered)):
            option, value = np.zeros_like(self.options), np.zeros(len(self.worth))
            option[rows], value[rows] = options, worth
            here = (option.take(of) & answer) != masks.NOTHING
            np.copyto(values, value.take(of), where=here)
        return values

    def worth_by_bit(self) -> Worth:
        """(option bits, rows) the value of each option; nan if not considered."""
        return worth_by_bit(len(self.worth), self._considered)


def worth_by_bit(rows: int, considered: Iterable[_Considered]) -> Worth:
    """(option bits, rows) what options are worth; nan where nothing is said.

    considered: rows, options of which each bit is worth so much, and the worth.
    """
    worth: Worth = np.full((_BITS, rows), np.nan)
    for at, options, value in considered:
        which, lone = masks.explode(options)
        worth[masks.index(lone), at.take(which)] = value.take(which)
    return worth


def _one_a_row(considered: _Considered) -> Iterator[_Considered]:
    """What was considered, in parts in which no row occurs twice."""
    begins = np.flatnonzero(np.diff(considered[0]) <= 0) + 1
    parts = (np.split(part, begins) for part in considered)
    yield from zip(*parts, strict=True)


def best(view: View, worth: NDArray[Any], close: float = 1e-4) -> Masks:
    """(rows,) the best legal option by worth (options, rows); ties broken at random."""
    most = sets_of(_most(flags_of(view.legal, len(worth)), worth, close))
    return view.toss(_some_of(view, most), legal=True)


def by_seat(view: View, worth: NDArray[Any]) -> NDArray[Any]:
    """(seats, rows) values by seat number, from values by places to the left."""
    ahead = places_left(view.players).take(view.seat, axis=1) * len(view)
    place = ahead.reshape(view.players, -1) + np.arange(len(view))
    return worth.reshape(-1).take(place)


@lru_cache(maxsize=64)
def places_left(players: int) -> NDArray[np.int64]:
    """(seats, seats) how many places to the left of the second the first one sits."""
    seats = np.arange(players)
    return (seats[:, None] - seats) % players


def best_of(view: View, options: Masks, worth: NDArray[Any], close: float) -> Masks:
    """(rows,) all best legal options, by worth (options, rows).

    ``options`` (options,) are sets of identical options; values within ``close`` are
    equal.
    """
    sets = options[:, None]
    most = _most((view.legal & sets) != masks.NOTHING, worth, close)
    chosen = np.bitwise_or.reduce(np.where(most, sets, masks.NOTHING), axis=0)
    return _some_of(view, chosen & view.legal)


def _most(able: Flags, worth: NDArray[Any], close: float) -> Flags:
    """(options, rows) flags of the best options among those that are possible."""
    worth = np.where(able, worth, -np.inf)
    able &= worth >= np.maximum.reduce(worth, axis=0) - close
    return able


def _some_of(view: View, chosen: Masks) -> Masks:
    """(rows,) the chosen options; all legal ones in rows without any."""
    if np.count_nonzero(chosen) == len(chosen):  # quicker than ``all`` of integers
        return chosen
    return masks.blend(chosen != masks.NOTHING, chosen, view.legal)
