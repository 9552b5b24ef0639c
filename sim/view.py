"""What a seat may know, in all the games in which it has a choice."""

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Chance, Purpose
from sim.events import Decision
from sim.masks import Mask, Masks

Seat = int | NDArray[np.uint8]  # one seat for all rows, or one a row
Rows = NDArray[np.int64]
_CERTAIN = np.uint64(1 << masks.CHANCE_BITS)
STREAMS = 32
"""Streams of chance that a seat has at a moment (``View.substream``)."""
_STREAM = (1 << 16) // STREAMS  # draws of each


_Value = TypeVar("_Value")


class CachedField(cached_property[_Value]):
    """A ``cached_property`` without its lock: that costs more than most fields."""

    if not TYPE_CHECKING:

        def __get__(self, view: Any, owner: type | None = None) -> Any:
            if view is None:
                return self
            value = view.__dict__[self.attrname] = self.func(view)
            return value


class View:
    """What one seat may honestly know, gathered when it is asked for.

    A row is a game in which the seat has a choice. ``legal`` (rows,) are its
    options, ``most`` the number of tokens or cards that an answer takes, and
    ``seat`` who decides. Games add what their rulebook makes public.
    """

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
        self._picked: Masks | None = None  # of ``legal``: needs no check

    def __len__(self) -> int:
        return len(self.legal)

    @property
    def rules(self) -> Any:
        """The rules in force."""
        return self._state.rules

    @property
    def layout(self) -> Any:
        """What is in the box: cards, squares and their like as bits."""
        return self._state.layout

    @property
    def players(self) -> int:
        """How many play."""
        players: int = self._state.players
        return players

    @property
    def time(self) -> dict[str, Any]:
        """Week, round and so on, counted from 1; (rows,) where rows are out of step."""
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
        """The option that ends several decisions in a row; nothing where none does."""
        return self.bits(self.kind.stop) if self.kind.stop else masks.NOTHING

    def bits(self, name: str) -> Mask:
        """The options of this id; those that are alike share one."""
        ids = self._state.vocabularies[self.kind.vocabulary]
        return masks.union(number for number, one in enumerate(ids) if one == name)

    @property
    def most(self) -> NDArray[np.uint8]:
        """(rows,) how many tokens or cards an answer takes, at most or exactly.

        Of decisions in a row: how many there may be still.
        """
        if self._most is None:
            return np.ones(len(self), dtype=np.uint8)
        return self._most

    @property
    def supply(self) -> NDArray[np.uint8]:
        """(rows,) tokens that this seat still has for decisions in a row."""
        return self.most

    @property
    def memory(self) -> Masks:
        """(rows,) what this seat wrote down last; 0 if nothing."""
        memory: Masks = self.own(self._state.memory)
        return memory

    def remember(self, value: Masks) -> None:
        """Write a number down, (rows,): this seat's own, kept with the state."""
        self._state.memory.reshape(-1)[self._at] = value

    def with_legal(self, legal: Masks) -> Self:
        """The same moment, had the seat these options only."""
        rows, most = self._rows, self._most
        return type(self)(self._state, self.kind, self.seat, rows, legal, most)

    def substream(self, stream: int) -> Self:
        """The same moment with other chance: strategies that look at it share none.

        ``stream`` is a number below ``STREAMS``; 0 is what every view has.
        """
        other = self.with_legal(self.legal)
        other._draws = stream * _STREAM
        return other

    def take(self, rows: Rows) -> Self:
        """What the seat may know in some rows of this view; chance starts anew."""
        return type(self)(
            self._state,
            self.kind,
            self.seat if isinstance(self.seat, int) else self.seat.take(rows),
            rows if self._rows is None else self._rows.take(rows),
            self.legal.take(rows),
            None if self._most is None else self._most.take(rows),
        )

    def random(self) -> Masks:
        """(rows,) 21 random bits, fresh at each call: this seat's own chance."""
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
            if self.kind.form != "one":  # several draws are usual, and share 64 bits
                draw, part = divmod(draw, 3)
                counter = (3 << 32) + counter * 3 + part
        return chance.short_bits(Purpose.STRATEGY, counter, draw, rows)

    def uniform(self) -> NDArray[np.float64]:
        """(rows,) random numbers from 0 to 1, fresh at each call."""
        return self.random().astype(np.float64) * 2.0**-masks.CHANCE_BITS

    def pick(self, options: Masks) -> Masks:
        """(rows,) one of the options each, with equal probability."""
        if self._state.out_of_step:  # chance is drawn apart: only where it is needed
            picked = self.toss(options)
        else:
            picked = masks.pick(options, self.random())
        return self._checked(picked) if options is self.legal else picked

    def pick_or_stop(self) -> Masks:
        """(rows,) of decisions in a row: with n to come, to stop once in n + 1.

        Else any other option, each with equal probability: so the number of those
        that follow one another is uniform.
        """
        others = self.legal & ~self.stop
        chance = self.random()
        chance *= self.most + masks.ONE
        stops = chance < _CERTAIN  # what is left below is chance again
        chance &= _CERTAIN - masks.ONE
        picked = masks.pick(others, chance)
        stops |= others == masks.NOTHING
        stops &= self.legal != others
        return self._checked(masks.blend(stops, self.stop, picked))

    def _checked(self, picked: Masks) -> Masks:
        """An answer made here of the options alone."""
        picked.flags.writeable = False
        self._picked = picked
        return picked

    def toss(self, options: Masks, *, legal: bool = False) -> Masks:
        """(rows,) one of the options each; quick where most rows have but one.

        It counts as a draw even where no row needs it: other rows change nothing.
        ``legal`` options, at least one a row, are an answer that needs no check.
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
        """Where this seat's value lies in a flat (seats * games) field."""
        return self._place(0)

    @CachedField
    def _places(self) -> NDArray[np.int64]:
        """(seats, rows) where everybody's lies there, this seat first."""
        return self._place(np.arange(self.players)[:, None])

    def _place(self, ahead: int | NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the value of the seat so many places to the left lies there.

        ``ahead`` is one number, or (seats, 1) those of everybody, in order.
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
        """(seats, rows) a field by seat: this seat first, then clockwise."""
        return field.reshape(-1).take(self._places)

    def common(self, field: NDArray[Any]) -> NDArray[Any]:
        """(rows,) or (things, rows) of a field that has no seats, to read only."""
        if self._rows is not None:
            return field.take(self._rows, axis=-1)
        seen = field.view()
        seen.flags.writeable = False
        return seen


@lru_cache(maxsize=64)
def seats_around(players: int, step: int = 1) -> NDArray[np.int64]:
    """(seats ahead, seats) who sits so many places left of each; to read only.

    In steps of so many games: where his values begin in a flat (seats * games) field.
    """
    seats = np.arange(players)
    around: NDArray[np.int64] = (seats[:, None] + seats) % players * step
    around.flags.writeable = False
    return around


def clock_field(unit: str, doc: str) -> Any:
    """A field of a view: the week, round or turn, as its ``time`` has it."""
    return property(lambda view: view.time[unit], doc=doc)


def state_field(name: str, doc: str, by: str = "common") -> CachedField[Any]:
    """A field of a view: that of the state, as ``common``, ``each`` or ``own`` has it.

    As in ``hand = public("hands", "(rows,) the cards in this seat's hand.", "own")``.
    """

    def field(view: View) -> Any:
        read: Callable[[Any], Any] = getattr(view, by)
        return read(getattr(view._state, name))

    field.__doc__ = doc
    return CachedField(field)
