"""What every run tells: wins, final numbers and how games end, of any game.

Made of the ``result`` note alone, which every game writes, and summed up as it
comes, so that it costs next to nothing beside the play.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.cells import Played

_CODES = {"winner", "by"}


class Summary:
    """Listens to the result of all games."""

    def __init__(self) -> None:
        self._fields: Mapping[str, Any] = {}

    def hears(self, name: str) -> bool:
        """Only the end is of interest."""
        return name == "result"

    def choice(self, *_: object) -> None:
        """Never called: no choice is heard."""

    def note(
        self, state: Any, name: str, where: object, fields: Mapping[str, Any]
    ) -> None:
        """Keep what the end was."""
        self._fields = fields

    def sums(self, played: Played) -> pl.DataFrame:
        """Sums by seat and by strategy, and of how games were decided.

        Columns: measure, seat, strategy, by, and those of ``reports.measures``.
        """
        rows = [*self._decided(played)]
        for name, value in self._fields.items():
            if value.ndim == 1 and value.dtype != np.uint64 and name not in _CODES:
                rows.append({"measure": name, **_sums_of(value, 1)})
        for name, value in self._numbers(played):
            rows += [*_by_seat(name, value), *_by_strategy(name, value, played)]
        if played.state.match > 1:
            rows += _matches(self._fields["points"], played)
        return pl.DataFrame(rows, schema=_SCHEMA)

    def _numbers(self, played: Played) -> Iterator[tuple[str, NDArray[Any]]]:
        """(seats, games) each: ``won``, then numbers by seat, and who is in a set."""
        seats = np.arange(played.state.players, dtype=np.int8)[:, None]
        yield "won", self._fields["winner"] == seats
        for name, value in self._fields.items():
            if value.ndim == 2:
                yield name, value
            elif value.dtype == np.uint64:
                yield name, _flags(value, seats)

    def _decided(self, played: Played) -> Iterator[dict[str, Any]]:
        counts = np.bincount(self._fields["by"]).tolist()
        for code, count in enumerate(counts):
            if count:
                how = played.state.words["by"][code]
                ones = dict.fromkeys(("y", "x", "yy", "xx", "xy", "games"), count)
                yield {"measure": "decided", "by": how, **ones}


def _flags(sets: NDArray[np.uint64], seats: NDArray[Any]) -> NDArray[Any]:
    """(seats, games) who is in a set of seats."""
    return sets >> seats.astype(np.uint64) & np.uint64(1)


_SUMS = ("y", "x", "yy", "xx", "xy", "games")
_SCHEMA = {
    "measure": pl.String,
    "seat": pl.Int64,
    "strategy": pl.String,
    "by": pl.String,
    **dict.fromkeys(_SUMS, pl.Float64),
}


def _by_seat(name: str, value: NDArray[Any]) -> Iterator[dict[str, Any]]:
    for seat, mine in enumerate(value):
        found = _sums_of(mine.astype(np.uint32), 1)
        yield {"measure": f"{name} by seat", "seat": seat, **found}


def _by_strategy(
    name: str, value: NDArray[Any], played: Played
) -> Iterator[dict[str, Any]]:
    """Each game's total over the seats of a strategy; it has as many in every game."""
    for number, strategy in enumerate(played.lineup):
        here = played.sitting == number
        total = (value * here).sum(axis=0, dtype=np.uint32)
        found = _sums_of(total, int(here[:, 0].sum()))
        yield {"measure": f"{name} by strategy", "strategy": strategy.title, **found}


def _matches(
    points: NDArray[np.integer[Any]], played: Played
) -> Iterator[dict[str, Any]]:
    """Who has most points after the games of a match, by where he sat in the first.

    With rotation a player moves on by a seat each game. Equals have won alike; games
    that begin or end within a match are left out.
    """
    size, seats = played.state.match, len(points)
    first = -int(played.state.games[0]) % size
    whole = (points.shape[1] - first) // size
    if whole <= 0:
        return
    games = first + np.arange(whole * size).reshape(whole, size)
    number = np.arange(size) if played.rotate else np.zeros(size, dtype=np.int64)
    for player in range(seats):
        where = (player - number) % seats
        total = points[where, games].sum(axis=1, dtype=np.int64)
        best = np.max(
            [points[(one - number) % seats, games].sum(axis=1) for one in range(seats)],
            axis=0,
        )
        found = _sums_of((total == best).astype(np.uint32), 1)
        yield {"measure": "match by seat", "seat": player, **found}


def _sums_of(value: NDArray[np.uint32], seats: int) -> dict[str, int]:
    """The sums of a ratio: of ``value`` (games,), and of ``seats`` in every game."""
    games, total = len(value), int(value.sum())
    exact = value.astype(np.float64)  # so far as squares add up to less than 2**53
    return {
        "y": total,
        "x": games * seats,
        "yy": int(np.dot(exact, exact)),
        "xx": games * seats**2,
        "xy": total * seats,
        "games": games,
    }
