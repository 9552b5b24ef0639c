"""The table: every decision is asked here, and every outcome is announced here.

The rules ``ask`` what a seat does: the table hands the rows to the strategy that sits
there, with a view of what it may know, and checks the answer. The rules ``emit`` events
about what happened; listeners turn them into tables and transcripts, and an event that
nobody listens to costs next to nothing.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.answers import IllegalAnswer, check_answer, options_of, place_of
from sim.chance import Chance, Counter
from sim.errors import error_text
from sim.events import Decision
from sim.guard import Guard, OutOfTime, may_be_interrupted, seconds_for
from sim.listener import Choice, Listener
from sim.masks import Flags, Masks
from sim.own_files import own_line
from sim.view import Rows, Seat, View


class Clock(Protocol):
    """The point that play has reached; part of the state.

    All rows share one number. In a state that is ``out_of_step`` it is (games,), and
    ``take(rows)`` is the clock of these rows only.
    """

    @property
    def tick(self) -> Counter:
        """A number unique to this moment, as the counter of random numbers."""

    def labels(self) -> dict[str, Any]:
        """Week, round and so on as transcripts show them, counted from 1.

        Where the state has a vocabulary of that name, an index into it, from 0.
        """


class State(Protocol):
    """What the state of every game provides."""

    players: int
    games: NDArray[np.uint64]  # (games,) index of each game in its run
    chance: Chance
    origin: Rows | None  # (games,) rows at the start, once rows were dropped
    out_of_step: bool  # whether each row has a clock of its own

    @property
    def start_rows(self) -> Rows:
        """(games,) the row that each game had at the start."""

    @property
    def clock(self) -> Clock:
        """The point that play has reached."""

    @property
    def options_per_token(self) -> int:
        """How many options each token of a bag has."""

    @property
    def vocabularies(self) -> Mapping[str, Sequence[str]]:
        """By name of a vocabulary, the id of every bit."""

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[Any]:
        """The id of every option bit, for this seat in this row."""

    def vocabulary_ids(self, words: str, row: int) -> Sequence[Any]:
        """The id of every bit of a vocabulary, in this row."""


class Player(Protocol):
    """A strategy that sits in a seat: answers a view with options."""

    @property
    def title(self) -> str:
        """Its name in tables, transcripts and errors."""

    def decide(self, view: Any) -> Masks:
        """(rows,) the answer in each row of the view."""


Sitting = NDArray[np.unsignedinteger[Any]]
"""(seats, games) the index of each seat's player in a lineup."""
Asked = tuple[NDArray[np.uint16], list[tuple[int, Player]]]


class StrategyFailed(Exception):
    """A strategy raised an error of its own."""


