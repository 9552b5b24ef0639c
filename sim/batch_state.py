"""What the states of all games share: seats around a table, one row a game."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.chance import Chance, Seed, of_seed
from sim.events import Decision
from sim.masks import Counts, Masks


class BatchState:
    """Some games around tables of the same size; the base of each game's state.

    ``game_id`` is the id of its game, by which search loads that. A state's ``layout``
    has the ``vocabularies`` of its rules. Nothing of a game
    lives outside its state, so a copy can be played on from any decision.

    The last axis of every array is the games, so that rows can be dropped or repeated,
    but for what is declared: ``row_numbers`` are row numbers, in order; ``flat_places`` are
    the places of a seat in a flat (seats * games) field, by the name of that seat.
    ``parts`` have arrays of their own: the clock, by row, and others in the order in
    which the games started.

    ``stops`` is the number of a stage (week, round) at whose end a game stops, if it is
    not over before; one for all games or (games,); None plays to the end.
    """

    game_id: ClassVar[str] = ""
    layout: Any
    clock: Any
    parts: tuple[str, ...] = ("clock",)
    row_numbers: ClassVar[tuple[str, ...]] = ()
    flat_places: ClassVar[Mapping[str, str]] = {}
    out_of_step = False  # whether each row has a time of its own: see ``table.Clock``
    trial: Any = None  # an experiment on deals, of games that offer one
    stops: Any = None

    def __init__(
        self, rules: Any, players: int, seed: Seed, games: NDArray[np.uint64]
    ) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.games = games  # (games,) index of each in its run
        self.chance = of_seed(seed, games)
        self.memory: Masks = np.zeros((players, len(games)), dtype=np.uint64)
        self.origin: NDArray[np.int64] | None = None  # (games,) places at the start,
        self._began = len(games)  # and how many there were, once rows were dropped
        self._rows = np.arange(len(games), dtype=np.int64)

    @property
    def match(self) -> int:
        """How many games in a row are a match, whose ``points`` add up."""
        return 1

    @property
    def options_per_token(self) -> int:
        """How many options each token of a bag has."""
        return 1

    @property
    def vocabularies(self) -> Mapping[str, Sequence[str]]:
        """Vocabularies: for each, the id of every bit."""
        vocabularies: Mapping[str, Sequence[str]] = self.layout.vocabularies
        return vocabularies

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[Any]:
        """The id of every bit of an option, for this seat in this row.

        Games whose options are named by what the seat holds say so here.
        """
        return self.vocabulary_ids(kind.vocabulary, row)

    def vocabulary_ids(self, words: str, row: int) -> Sequence[Any]:
        """The id of every bit of a vocabulary, in this row.

        Games in which things are named by where they lie on the table say so here;
        such an id is a tuple.
        """
        return self.vocabularies[words]

    def drop_public_history(self) -> None:
        """Nobody at the table asks for what is public but costs much to keep.

        Games in which there is such keep it no more, and to read it is an error.
        """

    def copy(self) -> Self:
        """A state of its own that can be played on."""
        other = _apart(self)
        other.chance = self.chance.copy()
        for name in self.parts:
            setattr(other, name, _apart(getattr(self, name)))
        return other

    @property
    def start_rows(self) -> NDArray[np.int64]:
        """(games,) the place of each row among the games that started together."""
        return self._rows if self.origin is None else self.origin

    @property
    def start_count(self) -> int:
        """How many games started together."""
        return len(self.games) if self.origin is None else self._began

    def branch(self, rows: NDArray[np.int64], chance: Chance | None = None) -> Self:
        """These rows as games of their own, each as often as it is given.

        With ``chance`` all that is still to come is drawn from that. Where the games
        have a lineup, the caller knows by ``started.take(rows)`` who sat where.
        """
        other, places = copy.copy(self), self.start_rows.take(rows)
        for name in self.parts:
            part = copy.copy(getattr(self, name))
            setattr(other, name, part)
            if name != "clock":
                _take(part, places)
        other._keep(rows)
        other.origin = None
        if chance is not None:
            other.chance = chance
        return other

    def concatenate(self, others: Sequence[Self]) -> Self:
        """These games and those of others, one after the other.

        Of states at the same question, or ``out_of_step`` in the same phase.
        """
        every, other = [self, *others], copy.copy(self)
        other.origin = None
        _join(other, every)
        if any(one.origin is not None for one in every):
            firsts = np.cumsum([0, *(one.start_count for one in every)])
            places = [
                one.start_rows + at for one, at in zip(every, firsts, strict=False)
            ]
            other.origin, other._began = np.concatenate(places), int(firsts[-1])
        before = np.cumsum([0, *(len(one.games) for one in every)])
        for name in self.row_numbers:
            rows = zip(every, before, strict=False)
            places = [getattr(one, name) + first for one, first in rows]
            setattr(other, name, np.concatenate(places))
        for name in self.parts:
            part = copy.copy(getattr(self, name))
            _join(part, [getattr(one, name) for one in every])
            setattr(other, name, part)
        other.chance = Chance.concatenate([one.chance for one in every])
        other._rows = np.arange(len(other.games), dtype=np.int64)
        for name, seat in self.flat_places.items():
            setattr(other, name, other.at(getattr(other, seat)))
        return other

    def keep(self, rows: NDArray[np.int64]) -> None:
        """Drop all games but these rows, such as those that are over.

        A table with a lineup knows by ``origin`` which games are left.
        """
        origin, self._began = self.start_rows.take(rows), self.start_count
        self._keep(rows)
        self.origin = origin

    def _keep(self, rows: NDArray[np.int64]) -> None:
        """All arrays of these rows only, here and in the clock."""
        row_numbers = {name: getattr(self, name) for name in self.row_numbers}
        declared = (*self.row_numbers, *self.flat_places)
        size = len(self.games)
        _take(self, rows, declared)
        _take(self.clock, rows)
        self.chance = self.chance.take(rows)
        self._rows = np.arange(len(rows), dtype=np.int64)
        for name, members in row_numbers.items():
            flags = np.zeros(size, dtype=np.bool_)
            flags[members] = True
            setattr(self, name, np.flatnonzero(flags.take(rows)))
        for name, seat in self.flat_places.items():
            setattr(self, name, self.at(getattr(self, seat)))

    def seat_after(self, seat: Counts, positions: int | Counts) -> Counts:
        """(games,) the seat so many places (fewer than seats) clockwise."""
        after: Counts = seat + np.asarray(positions, dtype=np.uint8)
        return np.minimum(after, after - np.uint8(self.players))  # below 0 is large

    def at(
        self, seat: NDArray[Any], rows: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """(games,) where each row's seat lies in a flat (seats * games) field.

        Or (rows,) of some. Fields of two axes are slower to read and to write.
        """
        place = seat.astype(np.int64)
        place *= len(self.games)
        place += self._rows if rows is None else rows
        return place


class LazyIds(Sequence[Any]):
    """The ids of all 64 bits, each made by ``tell`` when it is asked for."""

    def __init__(self, tell: Callable[[int], Any]) -> None:
        self._tell = tell

    def __len__(self) -> int:
        return 64

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[one] for one in range(64)[number]]
        if not 0 <= number < 64:
            raise IndexError(number)
        return self._tell(number)


_Part = TypeVar("_Part")


def _apart(part: _Part) -> _Part:
    """A copy with arrays of its own."""
    other = copy.copy(part)
    for name, value in vars(part).items():
        if isinstance(value, np.ndarray):
            setattr(other, name, value.copy())
        elif isinstance(value, list):
            setattr(other, name, [array.copy() for array in value])
    return other


def _take(part: Any, rows: NDArray[np.int64], but: Sequence[str] = ()) -> None:
    """Have the arrays of a part anew, of these rows only."""
    for name, value in vars(part).items():
        if name in but:
            continue
        if isinstance(value, np.ndarray):
            setattr(part, name, value.take(rows, axis=-1))
        elif isinstance(value, list):
            setattr(part, name, [array.take(rows, axis=-1) for array in value])


def _join(part: Any, every: Sequence[Any]) -> None:
    """Have the arrays of a part anew, those of every one, one after the other."""
    for name, value in vars(part).items():
        if isinstance(value, np.ndarray):
            arrays = [getattr(one, name) for one in every]
            setattr(part, name, np.concatenate(arrays, axis=-1))
        elif isinstance(value, list):
            lists = zip(*(getattr(one, name) for one in every), strict=True)
            setattr(part, name, [np.concatenate(one, axis=-1) for one in lists])
