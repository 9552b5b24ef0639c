"""What seats hold of a thing, what comes in and what goes out, as arrays."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from reports.counts import Array
from reports.course.standings import Standings

MOST = 12
"""The most times of a game (rounds, weeks) that are shown one by one."""


@dataclass(frozen=True, eq=False)
class Account:
    """What the seats of some games hold of a thing, time by time.

    ``game`` (rows,) is a number from 0 and ``time`` (rows,) one from 1. The others are
    integers (seats, rows): what a seat holds ``before``, what comes from each of the
    ``sources`` and goes to each of the ``sinks``, and what it holds ``after``.
    ``gained``: the points won meanwhile; ``first``: the number of game 0 in its run.
    """

    game: Array
    time: Array
    before: Array
    sources: Mapping[str, Array]
    sinks: Mapping[str, Array]
    after: Array
    gained: Array | None = None
    first: int = 0

    @classmethod
    def of_times(
        cls,
        sources: Mapping[str, Array],
        sinks: Mapping[str, Array],
        after: Array,
        start: Array | int = 0,
        gained: Array | None = None,
        first: int = 0,
    ) -> "Account":
        """Make the account of games in which all seats have the same times.

        All arrays are (times, seats, games). Before the first time a seat holds
        ``start``, then what it held after the time before.
        """
        times, _, games = after.shape
        before = np.empty(after.shape, dtype=np.int64)
        before[0], before[1:] = start, after[:-1]
        return cls(
            np.tile(np.arange(games), times),
            np.repeat(np.arange(1, times + 1), games),
            _by_seat(before),
            {name: _by_seat(values) for name, values in sources.items()},
            {name: _by_seat(values) for name, values in sinks.items()},
            _by_seat(after),
            None if gained is None else _by_seat(gained),
            first,
        )

    def rows(self, kept: Array) -> "Account":
        """Return some of the rows, by number."""
        return replace(
            self,
            game=self.game[kept],
            time=self.time[kept],
            before=self.before[:, kept],
            sources={name: part[:, kept] for name, part in self.sources.items()},
            sinks={name: part[:, kept] for name, part in self.sinks.items()},
            after=self.after[:, kept],
        )

    @property
    def income(self) -> Array:
        """What comes in, (seats, rows)."""
        return sum_arrays(self.sources.values(), self.held_before)

    @property
    def held_before(self) -> Array:
        """What a seat holds before, as 64-bit integers, (seats, rows)."""
        return as_int64(self.before)

    def discrepancy(self) -> Array:
        """Return (rows,) what is missing or in excess, within and between times."""
        outgo = sum_arrays(self.sinks.values(), self.held_before)
        errors = abs(self.held_before + self.income - outgo - self.after).sum(axis=0)
        order = np.lexsort((self.time, self.game))
        same = np.diff(self.game[order]) == 0
        then, now = order[:-1][same], order[1:][same]
        errors[now] += abs(self.held_before[:, now] - self.after[:, then]).sum(axis=0)
        return errors

    def standings(self) -> Standings:
        """Return what each seat holds after each time, as a standing without winners.

        A game that is over keeps its last values.
        """
        shape = (int(self.time.max()), int(self.game.max()) + 1)
        values = np.zeros((shape[0], len(self.after), shape[1]), dtype=np.int64)
        values[self.time - 1, :, self.game] = as_int64(self.after).T
        goes_on = np.zeros(shape, dtype=np.bool_)
        goes_on[self.time - 1, self.game] = True
        for now in range(1, shape[0]):
            values[now] = np.where(goes_on[now], values[now], values[now - 1])
        lasted = np.maximum(goes_on.sum(axis=0), 1)
        game = np.arange(shape[1]) + self.first
        return Standings(values, np.full(shape[1], -1), game, 1, lasted)

    def by_time(self) -> dict[str, Array]:
        """Return each entry (times, games), over all seats; 0 after the end of a game.

        ``seats`` is the number of seats, ``gained`` the points.
        """
        shape = (int(self.time.max()), int(self.game.max()) + 1)
        place = (self.time - 1) * shape[1] + self.game
        parts = {"before": self.before, **self.sources, **self.sinks}
        parts |= {"after": self.after, "seats": np.ones_like(self.before)}
        parts |= {} if self.gained is None else {"gained": self.gained}
        entries = {}
        for name, values in parts.items():
            entries[name] = np.zeros(shape, dtype=np.int64)
            entries[name].reshape(-1)[place] = values.sum(axis=0, dtype=np.int64)
        return entries


def _by_seat(values: Array) -> Array:
    """Reshape (times, seats, games) to (seats, rows)."""
    return np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)


def sum_arrays(parts: Iterable[Array], like: Array) -> Array:
    """Return the sum of arrays that are shaped ``like`` another; 0 without any."""
    return sum((as_int64(part) for part in parts), np.zeros_like(like))


def as_int64(values: Array) -> Array:
    """Return values as 64-bit integers, which do not overflow."""
    return np.asarray(values).astype(np.int64)


def gini(values: Array) -> Array:
    """Return the Gini index (..., games) of (..., seats, games); 0 if all have nothing.

    The sum over pairs of seats of |difference|, over seats times the sum of all.

    >>> gini(np.array([[3], [1]])).tolist()
    [0.25]
    """
    seats, total = values.shape[-2], values.sum(axis=-2)
    differences = sum(
        (
            abs(values[..., one, :] - values[..., other, :])
            for one in range(seats)
            for other in range(one)
        ),
        np.zeros_like(total),
    )
    return np.where(total > 0, differences / np.maximum(seats * total, 1), 0.0)
