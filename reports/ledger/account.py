"""What seats hold of a thing, and how it comes and goes, as arrays."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports.counts import Array
from reports.course.standing import Standing

MOST = 12
"""Times of a game (rounds, weeks) that are told one by one."""


@dataclass(frozen=True, eq=False)
class Account:
    """What the seats of some games hold of a thing, time by time.

    ``game`` (rows,) is a number from 0 and ``time`` (rows,) one from 1; all else are
    whole numbers (seats, rows): what a seat holds ``before``, what comes by each of the
    ``sources`` and goes by each of the ``sinks``, and what it holds ``after``.
    ``gained`` are the points won meanwhile; ``first`` is the number of game 0 in its
    run.
    """

    game: Array
    time: Array
    before: Array
    sources: Mapping[str, Array]
    sinks: Mapping[str, Array]
    after: Array
    gained: Array | None = None
    first: int = 0

    @property
    def income(self) -> Array:
        """(seats, rows) what comes."""
        return added(self.sources.values(), self.had)

    @property
    def had(self) -> Array:
        """(seats, rows) what a seat holds before, as wide numbers."""
        return wide(self.before)

    def astray(self) -> Array:
        """(rows,) what is missing or too much: of each time, and from time to time."""
        gone = added(self.sinks.values(), self.had)
        found = abs(self.had + self.income - gone - self.after).sum(axis=0)
        order = np.lexsort((self.time, self.game))
        same = np.diff(self.game[order]) == 0
        then, now = order[:-1][same], order[1:][same]
        found[now] += abs(self.had[:, now] - self.after[:, then]).sum(axis=0)
        return found

    def held(self) -> Standing:
        """What each seat holds after each time, as a standing that nobody wins.

        A game that is over stays as it ended.
        """
        shape = (int(self.time.max()), int(self.game.max()) + 1)
        values = np.zeros((shape[0], len(self.after), shape[1]), dtype=np.int64)
        values[self.time - 1, :, self.game] = wide(self.after).T
        goes_on = np.zeros(shape, dtype=np.bool_)
        goes_on[self.time - 1, self.game] = True
        for now in range(1, shape[0]):
            values[now] = np.where(goes_on[now], values[now], values[now - 1])
        lasted = np.maximum(goes_on.sum(axis=0), 1)
        game = np.arange(shape[1]) + self.first
        return Standing(values, np.full(shape[1], -1), game, 1, lasted)

    def by_time(self) -> dict[str, Array]:
        """(times, games) each entry of all seats together; 0 where a game is over.

        ``seats`` is how many seats there are, ``gained`` the points.
        """
        shape = (int(self.time.max()), int(self.game.max()) + 1)
        place = (self.time - 1) * shape[1] + self.game
        parts = {"before": self.before, **self.sources, **self.sinks}
        parts |= {"after": self.after, "seats": np.ones_like(self.before)}
        parts |= {} if self.gained is None else {"gained": self.gained}
        found = {}
        for name, values in parts.items():
            found[name] = np.zeros(shape, dtype=np.int64)
            found[name].reshape(-1)[place] = values.sum(axis=0, dtype=np.int64)
        return found


def by_seat(values: Array) -> Array:
    """(seats, rows) of (times, seats, games)."""
    return np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)


def regular(values: Array) -> dict[str, Any]:
    """``game`` and ``time`` of an account, of (times, seats, games)."""
    times, _, games = values.shape
    return {
        "game": np.tile(np.arange(games), times),
        "time": np.repeat(np.arange(1, times + 1), games),
    }


def added(parts: Iterable[Array], like: Array) -> Array:
    """The sum of some parts, which are like another array; 0 of none."""
    return sum((wide(one) for one in parts), np.zeros_like(like))


def wide(values: Array) -> Array:
    """Whole numbers that can be added and subtracted."""
    return np.asarray(values).astype(np.int64)


def gini(values: Array) -> Array:
    """(..., games) the Gini index of (..., seats, games), 0 where nobody has anything.

    The sum over pairs of seats of |difference|, over seats times the sum of all.

    >>> gini(np.array([[3], [1]])).tolist()
    [0.25]
    """
    seats, total = values.shape[-2], values.sum(axis=-2)
    apart = sum(
        (
            abs(values[..., one, :] - values[..., other, :])
            for one in range(seats)
            for other in range(one)
        ),
        np.zeros_like(total),
    )
    return np.where(total > 0, apart / np.maximum(seats * total, 1), 0.0)
