"""The option that is worth most; a toss between equals is left to who asks."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.flags import flags_of, sets_of
from sim.masks import Flags, Masks
from sim.view import Rows, View

_Considered = tuple[Rows, Masks, NDArray[np.float64]]


class BestOptions:
    """The options that are worth most, of those considered so far.

    Worths that differ by no more than ``close`` are equal.
    """

    def __init__(self, rows: int, close: float = 0.0) -> None:
        self.worth: NDArray[np.float64] = np.full(rows, -np.inf)
        self.options: Masks = np.zeros(rows, dtype=np.uint64)
        self._close = close
        self._considered: list[_Considered] = []

    def consider(self, rows: Rows, options: Masks, worth: NDArray[np.float64]) -> None:
        """Options of these rows, (rows,) each, with what they are worth."""
        self._considered.append((rows, options, worth))
        best, held = self.worth.take(rows), self.options.take(rows)
        more = worth > best + self._close
        held = np.where(~more & (worth >= best - self._close), held | options, held)
        self.options[rows] = np.where(more, options, held)
        self.worth[rows] = np.where(more, worth, best)

    def consider_all(
        self, rows: Rows, options: Masks, worth: NDArray[np.float64]
    ) -> None:
        """Several options a row, none of them twice, where nothing is ``close``.

        Rows rise, and begin anew for each option; as ``consider`` of each in turn.
        """
        self._considered.append((rows, options, worth))
        before = self.worth.copy()
        np.maximum.at(self.worth, rows, worth)
        self.options[self.worth > before] = masks.NOTHING
        most = np.flatnonzero(worth == self.worth.take(rows))
        np.add.at(self.options, rows.take(most), options.take(most))

    def worth_of(self, of: Rows, answer: Masks) -> NDArray[np.float64]:
        """(answers,) what each option of a row was worth; 0 of those not considered."""
        found = np.zeros(len(of))
        for rows, options, worth in chain(*map(_one_a_row, self._considered)):
            every, gained = np.zeros_like(self.options), np.zeros(len(self.worth))
            every[rows], gained[rows] = options, worth
            here = (every.take(of) & answer) != masks.NOTHING
            np.copyto(found, gained.take(of), where=here)
        return found


def _one_a_row(considered: _Considered) -> Iterator[_Considered]:
    """The same, in parts that have no row twice."""
    begins = np.flatnonzero(np.diff(considered[0]) <= 0) + 1
    parts = (np.split(part, begins) for part in considered)
    yield from zip(*parts, strict=True)


def best(view: View, worth: NDArray[Any], close: float = 1e-4) -> Masks:
    """(rows,) the option of most worth (options, rows); a toss between equals."""
    most = sets_of(_most(flags_of(view.legal, len(worth)), worth, close))
    return view.toss(_some_of(view, most), legal=True)


def by_seat(view: View, worth: NDArray[Any]) -> NDArray[Any]:
    """(seats, rows) by the number of the seat, of what is by places to the left."""
    ahead = places_left(view.players).take(view.seat, axis=1) * len(view)
    place = ahead.reshape(view.players, -1) + np.arange(len(view))
    return worth.reshape(-1).take(place)


@lru_cache(maxsize=64)
def places_left(players: int) -> NDArray[np.int64]:
    """(seats, seats) how many places to the left of the second the first one sits."""
    seats = np.arange(players)
    return (seats[:, None] - seats) % players


def best_of(view: View, options: Masks, worth: NDArray[Any], close: float) -> Masks:
    """(rows,) those of the legal options that are worth most, by (options, rows).

    ``options`` (options,) are sets of alike ones; worths so close are equal.
    """
    sets = options[:, None]
    most = _most((view.legal & sets) != masks.NOTHING, worth, close)
    chosen = np.bitwise_or.reduce(np.where(most, sets, masks.NOTHING), axis=0)
    return _some_of(view, chosen & view.legal)


def _most(able: Flags, worth: NDArray[Any], close: float) -> Flags:
    """(options, rows) of those that are possible, the ones that are worth most."""
    worth = np.where(able, worth, -np.inf)
    able &= worth >= np.maximum.reduce(worth, axis=0) - close
    return able


def _some_of(view: View, chosen: Masks) -> Masks:
    """(rows,) the chosen ones; all legal ones where there are none."""
    if np.count_nonzero(chosen) == len(chosen):
        return chosen
    return masks.blend(chosen != masks.NOTHING, chosen, view.legal)
