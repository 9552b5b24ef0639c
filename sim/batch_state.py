"""What the states of all games share: seats around a table, one row a game."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.chance import Chance
from sim.events import Decision
from sim.masks import Counts, Masks


class BatchState:
    """Some games around tables of the same size; the base of each game's state.

    A state's ``layout`` has the ``vocabularies`` of its rules. Nothing of a game
    lives outside its state, so a copy can be played on from any decision.
    """

    layout: Any
    clock: Any
    parts: tuple[str, ...] = ("clock",)  # what of the state has arrays of its own
    out_of_step = False  # whether each row has a time of its own: see ``table.Clock``
    trial: Any = None  # an experiment on deals, of games that offer one

    def __init__(
        self, rules: Any, players: int, seed: int, games: NDArray[np.uint64]
    ) -> None:
        self.rules = rules
        self.players = players
        self.seed = seed
        self.games = games  # (games,) index of each in its run
        self.chance = Chance(seed, games)
        self.memory: Masks = np.zeros((players, len(games)), dtype=np.uint64)
        self.origin: NDArray[np.int64] | None = None  # (games,) places at the start,
        self._rows = np.arange(len(games), dtype=np.int64)  # once rows were dropped

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
        return self.named_in(kind.vocabulary, row)

    def named_in(self, words: str, row: int) -> Sequence[Any]:
        """The id of every bit of a vocabulary, in this row.

        Games in which things are named by where they lie on the table say so here;
        such an id is a tuple.
        """
        return self.vocabularies[words]

    def copy(self) -> Self:
        """A state of its own that can be played on."""
        other = _apart(self)
        other.chance = self.chance.copy()
        for name in self.parts:
            setattr(other, name, _apart(getattr(self, name)))
        return other

    def keep(self, rows: NDArray[np.int64]) -> None:
        """Drop all games but these rows, such as those that are over.

        A table with a lineup knows by ``origin`` which games are left.
        """
        origin = self._rows if self.origin is None else self.origin
        size = len(self.games)
        for part in (self, self.clock):
            for name, value in vars(part).items():
                if isinstance(value, list):
                    setattr(part, name, [_kept(item, rows, size) for item in value])
                elif isinstance(value, np.ndarray):
                    setattr(part, name, _kept(value, rows, size))
        self.chance = self.chance.some(rows)
        self.origin = origin.take(rows)
        self._rows = np.arange(len(rows), dtype=np.int64)

    def seat_after(self, seat: Counts, positions: int | Counts) -> Counts:
        """(games,) the seat so many places (fewer than seats) clockwise."""
        after: Counts = seat + np.asarray(positions, dtype=np.uint8)
        after -= (after >= self.players).view(np.uint8) * np.uint8(self.players)
        return after

    def at(self, seat: Counts) -> NDArray[np.int64]:
        """(games,) where each row's seat lies in a flat (seats * games) field."""
        place = seat.astype(np.int64)
        place *= len(self.games)
        place += self._rows
        return place


def _kept(value: NDArray[Any], rows: NDArray[np.int64], size: int) -> NDArray[Any]:
    """These rows of an array that has ``size`` of them; any other is left as it is."""
    return value.take(rows, axis=-1) if value.shape[-1] == size else value


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