class Table:
    """The players in their seats, and the listeners.

    ``sitting`` (seats, games) holds indices into ``lineup``; None seats its only player
    everywhere. ``decisions`` counts the choices offered so far.
    """

    def __init__(
        self,
        lineup: Sequence[Player],
        sitting: Sitting | None,
        view: type[View],
        kinds: Mapping[str, Decision],
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.lineup = lineup
        self.sitting = sitting
        self.decisions = 0
        self._view = view
        self._kinds = kinds
        self._listeners = listeners
        self._listeners_by_name: dict[str, tuple[Listener, ...]] = {}  # cached
        self._asked: dict[str, Asked] = {}  # by kind of decision, cached

    @property
    def ignores_public_history(self) -> bool:
        """Whether no player or listener needs the public history.

        ``BatchState.drop_public_history`` says what that is. Each class, of players,
        their components and listeners, declares it for itself: inheriting the
        declaration is not enough, as a subclass may look at more.
        """
        players = (getattr(one, "components", (one,)) for one in self.lineup)
        classes = map(type, chain(*players, self._listeners))
        return all(vars(one).get("ignores_public_history", False) for one in classes)

    def hears(self, name: str) -> bool:
        """Whether anybody listens to events of this name."""
        return bool(self._listeners_of(name))

    def requires_event_order(self, *names: str) -> bool:
        """Whether some listener needs events of these names in their true order."""
        return any(
            one.needs_event_order for name in names for one in self._listeners_of(name)
        )

    def _listeners_of(self, name: str) -> tuple[Listener, ...]:
        """The listeners to events or choices of this name."""
        listeners = self._listeners_by_name.get(name)
        if listeners is None:  # asked once a name: this is called for every event
            listeners = tuple(one for one in self._listeners if one.hears(name))
            self._listeners_by_name[name] = listeners
        return listeners

    def emit(
        self,
        state: State,
        name: str,
        where: Flags | None = None,
        rows: Rows | None = None,
        **fields: Any,
    ) -> None:
        """Announce an event, in all rows or those flagged in ``where``.

        With ``rows`` it is about these rows, and arrays hold their values only.
        """
        for listener in self._listeners_of(name):
            if rows is None:
                listener.event(state, name, where, fields)
            else:
                listener.event_of(state, name, rows, fields)

    def emit_sequence(
        self, state: State, name: str, rows: Rows, order: Rows, **fields: Any
    ) -> None:
        """Announce a sequence of events in one call.

        A row may occur several times: ``order`` (rows,) rises, and entries of the same
        number are one event. Equivalent to one call of ``emit`` for each number.
        """
        for listener in self._listeners_of(name):
            listener.event_sequence(state, name, rows, order, fields)

    def emit_final_state(self, state: State, rows: Rows) -> None:
        """Show listeners the final state of rows that end or are dealt anew.

        Called by games whose rows are dropped or reused before the result is announced.
        """
        if len(rows):
            for listener in self._listeners:
                listener.final_state(state, rows)

    def ask(
        self,
        state: State,
        name: str,
        seat: Seat,
        legal: Masks,
        *,
        most: NDArray[np.uint8] | None = None,
        shown: Flags | None = None,
        rows: Rows | None = None,
        simultaneous: Flags | None = None,
    ) -> Masks:
        """Ask ``seat`` to choose from ``legal``; returns the choices, (games,).

        Rows without a legal option are not asked and answer nothing. ``most`` (games,)
        limits answers of several bits; ``shown`` flags the rows that transcripts
        include (by default those asked), and ``simultaneous`` those in which this is
        decided at the same time as what was asked before. With ``rows`` only these are
        asked; all other arguments, and the answer, are then (rows,). Raises
        ``IllegalAnswer`` and ``StrategyFailed``.
        """
        kind = self._kinds[name]
        asked = legal != masks.NOTHING
        number = int(np.count_nonzero(asked))
        self.decisions += number
        if 0 < number == len(legal):
            answer = self._of_rows(state, kind, seat, rows, legal, most)
        else:
            answer = np.zeros_like(legal)
            at = masks.rows_where(asked)
            if number:
                part = question_part(at, seat, rows, legal, most)
                answer[at] = self._of_rows(state, kind, *part)
        if listeners := self._listeners_of(name):
            flags = asked if shown is None else shown
            choice = Choice(kind, seat, legal, most, answer, flags, simultaneous)
            for listener in listeners:
                if rows is None:
                    listener.choice(state, choice)
                else:
                    listener.choice_of(state, rows, choice)
        return answer

    def count_forced(self, state: State, rows: Rows, number: Masks) -> None:
        """Count ``number`` forced decisions in each row, which no listener hears of.

        For games that skip ahead where every turn has a single option.
        """
        self.decisions += int(number.sum())

    def _of_rows(
        self,
        state: State,
        kind: Decision,
        seat: Seat,
        rows: Rows | None,
        legal: Masks,
        most: NDArray[np.uint8] | None,
    ) -> Masks:
        """The answers of the players that sit there, in rows that all have a choice."""
        if self.sitting is None:
            view = self._view(state, kind, seat, rows, legal, most)
            return self._answer(self.lineup[0], view)
        if rows is None:
            rows = np.arange(len(legal))
        start = state.start_rows.take(rows)
        asked, players = self._players_asked(kind.name)
        who = asked.take(self.sitting[seat, start])
        answer = np.empty_like(legal)
        for number, player in players:
            at = masks.rows_where(who == number)
            if len(at):
                part = question_part(at, seat, rows, legal, most)
                answer[at] = self._answer(player, self._view(state, kind, *part))
        return answer

    def _players_asked(self, kind: str) -> Asked:
        """The players who are asked such a decision, with their index in the lineup.

        First (lineup,) the index of the one who answers for each player: players with
        the same policy for this kind are asked in one call, which is quicker.
        """
        cached = self._asked.get(kind)
        if cached is None:
            first: dict[Any, int] = {}
            numbers = [
                first.setdefault(_policy_key(player, kind) or number, number)
                for number, player in enumerate(self.lineup)
            ]
            players = [(number, self.lineup[number]) for number in first.values()]
            cached = self._asked[kind] = np.array(numbers, dtype=np.uint16), players
        return cached

    def _answer(self, player: Player, view: View) -> Masks:
        """One strategy's answers, checked, within its time limit."""
        try:
            with Guard(rows=len(view)):
                answer = player.decide(view)
        except (IllegalAnswer, StrategyFailed):
            raise
        except OutOfTime as error:
            limit = error.limit(seconds_for(len(view)))
            raise _failed(player, view, f"gave no answer within {limit}") from None
        except BaseException as error:  # SystemExit, or what a library panics with
            if isinstance(error, KeyboardInterrupt) and may_be_interrupted():
                raise
            failed = _failed(player, view, f"raised {error_text(error)}", error)
            raise failed from error
        check_answer(player, view, answer)
        return answer if answer is view._picked else answer.copy()


def question_part(
    at: Rows,
    seat: Seat,
    rows: Rows | None,
    legal: Masks,
    most: NDArray[np.uint8] | None,
) -> tuple[Seat, Rows, Masks, NDArray[np.uint8] | None]:
    """A question of ``_of_rows`` in some of its rows, ``at`` these places."""
    return (
        seat if isinstance(seat, int) else seat.take(at),
        at if rows is None else rows.take(at),
        legal.take(at),
        None if most is None else most.take(at),
    )


def _policy_key(player: Player, kind: str) -> Any:
    """What identifies a player's policy for a kind of decision, or None."""
    policy_key = getattr(player, "policy_key", None)
    return None if policy_key is None else policy_key(kind)


def _failed(
    player: Player, view: View, what: str, error: BaseException | None = None
) -> StrategyFailed:
    """An error that says what a strategy did instead of answering, and where."""
    what, colon, why = what.partition(": ")
    line = "" if error is None else own_line(error)
    where = f": {line}" if line else ""
    return StrategyFailed(
        f"strategy {player.title!r} {what} at {view.kind.name!r}, first asked "
        f"{place_of(view, 0)}{where}{colon}{why}. Options there: "
        f"{options_of(view, 0)}."
    )
