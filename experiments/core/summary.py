"""What every run tells: wins, final numbers and how games end, of any game.

Made of the ``result`` note alone, which every game writes, and summed up as it
comes, so that it costs next to nothing beside the play.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import PlayedGames
from reports.counts import Counts, sums_of
from reports.measures import SUMS, Measure, Statistic
from sim.events import Field
from sim.games import Game
from sim.listener import Listener
from sim.scores import Score

_NAMED = ("seat", "code", "list")  # forms of what adds up to nothing


class Summary(Listener):
    """Listens to the result of all games, as the game declares it."""

    ignores_public_history = True

    def __init__(self, game: Game) -> None:
        declared: Mapping[str, Field] = game.events["result"].fields
        self._fields: Mapping[str, Any] = {}
        self._match = game.match
        self._names = {  # of what is told by its name, and adds up to nothing
            name for name, field in declared.items() if field.form in _NAMED
        }

    def hears(self, name: str) -> bool:
        """Only the end is of interest."""
        return name == "result"

    def event(
        self, state: Any, name: str, where: object, fields: Mapping[str, Any]
    ) -> None:
        """Keep what the end was."""
        self._fields = fields

    def of_games(self, places: slice) -> "Summary":
        """The same of some games alone."""
        other = copy.copy(self)
        other._fields = {
            name: value[..., places] for name, value in self._fields.items()
        }
        return other

    def sums(self, played: PlayedGames) -> pl.DataFrame:
        """Sums by position, seat and strategy, and of how games were decided.

        Columns: measure, these groups (position and seat from 1), by, and those of
        ``reports.measures``.
        """
        sums = sums_of(self.counts(played))
        return pl.concat([pl.DataFrame(schema=_SCHEMA), sums], how="diagonal")

    def counts(
        self, played: PlayedGames, sits: "Sits | None" = None
    ) -> Iterator[Counts]:
        """What is counted; ``sits`` says who sits where, if not by strategy."""
        if sits is None:
            sits = [one.title for one in played.lineup], played.sitting
        yield self._decided(played)
        for name, value in self._fields.items():
            if value.ndim == 1 and value.dtype != np.uint64 and name not in self._names:
                yield _counted(name, value[None], np.ones(1))
        for name, value in self._numbers(played):
            ones, number = np.ones(len(value)), numbered(len(value))
            yield _counted(f"{name} by seat", value, ones, seat=number)
            there = _by_position(value, played.first)
            yield _counted(f"{name} by position", there, ones, position=number)
            yield _by_strategy(name, value, *sits)
        match = self._match
        if match is not None and played.state.match > 1:
            yield from _matches(self._fields[match.field], match, played)

    def _numbers(self, played: PlayedGames) -> Iterator[tuple[str, NDArray[Any]]]:
        """(seats, games) each: ``won``, then numbers by seat, and who is in a set."""
        seats = np.arange(played.state.players, dtype=np.int8)[:, None]
        yield "won", self._fields["winner"] == seats
        for name, value in self._fields.items():
            if value.ndim == 2 and name not in self._names:
                yield name, value
            elif value.dtype == np.uint64:
                yield name, _flags(value, seats)

    def _decided(self, played: PlayedGames) -> Counts:
        code = self._fields["by"].astype(np.int64)
        ways, code = np.unique(code, return_inverse=True)
        words = [played.state.vocabularies["by"][way] for way in ways]
        once = np.ones(len(code))
        labels = {"by": pl.Series(words, dtype=pl.String)}
        return Counts("decided", labels, once, once, code, np.arange(len(code)))


Sits = tuple[Sequence[str], NDArray[np.uint8]]
"""Names, and which of them sits (seats, games) where."""


def measures(game: Game) -> list[Measure]:
    """The measures of a game's end, and how it was decided."""
    numbers: dict[str, tuple[str, Statistic]] = {"won": ("games that are won", "share")}
    found = []
    for name, field in game.events["result"].fields.items():
        if field.once and field.form not in _NAMED:
            found.append(Measure(name, field.doc, "mean", family="end"))
        elif field.form not in _NAMED:
            doc = field.doc.removesuffix(", by seat")
            numbers[name] = (doc, "share" if field.form == "set" else "mean")
        elif name == "by":
            what = Measure(
                "decided", field.doc, "share of games", by=("by",), family="end"
            )
            found.append(what)
    by_whom = (
        Measure(f"{name} by {group}", doc, kind, by=(group,), family="end")
        for name, (doc, kind) in numbers.items()
        for group in ("strategy", "position", "seat")
    )
    return [*by_whom, *found, *([MATCH] if game.match is not None else [])]


MATCH = Measure(
    "match by seat",
    "matches won, by the seat in their first game",
    "share",
    by=("seat",),
    family="end",
)
"""Of rules under which several games make a match."""


def _flags(sets: NDArray[np.uint64], seats: NDArray[Any]) -> NDArray[Any]:
    """(seats, games) who is in a set of seats."""
    return sets >> seats.astype(np.uint64) & np.uint64(1)


_SCHEMA = {
    "measure": pl.String,
    "position": pl.Int64,
    "seat": pl.Int64,
    "strategy": pl.String,
    "by": pl.String,
    **dict.fromkeys(SUMS, pl.Float64),
}


def _counted(
    measure: str, value: NDArray[Any], each: NDArray[Any], **labels: pl.Series
) -> Counts:
    """Numbers (groups, games), ``each`` (groups,) of them in every game."""
    return Counts(measure, labels, value, np.broadcast_to(each[:, None], value.shape))


def numbered(count: int) -> pl.Series:
    """Seats or positions as people count them: from 1."""
    return pl.Series(range(1, count + 1), dtype=pl.Int64)


def _by_position(value: NDArray[Any], first: NDArray[np.uint8]) -> NDArray[Any]:
    """Numbers (seats, games) in the order of the positions, the first one's first."""
    players, games = value.shape
    flat, column = value.reshape(-1), np.arange(games)
    seat, there = first.astype(np.int64), np.empty_like(value)
    for place in range(players):
        np.take(flat, seat * games + column, out=there[place], mode="clip")
        seat += 1
        seat -= players * (seat == players)
    return there


def _by_strategy(
    name: str, value: NDArray[Any], names: Sequence[str], sitting: NDArray[np.uint8]
) -> Counts:
    """Each game's total over the seats of a strategy; it has as many in every game."""
    here = np.stack([sitting == number for number in range(len(names))])
    total = np.stack([(value * mine).sum(axis=0, dtype=np.uint32) for mine in here])
    seats, strategies = here[:, :, 0].sum(axis=1), pl.Series(names, dtype=pl.String)
    return _counted(f"{name} by strategy", total, seats, strategy=strategies)


def _matches(
    points: NDArray[np.integer[Any]], match: Score, played: PlayedGames
) -> Iterator[Counts]:
    """Who is ahead after the games of a match, by where he sat in the first.

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
    totals = [
        match.sign * points[(player - number) % seats, games].sum(axis=1, dtype=int)
        for player in range(seats)
    ]
    best = np.stack(totals) == np.max(totals, axis=0)
    yield _counted(MATCH.name, best, np.ones(seats), seat=numbered(seats))
