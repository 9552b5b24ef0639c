"""Views: what a seat may know, in all the games in which it has a choice."""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Chance, Purpose
from sim.events import Decision
from sim.masks import Mask, Masks

Seat = int | NDArray[np.uint8]  # one seat for all rows, or one for each
Rows = NDArray[np.int64]
_CERTAIN = np.uint64(1 << masks.CHANCE_BITS)
STREAMS = 32
"""Streams of random numbers that a seat has at a moment (``View.substream``)."""
_STREAM = (1 << 16) // STREAMS  # draws of each


_Value = TypeVar("_Value")


class CachedField(cached_property[_Value]):
    """A ``cached_property`` without its lock, which costs more than most fields."""

    if not TYPE_CHECKING:

        def __get__(self, view: Any, owner: type | None = None) -> Any:
            if view is None:
                return self
            value = view.__dict__[self.attrname] = self.func(view)
            return value


class View:
    """What one seat may honestly know, gathered when a strategy reads it.

    A row is a game in which the seat has a choice. ``legal`` (rows,) are its options,
    ``most`` the number of tokens or cards that an answer takes, and ``seat`` the seat
    that decides. Games add what their rulebook makes public, as properties, and declare
    what those mean for a policy that reads numbers (``sim.observation``):

    ``vocabulary_of``: fields that are sets, and the vocabulary of their bits ("one
    card": of at most one). ``names_of``: fields in which a number names a thing, and
    the vocabulary of those, "" where they have no ids; -1 or a number above 63 names
    none. ``flag_fields``: fields in whose numbers each bit says something.
    ``relations``: fields with a set for each id of a vocabulary. ``card_lists``: fields
    that are lists of cards, in games that are one file. ``not_observed``: fields that
    policies do not read, and why. All others are numbers.
    """

    vocabulary_of: ClassVar[Mapping[str, str]] = {}
    names_of: ClassVar[Mapping[str, str]] = {}
    flag_fields: ClassVar[frozenset[str]] = frozenset()
    relations: ClassVar[Mapping[str, str]] = {}
    card_lists: ClassVar[frozenset[str]] = frozenset()
    not_observed: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        state: Any,
        kind: Decision,
        seat: Seat,
        rows: Rows | None,
        legal: Masks,
        most: NDArray[np.uint8] | None,
    ) -> None:
        self._state = state
        self._rows = rows
        self.kind = kind
        legal.flags.writeable = False
        self.legal = legal
        self.seat = seat
        self._most = most
        self._draws = 0
        self._picked: Masks | None = None  # from ``legal``: needs no check

    def __len__(self) -> int:
        return len(self.legal)

    @classmethod
    def field_names(cls) -> list[str]:
        """The fields that can be read of one game, by name: those that games add too.

        >>> "legal" in View.field_names()
        True
        """
        own = (
            name
            for name in sorted(dir(cls))
            if not name.startswith("_") and not hasattr(View, name)
        )
        fields = (property, CachedField)
        added = [name for name in own if isinstance(getattr(cls, name), fields)]
        return [*added, "legal", "most", "players", "supply"]

    @property
    def rules(self) -> Any:
        """The rules in force."""
        return self._state.rules

    @property
    def layout(self) -> Any:
        """The components of the game, such as cards and squares, as bits."""
        return self._state.layout

    @property
    def players(self) -> int:
        """The number of players."""
        players: int = self._state.players
        return players

    @property
    def time(self) -> dict[str, Any]:
        """Week, round and so on, from 1; (rows,) where rows are out of step."""
        return {
            unit: self.common(number) if isinstance(number, np.ndarray) else number
            for unit, number in self._state.clock.labels().items()
        }

    @property
    def options_per_token(self) -> int:
        """How many options each token of a bag has."""
        options_per_token: int = self._state.options_per_token
        return options_per_token

    @property
    def stop(self) -> Mask:
        """The option that ends a series of decisions; nothing where none does."""
        return self.bits(self.kind.stop) if self.kind.stop else masks.NOTHING

    def bits(self, name: str) -> Mask:
        """The option bits of this id; identical options share one id."""
        ids = self._state.vocabularies[self.kind.vocabulary]
        return masks.union(number for number, one in enumerate(ids) if one == name)

    @property
    def most(self) -> NDArray[np.uint8]:
        """(rows,) how many tokens or cards an answer takes, at most or exactly.

        In a series of decisions, how many may still follow, this one included.
        """
        if self._most is None:
            return np.ones(len(self), dtype=np.uint8)
        return self._most

    @property
    def supply(self) -> NDArray[np.uint8]:
        """(rows,) tokens that this seat still has for a series of decisions."""
        return self.most

    @property
    def memory(self) -> Masks:
        """(rows,) the number that this seat remembered last; 0 if none."""
        memory: Masks = self.own(self._state.memory)
        return memory

    def remember(self, value: Masks) -> None:
        """Remember a number, (rows,), for this seat alone; kept in the state."""
        self._state.memory.reshape(-1)[self._at] = value

    def with_legal(self, legal: Masks) -> Self:
        """The view of this moment if the seat had these options only."""
        rows, most = self._rows, self._most
        return type(self)(self._state, self.kind, self.seat, rows, legal, most)

    def substream(self, stream: int) -> Self:
        """This view with an independent stream of random numbers.

        For strategies made of others, so that none draws the numbers of another.
        ``stream`` is below ``STREAMS``; every view starts with stream 0. What was
        gathered for this view is not gathered again.
        """
        other = object.__new__(type(self))
        vars(other).update(vars(self), _draws=stream * _STREAM, _picked=None)
        return other

    def take(self, rows: Rows) -> Self:
        """The view of these rows only, with its random numbers from the start."""
        return type(self)(
            self._state,
            self.kind,
            self.seat if isinstance(self.seat, int) else self.seat.take(rows),
            rows if self._rows is None else self._rows.take(rows),
            self.legal.take(rows),
            None if self._most is None else self._most.take(rows),
        )

    def seen_in(self, state: Any) -> Self:
        """The view of this moment in another state, such as a copy of its own.

        It shares no array with this view, and its random numbers are from the start.
        """
        view = self.take(np.arange(len(self)))
        view._state = state
        return view

    def random(self) -> Masks:
        """(rows,) 21 random bits, new ones at each call, for this seat alone."""
        return self._random(self._rows)

    def _random(self, rows: Rows | None) -> Masks:
        """(rows,) 21 random bits, for some rows of the state or all of them."""
        state, draw = self._state, self._draws
        chance: Chance = state.chance
        self._draws += 1
        if state.out_of_step:
            counter = (state.clock if rows is None else state.clock.take(rows)).tick
        else:
            counter = state.clock.tick
            # Why: answers of several bits usually draw several times, and numbered like
            # this three draws of one moment share 64 bits, as three moments do
            # otherwise
            if self.kind.form != "one":
                draw, part = divmod(draw, 3)
                counter = (3 << 32) + counter * 3 + part
        return chance.short_bits(Purpose.STRATEGY, counter, draw, rows)

    def uniform(self) -> NDArray[np.float64]:
        """(rows,) random numbers from 0 to 1, new ones at each call."""
        return self.random().astype(np.float64) * 2.0**-masks.CHANCE_BITS

    def pick(self, options: Masks) -> Masks:
        """(rows,) a random one of the options in each row, all equally likely."""
        if self._state.out_of_step:  # no draws are shared: draw where it is needed only
            picked = self.toss(options)
        else:
            picked = masks.pick(options, self.random())
        return self._checked(picked) if options is self.legal else picked

    def pick_or_stop(self) -> Masks:
        """(rows,) a random answer in a series of decisions that an option can stop.

        With n decisions to come it stops with probability 1 / (n + 1), which makes the
        length of the series uniform; otherwise all other options are equally likely.
        """
        others = self.legal & ~self.stop
        chance = self.random()
        chance *= self.most + masks.ONE
        stops = chance < _CERTAIN  # the rest, below it, is uniform again
        chance &= _CERTAIN - masks.ONE
        picked = masks.pick(others, chance)
        stops |= others == masks.NOTHING
        stops &= self.legal != others
        return self._checked(masks.blend(stops, self.stop, picked))

    def _checked(self, picked: Masks) -> Masks:
        """Mark an answer that was picked from the legal options, to save its check."""
        picked.flags.writeable = False
        self._picked = picked
        return picked

    def toss(self, options: Masks, *, legal: bool = False) -> Masks:
        """(rows,) a random one of the options each; quick where most rows have one.

        It counts as a draw even where no row needs one, so that a game's numbers do not
        depend on the other rows. ``legal``: the options are legal ones, at least one a
        row, so the answer needs no check.
        """
        chosen = masks.lowest(options)
        rows = masks.rows_where(chosen != options)
        if len(rows):
            where = rows if self._rows is None else self._rows.take(rows)
            chosen[rows] = masks.pick(options.take(rows), self._random(where))
        else:
            self._draws += 1
        return self._checked(chosen) if legal else chosen

    @CachedField
    def _at(self) -> NDArray[np.int64]:
        """(rows,) the index of this seat's value in a flat (seats * games) field."""
        return self._place(0)

    @CachedField
    def _places(self) -> NDArray[np.int64]:
        """(seats, rows) the indices of all seats' values there, this seat first."""
        return self._place(np.arange(self.players)[:, None])

    def _place(self, ahead: int | NDArray[np.int64]) -> NDArray[np.int64]:
        """The index there of the seat that many places to the left.

        ``ahead`` is one number, or (seats, 1) those of all seats, in order.
        """
        games = len(self._state.games)
        begins = seats_around(self.players, games)
        rows = np.arange(games) if self._rows is None else self._rows
        if isinstance(ahead, int):
            return begins[ahead].take(self.seat) + rows
        if isinstance(self.seat, int):
            return begins[ahead, self.seat] + rows
        return begins.take(self.seat, axis=1) + rows

    def own(self, field: NDArray[Any]) -> NDArray[Any]:
        """(rows,) this seat's value of a (seats, games) field."""
        if isinstance(self.seat, int):
            return self.common(field[self.seat])
        return field.reshape(-1).take(self._at)

    def each(self, field: NDArray[Any]) -> NDArray[Any]:
        """(seats, rows) a field of all seats: this seat first, then clockwise."""
        return field.reshape(-1).take(self._places)

    def common(self, field: NDArray[Any]) -> NDArray[Any]:
        """(rows,) or (things, rows) a field that has no seats; read-only."""
        if self._rows is not None:
            return field.take(self._rows, axis=-1)
        readable = field.view()
        readable.flags.writeable = False
        return readable


@lru_cache(maxsize=64)
def seats_around(players: int, step: int = 1) -> NDArray[np.int64]:
    """(seats ahead, seats) who sits that many places left of each seat; read-only.

    With ``step`` games: where that seat's values begin in a flat (seats * games) field.
    """
    seats = np.arange(players)
    around: NDArray[np.int64] = (seats[:, None] + seats) % players * step
    around.flags.writeable = False
    return around


def clock_field(unit: str, doc: str) -> Any:
    """Declare a field of a view: the week, round or turn, from ``View.time``."""
    return property(lambda view: view.time[unit], doc=doc)


def state_field(name: str, doc: str, by: str = "common") -> CachedField[Any]:
    """Declare a field of a view: the state's, read by ``common``, ``each`` or ``own``.

    For example ``hand = state_field("hands", "(rows,) this seat's hand.", "own")``.
    """

    def field(view: View) -> Any:
        read: Callable[[Any], Any] = getattr(view, by)
        return read(getattr(view._state, name))

    field.__doc__ = doc
    return CachedField(field)
