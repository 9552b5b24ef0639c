"""The two doors: every decision is asked here, every outcome is noted here.

The rules ``ask`` what a seat does: the table hands the rows to the strategy
that sits there, with a view of what it may know, and checks the answer. The
rules ``emit`` what became of it; listeners turn notes into tables and
transcripts, and a note that nobody listens to costs next to nothing.
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
from sim.guard import Guard, OutOfTime, seconds_for
from sim.listener import Choice, Listener
from sim.masks import Flags, Masks
from sim.view import Rows, Seat, View


class Clock(Protocol):
    """Where in the game the rows stand; part of the state.

    A number is shared by all rows. In a state that is ``out_of_step`` it is (games,),
    and ``some(rows)`` is the clock of these rows only.
    """

    @property
    def tick(self) -> Counter:
        """A number of this moment's own, for chance."""

    def labels(self) -> dict[str, Any]:
        """Week, round and so on as a transcript tells them, from 1.

        Where the state has a vocabulary of that name, it is a number of it, from 0.
        """


class State(Protocol):
    """What a state of any game has."""

    players: int
    games: NDArray[np.uint64]  # (games,) index of each game in its run
    chance: Chance
    origin: Rows | None  # (games,) places at the start, once rows were dropped
    out_of_step: bool  # whether each row has a time of its own

    @property
    def start_rows(self) -> Rows:
        """(games,) places at the start."""

    @property
    def clock(self) -> Clock:
        """Where in the game all rows stand."""

    @property
    def options_per_token(self) -> int:
        """How many options a token of a bag has."""

    @property
    def vocabularies(self) -> Mapping[str, Sequence[str]]:
        """Vocabularies: for each, the id of every bit."""

    def ids(self, kind: Decision, seat: int, row: int) -> Sequence[Any]:
        """The id of every bit of an option, for this seat in this row."""

    def vocabulary_ids(self, words: str, row: int) -> Sequence[Any]:
        """The id of every bit of a vocabulary, in this row."""


class Player(Protocol):
    """What sits in a seat: answers a view with options."""

    @property
    def title(self) -> str:
        """Its name in tables, transcripts and errors."""

    def decide(self, view: Any) -> Masks:
        """(rows,) the answer for each row of the view."""


