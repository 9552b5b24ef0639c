"""Games in which somebody declines, or may not take an option: the same until then.

Until somebody departs from it, a game takes the course that it took where nobody does,
so its answers are those, and only who may depart is asked.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import distinct, numbers_in
from sim import masks
from sim.events import Decision
from sim.games import Game
from sim.listener import Choice, Listener
from sim.masks import Counts, Flags, Masks
from sim.table import State, Table
from sim.view import Rows, Seat
from strategies.base import Strategy
from strategies.decliner import Decliner
from strategies.restricted_play import OnlyKinds, WithoutOption

_FEW = 64  # answers of a game that there is room for at first


class Course(Listener):
    """Keeps the answers of some games, those of each in their order.

    None once a player writes something down, which it has to write itself (``noted``).
    """

    ignores_public_history = True

    def __init__(self, game: Game, size: int) -> None:
        self.noted, self.size = False, size
        self._kinds = game.kinds
        self._made = np.zeros(size, dtype=np.int64)
        self._answers = np.zeros((_FEW, size), dtype=np.uint64)  # (answers, games)

    def hears(self, name: str) -> bool:
        """Every decision."""
        return name in self._kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the answers of all rows."""
        self._keep(state, state.start_rows, choice)

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """Keep those of these rows."""
        self._keep(state, state.start_rows.take(rows), choice)

    def _keep(self, state: Any, at: Rows, choice: Choice) -> None:
        self.noted = self.noted or bool(state.memory.any())
        if self.noted:
            return
        some = masks.rows_where(choice.legal != masks.NOTHING)  # who was asked
        at = at.take(some)
        made = self._made.take(at)
        if len(self._answers) == made.max(initial=0):
            self._answers = np.concatenate(
                [self._answers, np.zeros_like(self._answers)]
            )
        self._answers[made, at] = choice.answer.take(some)
        self._made[at] = made + 1

    def answers(self, number: NDArray[np.int64], game: Rows) -> Masks:
        """(rows,) these answers of these games; whatever after the last one."""
        found: Masks = self._answers[np.minimum(number, len(self._answers) - 1), game]
        return found


class Keeping(Table):
    """A table that keeps every answer, for the same games to be played once more.

    Nothing in place of those that a player gives who writes something down.
    """

    def __init__(self, kept: list[Masks | None], *seated: Any) -> None:
        super().__init__(*seated)
        self._kept = kept

    def _of_rows(self, state: Any, *asked: Any) -> Masks:
        """As at any table."""
        noted = state.memory.any()
        answer = super()._of_rows(state, *asked)
        noted |= state.memory.any()
        self._kept.append(None if noted else answer.copy())
        return answer


class Repeating(Table):
    """A table at which games are played as they were when all answers were kept."""

    def __init__(self, kept: Iterable[Masks | None], *seated: Any) -> None:
        super().__init__(*seated)
        self._kept = iter(kept)

    def _of_rows(self, *asked: Any) -> Masks:
        """The next answer that was kept."""
        known = next(self._kept)
        return super()._of_rows(*asked) if known is None else known


class Following(Table):
    """A table at which games take a course, until somebody departs from it.

    ``of``: which game of the course each game is; all in their order, if none is told.
    """

    def __init__(self, course: Course, *seated: Any, of: Rows | None = None) -> None:
        super().__init__(*seated)
        self._course = course
        self._of = np.arange(course.size) if of is None else of
        self._made = np.zeros(len(self._of), dtype=np.int64)  # answers so far
        self._same: Flags = np.ones(len(self._of), dtype=np.bool_)  # still on course
        self._sits = self.sitting
        # By number in the lineup, in which decisions he may depart; "": in any.
        self._departs = {
            number: one.kind
            for number, one in enumerate(self.lineup)
            if isinstance(one, Decliner)
        }

    def _of_rows(
        self,
        state: State,
        kind: Decision,
        seat: Seat,
        rows: Rows | None,
        legal: Masks,
        most: NDArray[np.uint8] | None,
    ) -> Masks:
        """As at any table, for rows in which the answer is not known."""
        asked = state, kind, seat, rows, legal, most
        if self._sits is None:
            return super()._of_rows(*asked)
        at = state.start_rows if rows is None else state.start_rows.take(rows)
        who = self._sits[seat, at]
        if self._course.noted:
            return self._restrained(super()._of_rows(*asked), who, *asked)
        made, same = self._made.take(at), self._same.take(at)
        self._made[at] = made + 1
        known = self._course.answers(made, self._of.take(at))
        unknown = ~same
        for number, departs in self._departs.items():
            if departs in ("", kind.name):
                unknown |= who == number
        some, answer = masks.rows_where(unknown), known.copy()
        if len(some):
            answer[some] = super()._of_rows(
                state,
                kind,
                seat if isinstance(seat, int) else seat.take(some),
                some if rows is None else rows.take(some),
                legal.take(some),
                None if most is None else most.take(some),
            )
        answer = self._restrained(answer, who, *asked)
        self._same[at] = same & (answer == known)
        return answer

    def _restrained(self, answer: Masks, who: Counts, *asked: Any) -> Masks:
        """The answers of those who may not give all of them."""
        return answer


class Restraining(Following):
    """A table at which who is kept from an option is asked with all others.

    He plays as they do until he would take it; there he is asked anew. Until then the
    game takes the course that it took where nobody is kept from anything.
    """

    def __init__(
        self,
        course: Course,
        of: Rows,
        lineup: Sequence[Strategy],
        sitting: Counts | None,
        *seated: Any,
    ) -> None:
        alike = [getattr(one, "shared_prefix_policy", one) for one in lineup]
        different = distinct(alike)
        sits = None if sitting is None else numbers_in(different, alike)[sitting]
        several = sits if len(different) > 1 else None
        super().__init__(course, different, several, *seated, of=of)
        self._sits = sitting  # (seats, games) who is kept from what, or from nothing
        self._kept: dict[int, WithoutOption] = {}
        self._departs = {}
        for number, one in enumerate(lineup):
            if isinstance(one, WithoutOption) and one.shared_prefix_policy is not one:
                self._kept[number] = one
            elif isinstance(one, WithoutOption | OnlyKinds):
                self._departs[number] = one.deviation_kind

    def _restrained(
        self,
        answer: Masks,
        who: Counts,
        state: State,
        kind: Decision,
        *asked: Any,
    ) -> Masks:
        """Where somebody would take what he may not, he is asked what else he takes."""
        kept = {n: one for n, one in self._kept.items() if one.kind == kind.name}
        if not kept:
            return answer
        answer, view = answer.copy(), self._view(state, kind, *asked)
        for number, one in kept.items():
            takes = (answer & view.bits(one.option)) != masks.NOTHING
            some = np.flatnonzero(takes & (who == number))
            if len(some):
                answer[some] = self._answer(one, view.take(some))
        return answer
