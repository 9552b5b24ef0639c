"""The base of all games' states: seats around a table, one row per game."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.chance import Chance, Seed, of_seed
from sim.events import Decision
from sim.masks import Counts, Masks


class BatchState:
    """A batch of games with the same number of players; the base of each game's state.

    ``game_id`` is the id of the game, by which search loads it. A state's ``layout``
    has the ``vocabularies`` of its rules. Nothing of a game lives outside its state, so
    a copy can be played on from any decision.

    The last axis of every array is the games, so that rows can be dropped or repeated.
    Exceptions are declared by name: ``row_numbers`` are arrays of row numbers, in
    order; ``flat_places`` are indices of a seat's value in a flat (seats * games)
    field, each with the name of the field that holds that seat. ``parts`` are objects
    with arrays of their own: the clock, by row, and others by the row at the start.

    ``stops`` is the number of the stage (week, round) at whose end a game stops, unless
    it is over before: one for all games, or (games,). None plays to the end.
    """

    game_id: ClassVar[str] = ""
    layout: Any
    clock: Any
    parts: tuple[str, ...] = ("clock",)
    row_numbers: ClassVar[tuple[str, ...]] = ()
    flat_places: ClassVar[Mapping[str, str]] = {}
    out_of_step = False  # whether each row has a clock of its own: see ``table.Clock``
    trial: Any = None  # an experiment on deals, in games that offer one
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
        # Once rows were dropped: (games,) rows at the start, and how many there were
        self.origin: NDArray[np.int64] | None = None
        self._began = len(games)
        self._rows = np.arange(len(games), dtype=np.int64)

    @property
    def match(self) -> int:
        """How many consecutive games make a match, over which ``points`` add up."""
        return 1

    @property
    def options_per_token(self) -> int:
        """How many options each token of a bag has."""
        return 1

    @property
    def vocabularies(self) -> Mapping[str, Sequence[str]]:
        """By name of a vocabulary, the id of every bit."""
        vocabularies: Mapping[str, Sequence[str]] = self.layout.vocabularies
        return vocabularies

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[Any]:
        """The id of every option bit, for this seat in this row.

        Overridden by games whose options are named after what the seat holds.
        """
        return self.vocabulary_ids(kind.vocabulary, row)

    def vocabulary_ids(self, words: str, row: int) -> Sequence[Any]:
        """The id of every bit of a vocabulary, in this row.

        Overridden by games in which things are named after where they lie; such an id
        is a tuple.
        """
        return self.vocabularies[words]

    def drop_public_history(self) -> None:
        """Stop tracking expensive public history that no player or listener reads.

        Overridden by games that track some, such as the suits that hands have shown to
        lack. Reading it afterwards is an error.
        """

    def copy(self) -> Self:
        """An independent copy that can be played on."""
        other = _copy_arrays(self)
        other.chance = self.chance.copy()
        for name in self.parts:
            setattr(other, name, _copy_arrays(getattr(self, name)))
        return other

    def with_rules_of(self, other: Self) -> Self:
        """An independent copy of these games as they stand, by another state's rules.

        To ask what a player would do in the same position, did other rules hold from
        here on. Overridden by games that keep what follows from the rules.
        """
        games = self.copy()
        games.rules, games.layout = other.rules, other.layout
        return games

    @property
    def start_rows(self) -> NDArray[np.int64]:
        """(games,) the row that each game had at the start."""
        return self._rows if self.origin is None else self.origin

    @property
    def start_count(self) -> int:
        """How many games started together."""
        return len(self.games) if self.origin is None else self._began

    def branch(self, rows: NDArray[np.int64], chance: Chance | None = None) -> Self:
        """Copy these rows into a new state; a row may be given several times.

        With ``chance`` everything still to come is drawn from that. A caller that keeps
        values by starting row, as a table does, reads them at
        ``start_rows.take(rows)``.
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
        """These games followed by those of other states, as one state.

        All must be at the same decision, or, where ``out_of_step``, in the same phase.
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
        """Keep these rows only, as when games that are over are dropped.

        ``origin`` then tells a table with a lineup which games are left.
        """
        origin, self._began = self.start_rows.take(rows), self.start_count
        self._keep(rows)
        self.origin = origin

    def _keep(self, rows: NDArray[np.int64]) -> None:
        """Reduce all arrays, here and in the clock, to these rows."""
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
        """(games,) the seat that many places clockwise (fewer than there are seats)."""
        after: Counts = seat + np.asarray(positions, dtype=np.uint8)
        # Below 0 wraps to a large uint8, so the minimum is the remainder, and quicker
        return np.minimum(after, after - np.uint8(self.players))

    def at(
        self, seat: NDArray[Any], rows: NDArray[np.int64] | None = None
    ) -> NDArray[np.int64]:
        """(games,) the index of each row's seat in a flat (seats * games) field.

        With ``rows`` (rows,). Why flat: a ``take`` is quicker than indexing two axes.
        """
        place = seat.astype(np.int64)
        place *= len(self.games)
        place += self._rows if rows is None else rows
        return place


class LazyIds(Sequence[Any]):
    """The ids of all 64 bits, each made by ``tell`` when it is read."""

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


def _copy_arrays(part: _Part) -> _Part:
    """A copy that shares no array."""
    other = copy.copy(part)
    for name, value in vars(part).items():
        if isinstance(value, np.ndarray):
            setattr(other, name, value.copy())
        elif isinstance(value, list):
            setattr(other, name, [array.copy() for array in value])
    return other


def _take(part: Any, rows: NDArray[np.int64], but: Sequence[str] = ()) -> None:
    """Reduce the arrays of a part to these rows, in place; ``but`` names exceptions."""
    for name, value in vars(part).items():
        if name in but:
            continue
        if isinstance(value, np.ndarray):
            setattr(part, name, value.take(rows, axis=-1))
        elif isinstance(value, list):
            setattr(part, name, [array.take(rows, axis=-1) for array in value])


def _join(part: Any, every: Sequence[Any]) -> None:
    """Replace the arrays of a part by those of all parts, concatenated."""
    for name, value in vars(part).items():
        if isinstance(value, np.ndarray):
            arrays = [getattr(one, name) for one in every]
            setattr(part, name, np.concatenate(arrays, axis=-1))
        elif isinstance(value, list):
            lists = zip(*(getattr(one, name) for one in every), strict=True)
            setattr(part, name, [np.concatenate(one, axis=-1) for one in lists])
