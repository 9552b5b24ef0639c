"""The two doors: every decision is asked here, every outcome is noted here.

The rules ``ask`` what a seat does: the table hands the rows to the strategy
that sits there, with a view of what it may know, and checks the answer. The
rules ``note`` what became of it; listeners turn notes into tables and
transcripts, and a note that nobody listens to costs next to nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Chance, Purpose
from sim.masks import Flags, Masks

Seat = int | NDArray[np.uint8]  # one seat for all rows, or one a row
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Kind:
    """A kind of decision.

    ``form`` says what an answer is: ``one`` bit of ``legal``; a ``sample`` of
    exactly ``most`` bits; or a ``bag``: up to ``most`` tokens, each on one of
    ``width`` options, one field of ``legal`` a token. In a transcript ``clock``
    names what is told of the time, ``bound`` stands for ``legal`` where there
    are too many options to list, and ``tally`` tells tokens as option -> number.
    """

    name: str
    doc: str
    words: str  # the vocabulary of its options
    clock: tuple[str, ...] = ()
    form: Literal["one", "sample", "bag"] = "one"
    bound: str = ""
    tally: bool = False


@dataclass(frozen=True)
class Field:
    """What a note tells: a number, or what ``words`` calls it.

    ``form``: ``seat`` (-1 nobody), ``code`` (a number of the vocabulary), ``bit``
    (a lone bit), ``set`` (a mask), ``drawn`` (by seat, 0 who drew none). With
    ``told`` off it is in the table, not in the transcript.
    """

    doc: str
    form: Literal["number", "seat", "code", "bit", "set", "drawn"] = "number"
    words: str = ""
    told: bool = True


@dataclass(frozen=True)
class Note:
    """A kind of note: an event of the transcript, and a row of a table."""

    type: Literal["chance", "outcome", "result"]
    doc: str
    fields: Mapping[str, Field]


class Clock(Protocol):
    """Where in the game all rows stand; part of the state."""

    @property
    def tick(self) -> int:
        """A number of this moment's own, for chance."""

    def told(self) -> dict[str, int]:
        """Week, round and so on as a transcript tells them, from 1."""


class State(Protocol):
    """What a state of any game has."""

    players: int
    games: NDArray[np.uint64]  # (games,) index of each game in its run
    chance: Chance

    @property
    def clock(self) -> Clock:
        """Where in the game all rows stand."""

    @property
    def width(self) -> int:
        """How many options a token of a bag has."""

    @property
    def words(self) -> Mapping[str, Sequence[str]]:
        """Vocabularies: for each, the id of every bit."""


