"""Replay games up to the first answer that differs, without asking the players.

A game in which a seat declines a decision, or may not take an option, is the original
one until that seat deviates: until then only that seat is asked, all else is copied.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import distinct, lineup_numbers
from sim import masks
from sim.events import Decision
from sim.games import Game
from sim.listener import Choice, Listener
from sim.masks import Counts, Flags, Masks
from sim.table import State, Table, question_part
from sim.view import Rows, Seat
from strategies.base import Strategy
from strategies.restricted_play import WithoutOption

_CAPACITY = 64  # answers of a game that fit before the array is doubled


class RecordedAnswers(Listener):
    """Records the answers of games, each game's in order.

    It stops once a player writes to memory (``noted``), as copied answers do not.
    """

    ignores_public_history = True

    def __init__(self, game: Game, size: int) -> None:
        self.noted, self.size = False, size
        self._kinds = game.kinds
        self._made = np.zeros(size, dtype=np.int64)
        self._answers = np.zeros((_CAPACITY, size), dtype=np.uint64)  # (answers, games)

    def hears(self, name: str) -> bool:
        """Hear every decision."""
        return name in self._kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Record the answers of all rows."""
        self._keep(state, state.start_rows, choice)

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """Record the answers of these rows."""
        self._keep(state, state.start_rows.take(rows), choice)

    def _keep(self, state: Any, at: Rows, choice: Choice) -> None:
        self.noted = self.noted or bool(state.memory.any())
        if self.noted:
            return
        asked = masks.rows_where(choice.legal != masks.NOTHING)
        at = at.take(asked)
        made = self._made.take(at)
        if len(self._answers) == made.max(initial=0):
            room = np.zeros_like(self._answers)
            self._answers = np.concatenate([self._answers, room])
        self._answers[made, at] = choice.answer.take(asked)
        self._made[at] = made + 1

    def answers(self, number: NDArray[np.int64], game: Rows) -> Masks:
        """Return (rows,) these answers of these games; past the last one, any value."""
        answer: Masks = self._answers[np.minimum(number, len(self._answers) - 1), game]
        return answer


class ReplayUntilDeviation(Table):
    """A table at which games replay recorded ones until a player deviates.

    ``games`` (games,) is the recorded game that each replays, by default in order.
    """

    def __init__(
        self, recorded: RecordedAnswers, *seated: Any, games: Rows | None = None
    ) -> None:
        super().__init__(*seated)
        self._course = recorded
        self._of = np.arange(recorded.size) if games is None else games
        self._made = np.zeros(len(self._of), dtype=np.int64)  # answers so far
        self._on_course: Flags = np.ones(len(self._of), dtype=np.bool_)
        self._sits = self.sitting
        # By index in the lineup, the kind of decision that may deviate; "": any kind
        self._deviation_kinds = _deviation_kinds(self.lineup)

    def _of_rows(
        self,
        state: State,
        kind: Decision,
        seat: Seat,
        rows: Rows | None,
        legal: Masks,
        most: NDArray[np.uint8] | None,
    ) -> Masks:
        """Copy recorded answers, and ask in rows that may deviate."""
        asked = state, kind, seat, rows, legal, most
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        players = np.zeros(len(at), dtype=np.uint8)
        if self._sits is not None:
            players = self._sits[seat, at]
        if self._course.noted:
            return self._restrained(super()._of_rows(*asked), players, *asked)
        made, same = self._made.take(at), self._on_course.take(at)
        self._made[at] = made + 1
        known = self._course.answers(made, self._of.take(at))
        unknown = ~same
        for number, deviates in self._deviation_kinds.items():
            if deviates in ("", kind.name):
                unknown |= players == number
        to_ask, answer = masks.rows_where(unknown), known.copy()
        if len(to_ask):
            part = question_part(to_ask, seat, rows, legal, most)
            answer[to_ask] = super()._of_rows(state, kind, *part)
        answer = self._restrained(answer, players, *asked)
        self._on_course[at] = same & (answer == known)
        return answer

    def _restrained(self, answer: Masks, who: Counts, *asked: Any) -> Masks:
        """Return the answers, without those that their player may not give."""
        return answer


def _deviation_kinds(lineup: Iterable[Any]) -> dict[int, str]:
    """Return the kind of decision in which players may deviate, by their number."""
    return {
        number: player.deviation_kind
        for number, player in enumerate(lineup)
        if hasattr(player, "deviation_kind")
    }


class ReplayUntilBlocked(ReplayUntilDeviation):
    """A table at which restricted players are asked together with all others.

    A player without an option plays as its unrestricted policy until it would take the
    option, and is asked itself only there. So one call answers for all of them. With
    ``or_nothing`` those with no other option take nothing; else they take it anyway.
    """

    def __init__(
        self,
        recorded: RecordedAnswers,
        games: Rows,
        or_nothing: bool,
        lineup: Sequence[Strategy],
        sitting: Counts | None,
        *seated: Any,
    ) -> None:
        policies = [getattr(each, "shared_prefix_policy", each) for each in lineup]
        different = distinct(policies)
        sits = None if sitting is None else lineup_numbers(different, policies)[sitting]
        several = sits if len(different) > 1 else None
        super().__init__(recorded, different, several, *seated, games=games)
        self._sits = sitting  # (seats, games) index in the lineup, with restrictions
        self._or_nothing = or_nothing
        self._without = {
            number: seat
            for number, seat in enumerate(lineup)
            if isinstance(seat, WithoutOption) and seat.option
        }
        self._deviation_kinds = _deviation_kinds(
            seat if seat is policy else None
            for seat, policy in zip(lineup, policies, strict=True)
        )

    def _restrained(
        self, answer: Masks, who: Counts, state: State, kind: Decision, *asked: Any
    ) -> Masks:
        """Return the answers; players who would take a forbidden option are asked."""
        without = {n: p for n, p in self._without.items() if kind.name in p.kinds}
        if not without:
            return answer
        answer, view = answer.copy(), self._view(state, kind, *asked)
        for number, player in without.items():
            forbidden = player.forbidden(view)
            takes = (answer & forbidden) != masks.NOTHING
            rows = np.flatnonzero(takes & (who == number))
            if len(rows) and number not in self._deviation_kinds:
                answer[rows] = self._answer(player, view.take(rows))
            if self._or_nothing:
                answer[rows] &= ~forbidden
        return answer