Asked = tuple[NDArray[np.uint8], list[tuple[int, Player]]]


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
        kinds: Mapping[str, Decision],
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.lineup = lineup
        self.sitting = sitting
        self.decisions = 0
        self._view = view
        self._kinds = kinds
        self._listeners = listeners
        self._hearing: dict[str, tuple[Listener, ...]] = {}  # by name, once asked
        self._asked: dict[str, Asked] = {}  # by kind of decision, the same

    @property
    def ignores_public_history(self) -> bool:
        """Whether nobody here asks for what ``BatchState.forget`` gives up.

        Players, all that they are made of and listeners say so, each class for itself:
        to be derived from one that does is not enough.
        """
        components = (getattr(one, "components", (one,)) for one in self.lineup)
        everybody = chain(*components, self._listeners)
        return all(
            vars(type(one)).get("ignores_public_history", False) for one in everybody
        )

    def hears(self, name: str) -> bool:
        """Whether anybody listens to notes of this name."""
        return bool(self._listeners_of(name))

    def requires_event_order(self, *names: str) -> bool:
        """Whether somebody has to hear notes of these names beside each other."""
        return any(
            one.needs_event_order for name in names for one in self._listeners_of(name)
        )

    def _listeners_of(self, name: str) -> tuple[Listener, ...]:
        """The listeners that want notes or choices of this name."""
        hearing = self._hearing.get(name)
        if hearing is None:
            hearing = tuple(one for one in self._listeners if one.hears(name))
            self._hearing[name] = hearing
        return hearing

    def emit(
        self,
        state: State,
        name: str,
        where: Flags | None = None,
        rows: Rows | None = None,
        **fields: Any,
    ) -> None:
        """Tell what became of it, in all rows or those flagged in ``where``.

        With ``rows`` it is about these, and arrays are theirs alone.
        """
        for listener in self._listeners_of(name):
            if rows is None:
                listener.event(state, name, where, fields)
            else:
                listener.event_of(state, name, rows, fields)

    def emit_sequence(
        self, state: State, name: str, rows: Rows, order: Rows, **fields: Any
    ) -> None:
        """Tell what became of rows one after the other, all at once.

        A row may come several times: ``order`` (rows,) rises, and what has the same
        number is told together. It is as good as a call of ``emit`` for each number.
        """
        for listener in self._listeners_of(name):
            listener.event_sequence(state, name, rows, order, fields)

    def emit_final_state(self, state: State, rows: Rows) -> None:
        """These rows are over, or are dealt to anew: a last look at what they hold.

        Games whose rows leave before the result is told call it; the ``conserved`` of
        their states takes the rows that are looked at, or none for all.
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
    ) -> Masks:
        """What ``seat`` chooses of ``legal`` in every row, (games,) each.

        Rows without an option are not asked and answer nothing; ``shown`` flags
        those that a transcript tells (by default those asked). With ``rows`` only
        these have the question; then all else, and the answer, is theirs alone.
        """
        kind = self._kinds[name]
        asked = legal != masks.NOTHING
        number = int(np.count_nonzero(asked))
        self.decisions += number
        if 0 < number == len(legal):
            answer = self._of_rows(state, kind, seat, rows, legal, most)
        else:
            answer = np.zeros_like(legal)
            some = masks.rows_where(asked)
            if number:
                answer[some] = self._of_rows(
                    state,
                    kind,
                    seat if isinstance(seat, int) else seat.take(some),
                    some if rows is None else rows.take(some),
                    legal.take(some),
                    None if most is None else most.take(some),
                )
        if listeners := self._listeners_of(name):
            flags = asked if shown is None else shown
            choice = Choice(kind, seat, legal, most, answer, flags)
            for listener in listeners:
                if rows is None:
                    listener.choice(state, choice)
                else:
                    listener.choice_of(state, rows, choice)
        return answer

    def count_forced(self, state: State, rows: Rows, number: Masks) -> None:
        """So many decisions with one option each, in these rows, that nobody hears."""
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
        """The answers of rows that all have a choice, from whoever sits there."""
        if self.sitting is None:
            view = self._view(state, kind, seat, rows, legal, most)
            return self._answer(self.lineup[0], view)
        if rows is None:
            rows = np.arange(len(legal))
        start = state.start_rows.take(rows)
        alike, players = self._players_asked(kind.name)
        who = alike.take(self.sitting[seat, start])
        answer = np.empty_like(legal)
        for number, player in players:
            part = masks.rows_where(who == number)
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

    def _players_asked(self, kind: str) -> Asked:
        """Those who are asked such a question, by number.

        First (lineup,) which of them answers as each player does: those who do alike
        are asked together.
        """
        known = self._asked.get(kind)
        if known is None:
            first: dict[Any, int] = {}
            numbers = [
                first.setdefault(_policy_key(player, kind) or number, number)
                for number, player in enumerate(self.lineup)
            ]
            players = [(number, self.lineup[number]) for number in first.values()]
            known = self._asked[kind] = np.array(numbers, dtype=np.uint8), players
        return known

    def _answer(self, player: Player, view: View) -> Masks:
        """One strategy's answers, checked."""
        try:
            with Guard(rows=len(view)):
                answer = player.decide(view)
        except (IllegalAnswer, StrategyFailed, KeyboardInterrupt):
            raise
        except OutOfTime:
            limit = seconds_for(len(view))
            raise _failed(player, view, f"gave no answer within {limit:g} s") from None
        except BaseException as error:  # SystemExit, or what a library panics with
            raise _failed(player, view, f"raised {error_text(error)}") from error
        check_answer(player, view, answer)
        return answer if answer is view._picked else answer.copy()


def _policy_key(player: Player, kind: str) -> Any:
    """What players who answer a kind of decision alike have in common, or None."""
    alike = getattr(player, "policy_key", None)
    return None if alike is None else alike(kind)


def _failed(player: Player, view: View, what: str) -> StrategyFailed:
    """What a strategy did in place of an answer, and where it was first asked."""
    what, colon, why = what.partition(": ")
    return StrategyFailed(
        f"strategy {player.title!r} {what} at {view.kind.name!r}, first asked "
        f"{place_of(view, 0)}{colon}{why}. Options there: {options_of(view, 0)}."
    )
