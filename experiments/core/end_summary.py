"""The measures of every run: wins, final numbers and how games end, in any game.

They use only the ``result`` note, which every game writes once, so that they cost next
to nothing beside the play.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import PlayedGames
from reports.batches import GameBatches
from reports.counts import Counts, sums_of
from reports.measures import SUM_TYPES, Measure, Statistic
from reports.scorecard import line_statistics
from sim.events import Field
from sim.games import Game
from sim.listener import Fields, Listener
from sim.scores import Score

_NAMED = ("seat", "code", "list")  # forms of fields that cannot be summed


class EndSummary(Listener):
    """Listens to the result of all games, as the game declares it."""

    ignores_public_history = True

    def __init__(self, game: Game) -> None:
        declared: Mapping[str, Field] = game.events["result"].fields
        self._fields: Fields = {}
        self._later: NDArray[Any] | None = None  # (games,) who begins a later phase
        self._match, self._later_first = game.match, game.later_first
        self._names = {  # of fields that cannot be summed
            name for name, field in declared.items() if field.form in _NAMED
        }

    def hears(self, name: str) -> bool:
        """Hear only the result."""
        return name == "result"

    def event(self, state: Any, name: str, where: object, fields: Fields) -> None:
        """Keep the result."""
        self._fields = fields
        if self._later_first is not None:
            self._later = self._later_first(state)

    def of_games(self, places: slice) -> "EndSummary":
        """Return the summary of the games in these places alone."""
        other = copy.copy(self)
        other._fields = {
            name: value[..., places] for name, value in self._fields.items()
        }
        if self._later is not None:
            other._later = self._later[places]
        return other

    def sums(
        self, played: PlayedGames, batches: GameBatches, sits: "Seating"
    ) -> pl.DataFrame:
        """Return sums by position, seat and strategy, and of how games were decided.

        Columns: measure, these groups (position and seat from 1), by, ``SUM_TYPES``.
        ``batches`` are those of the games, ``sits`` the players by name.
        """
        sums = sums_of(self.counts(played, sits), batches)
        return pl.concat([pl.DataFrame(schema=_SCHEMA), sums], how="diagonal")

    def counts(self, played: PlayedGames, sits: "Seating") -> Iterator[Counts]:
        """Yield the counts; ``sits``: the names of the players."""
        yield self._decided(played)
        for name, value in self._fields.items():
            if value.ndim == 1 and value.dtype != np.uint64 and name not in self._names:
                yield _counted(name, value[None], np.ones(1))
        for name, value in self._numbers(played):
            ones, number = np.ones(len(value)), ordinals(len(value))
            yield _counted(f"{name} by seat", value, ones, seat=number)
            by_position = _by_position(value, played.first)
            yield _counted(f"{name} by position", by_position, ones, position=number)
            yield _by_strategy(name, value, *sits)
            if name == WON and self._later is not None:
                by_position = _by_position(value, self._later)
                yield _counted(LATER.name, by_position, ones, position=number)
        match = self._match
        if match is not None and played.state.match > 1:
            yield from _matches(self._fields[match.field], match, played)

    def _numbers(self, played: PlayedGames) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield (seats, games): ``won``, then numbers by seat, and flags of sets."""
        seats = np.arange(played.state.players, dtype=np.int8)[:, None]
        yield WON, self._fields["winner"] == seats
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


Seating = tuple[Sequence[str], NDArray[np.uint16]]
"""Names of players, and (seats, games) the index of the one in each seat."""


def measures(game: Game) -> list[Measure]:
    """Return the measures of a game's end, and of how it was decided."""
    numbers: dict[str, tuple[str, Statistic]] = {WON: ("games that are won", "share")}
    once = []
    for name, field in game.events["result"].fields.items():
        if field.once and field.form not in _NAMED:
            once.append(Measure(name, field.doc, "mean", family="end"))
        elif field.form not in _NAMED:
            doc = field.doc.removesuffix(", by seat")
            numbers[name] = (doc, "share" if field.form == "set" else "mean")
        elif name == "by":
            what = Measure(
                "decided", field.doc, "share of games", by=("by",), family="end"
            )
            once.append(what)
    by_whom = (
        Measure(f"{name} by {group}", doc, kind, by=(group,), family="end")
        for name, (doc, kind) in numbers.items()
        for group in ("strategy", "position", "seat")
    )
    match = [MATCH] if game.match is not None else []
    return [*by_whom, *once, *match, *([LATER] if game.later_first is not None else [])]


WON = "won"
LATER = Measure(
    line_statistics.LATER,
    "games that are won, by the order of turns in a later phase",
    "share",
    by=("position",),
    family="end",
)
"""For games that draw anew who begins a later phase."""

MATCH = Measure(
    "match by seat",
    "matches won, by the seat in their first game",
    "share",
    by=("seat",),
    family="end",
)
"""For rules under which several games make a match."""


def _flags(sets: NDArray[np.uint64], seats: NDArray[Any]) -> NDArray[Any]:
    """Return (seats, games) flags of the seats in a set."""
    return sets >> seats.astype(np.uint64) & np.uint64(1)


_SCHEMA = {
    "measure": pl.String,
    "position": pl.Int64,
    "seat": pl.Int64,
    "strategy": pl.String,
    "by": pl.String,
    **SUM_TYPES,
}


def _counted(
    measure: str, value: NDArray[Any], each: NDArray[Any], **labels: pl.Series
) -> Counts:
    """Return counts of values (groups, games), with ``each`` (groups,) a game."""
    return Counts(measure, labels, value, np.broadcast_to(each[:, None], value.shape))


def ordinals(count: int) -> pl.Series:
    """Return the numbers of seats or positions, from 1."""
    return pl.Series(range(1, count + 1), dtype=pl.Int64)


def _by_position(value: NDArray[Any], first: NDArray[np.uint8]) -> NDArray[Any]:
    """Return values (seats, games) in the order of the positions."""
    players, games = value.shape
    flat, column = value.reshape(-1), np.arange(games)
    seat, ordered = first.astype(np.int64), np.empty_like(value)
    for place in range(players):
        # "clip" writes to out without a buffer
        np.take(flat, seat * games + column, out=ordered[place], mode="clip")
        seat += 1
        seat -= players * (seat == players)  # faster than a modulo
    return ordered


def _by_strategy(
    name: str, value: NDArray[Any], names: Sequence[str], sitting: NDArray[np.uint16]
) -> Counts:
    """Return each game's total over a strategy's seats, as many in every game."""
    own = np.stack([sitting == number for number in range(len(names))])
    total = np.stack([(value * flags).sum(axis=0, dtype=np.uint32) for flags in own])
    seats, strategies = own[:, :, 0].sum(axis=1), pl.Series(names, dtype=pl.String)
    return _counted(f"{name} by strategy", total, seats, strategy=strategies)


def _matches(
    points: NDArray[np.integer[Any]], match: Score, played: PlayedGames
) -> Iterator[Counts]:
    """Yield who won each match, by the seat in its first game.

    With rotation a player moves on by a seat each game. Tied leaders all win. Games of
    matches that the block has only a part of are left out.
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
    yield _counted(MATCH.name, best, np.ones(seats), seat=ordinals(seats))