class View:
    """What one seat may honestly know, gathered when it is asked for.

    A row is a game in which the seat has a choice. ``legal`` (rows,) are its
    options, ``most`` the number of tokens or cards that an answer takes, and
    ``seat`` who decides. Games add what their rulebook makes public.
    """

    def __init__(
        self,
        state: Any,
        kind: Kind,
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
    def players(self) -> int:
        """How many play."""
        players: int = self._state.players
        return players

    @property
    def time(self) -> dict[str, int]:
        """Week, round and so on, counted from 1."""
        told: dict[str, int] = self._state.clock.told()
        return told

    @property
    def width(self) -> int:
        """How many options each token of a bag has."""
        width: int = self._state.width
        return width

    @property
    def most(self) -> NDArray[np.uint8]:
        """(rows,) how many tokens or cards an answer takes, at most or exactly."""
        if self._most is None:
            return np.ones(len(self), dtype=np.uint8)
        return self._most

    def random(self) -> Masks:
        """(rows,) 21 random bits, fresh at each call: this seat's own chance."""
        chance: Chance = self._state.chance
        counter, draw = self._state.clock.tick, self._draws
        if self.kind.form != "one":  # several draws are usual, and share 64 bits
            draw, part = divmod(draw, 3)
            counter = (3 << 32) + counter * 3 + part
        bits = chance.small(Purpose.STRATEGY, counter, draw)
        self._draws += 1
        return bits if self._rows is None else bits.take(self._rows)

    def uniform(self) -> NDArray[np.float64]:
        """(rows,) random numbers from 0 to 1, fresh at each call."""
        return self.random().astype(np.float64) * 2.0**-masks.CHANCE_BITS

    def pick(self, options: Masks) -> Masks:
        """(rows,) one of the options each, with equal probability."""
        picked = masks.pick(options, self.random())
        if options is self.legal:
            picked.flags.writeable = False
            self._picked = picked
        return picked

    @cached_property
    def _at(self) -> NDArray[np.int64]:
        """Where this seat's value lies in a flat (seats * games) field."""
        return self._place(0)

    def _place(self, ahead: int) -> NDArray[np.int64]:
        """The same of the seat so many places to the left."""
        games = len(self._state.games)
        rows = np.arange(games) if self._rows is None else self._rows
        place = np.asarray(self.seat).astype(np.int64)
        if ahead:
            place = place + ahead
            place -= self.players * (place >= self.players)
        return place * games + rows

    def own(self, field: NDArray[Any]) -> NDArray[Any]:
        """(rows,) this seat's value of a (seats, games) field."""
        if isinstance(self.seat, int):
            return self.common(field[self.seat])
        return field.reshape(-1).take(self._at)

    def each(self, field: NDArray[Any]) -> NDArray[Any]:
        """(seats, rows) a field by seat: this seat first, then clockwise."""
        flat = field.reshape(-1)
        return np.stack(
            [flat.take(self._place(ahead)) for ahead in range(self.players)]
        )

    def common(self, field: NDArray[Any]) -> NDArray[Any]:
        """(rows,) or (things, rows) of a field that has no seats, to read only."""
        if self._rows is not None:
            return field.take(self._rows, axis=-1)
        seen = field.view()
        seen.flags.writeable = False
        return seen


class Player(Protocol):
    """What sits in a seat: answers a view with options."""

    @property
    def title(self) -> str:
        """Its name in tables, transcripts and errors."""

    def decide(self, view: Any) -> Masks:
        """(rows,) the answer for each row of the view."""


class Listener(Protocol):
    """Who is told of choices and notes."""

    def hears(self, name: str) -> bool:
        """Whether notes or choices of this name are wanted."""

    def choice(
        self,
        state: Any,
        kind: Kind,
        seat: Seat,
        legal: Masks,
        most: NDArray[np.uint8] | None,
        answer: Masks,
        asked: Flags,
    ) -> None:
        """A choice of all rows; ``asked`` flags those that had it."""

    def note(
        self, state: Any, name: str, where: Flags | None, fields: Mapping[str, Any]
    ) -> None:
        """A note about all rows, or about those flagged in ``where``."""


class IllegalAnswer(Exception):
    """A strategy answered with what is no option, or not in the right form."""


class StrategyFailed(Exception):
    """A strategy raised an error of its own."""


class Table:
    """Who sits where, and who listens.

    ``sitting`` (seats, games) numbers the players of ``lineup``; None seats the
    only one everywhere. ``decisions`` counts the choices offered so far.
    """

    def __init__(
        self,
        lineup: Sequence[Player],
        sitting: NDArray[np.uint8] | None,
        view: type[View],
        kinds: Mapping[str, Kind],
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.lineup = lineup
        self.sitting = sitting
        self.decisions = 0
        self._view = view
        self._kinds = kinds
        self._listeners = listeners

    def hears(self, name: str) -> bool:
        """Whether anybody listens to notes of this name."""
        return any(listener.hears(name) for listener in self._listeners)

    def note(
        self, state: State, name: str, where: Flags | None = None, **fields: Any
    ) -> None:
        """Tell what became of it, in all rows or those flagged in ``where``."""
        for listener in self._listeners:
            if listener.hears(name):
                listener.note(state, name, where, fields)

    def ask(
        self,
        state: State,
        name: str,
        seat: Seat,
        legal: Masks,
        most: NDArray[np.uint8] | None = None,
        told: Flags | None = None,
    ) -> Masks:
        """(games,) what ``seat`` chooses of ``legal`` in every row.

        Rows without an option are not asked and answer nothing; ``told`` flags
        those that a transcript tells (by default those asked).
        """
        kind = self._kinds[name]
        asked = legal != masks.NOTHING
        number = int(np.count_nonzero(asked))
        self.decisions += number
        if number == len(legal):
            answer = self._of_rows(state, kind, seat, None, legal, most)
        else:
            answer = np.zeros_like(legal)
            rows = np.flatnonzero(asked)
            if number:
                answer[rows] = self._of_rows(
                    state,
                    kind,
                    seat if isinstance(seat, int) else seat.take(rows),
                    rows,
                    legal.take(rows),
                    None if most is None else most.take(rows),
                )
        for listener in self._listeners:
            if listener.hears(name):
                flags = asked if told is None else told
                listener.choice(state, kind, seat, legal, most, answer, flags)
        return answer

    def _of_rows(
        self,
        state: State,
        kind: Kind,
        seat: Seat,
        rows: Rows | None,
        legal: Masks,
        most: NDArray[np.uint8] | None,
    ) -> Masks:
        """The answers of rows that all have a choice, from whoever sits there."""
        if self.sitting is None:
            view = self._view(state, kind, seat, rows, legal, most)
            return self._answer(self.lineup[0], view)
        if rows is None:
            rows = np.arange(len(legal))
        who = self.sitting[seat, rows]
        answer = np.empty_like(legal)
        for number, player in enumerate(self.lineup):
            part = np.flatnonzero(who == number)
            if len(part):
                view = self._view(
                    state,
                    kind,
                    seat if isinstance(seat, int) else seat.take(part),
                    rows.take(part),
                    legal.take(part),
                    None if most is None else most.take(part),
                )
                answer[part] = self._answer(player, view)
        return answer

    def _answer(self, player: Player, view: View) -> Masks:
        """One strategy's answers, checked."""
        try:
            answer = player.decide(view)
        except IllegalAnswer:
            raise
        except Exception as error:
            raise StrategyFailed(
                f"strategy {player.title!r} raised {type(error).__name__} at "
                f"{view.kind.name!r}, first asked {place_of(view, 0)}: {error}. "
                f"Options there: {options_of(view, 0)}."
            ) from error
        check_answer(player, view, answer)
        return answer if answer is view._picked else answer.copy()


def check_answer(player: Player, view: View, answer: Any) -> None:
    """Refuse an answer that is no option; raises ``IllegalAnswer``."""
    if answer is view._picked and answer is not None and view.kind.form == "one":
        return
    if not isinstance(answer, np.ndarray) or answer.dtype != np.uint64:
        what = getattr(answer, "dtype", type(answer).__name__)
        raise _illegal(player, view, f"{what}, not an array of uint64 masks", 0)
    if answer.shape != view.legal.shape:
        wrong = f"shape {answer.shape}, not {view.legal.shape}"
        raise _illegal(player, view, wrong, 0)
    if view.kind.form == "one":
        right = np.bitwise_count(answer) == 1
        right &= (answer & view.legal) == answer
    else:
        right = _several(view, answer)
    if not right.all():
        row = int(np.flatnonzero(~right)[0])
        raise _illegal(player, view, _named(view, answer[row]), row)


def _illegal(player: Player, view: View, answer: str, row: int) -> IllegalAnswer:
    return IllegalAnswer(
        f"strategy {player.title!r} answered {view.kind.name!r} with {answer} "
        f"{place_of(view, row)}. Options: {options_of(view, row)}."
    )


def _several(view: View, answer: Masks) -> Flags:
    """Which answers of several bits are right."""
    size = masks.count(answer)
    right: Flags = (answer & ~view.legal) == 0
    if view.kind.form == "sample":
        return right & (size == view.most)
    right &= size <= view.most
    field = masks.span(0, view._state.width)
    for token in range(int(view.most.max(initial=0))):
        part = answer >> np.uint64(token * view._state.width) & field
        right &= (part & (part - masks.ONE)) == 0
    return right


def _game(view: View, row: int) -> int:
    place = row if view._rows is None else int(view._rows[row])
    return int(view._state.games[place])


def place_of(view: View, row: int) -> str:
    """Where a row of a view is, for a message: game, time and seat."""
    clock = view._state.clock.told()
    seat = view.seat if isinstance(view.seat, int) else int(view.seat[row])
    where = ", ".join(f"{key} {value}" for key, value in clock.items())
    return f"in game {_game(view, row)} ({where}, seat {seat})"


def _named(view: View, answer: np.uint64) -> str:
    ids = view._state.words[view.kind.words]
    named = [ids[n] if n < len(ids) else f"bit {n}" for n in masks.members(answer)]
    return " + ".join(named) if named else "nothing"


def options_of(view: View, row: int) -> str:
    """The options of a row of a view, for a message."""
    ids = view._state.words[view.kind.words]
    names = dict.fromkeys(ids[n] for n in masks.members(view.legal[row]))
    text = ", ".join(names)
    if view.kind.form == "bag":
        return f"up to {view.most[row]} on {text}"
    if view.kind.form == "sample":
        return f"{view.most[row]} of {text}"
    return text
