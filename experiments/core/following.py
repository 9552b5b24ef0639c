"""Games in which a decision is declined: the same ones until then.

Until somebody declines, a game takes the course that it took where nobody does, so its
answers are those, and only who may decline is asked.
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
from strategies.declining import Declining
from strategies.restricted import Without


class Course(Listener):
    """Keeps every answer of some games.

    Not where rows are out of step, and none once a player writes something down, which
    it has to write itself.
    """

    def __init__(self, game: Game, size: int) -> None:
        self.taken: dict[tuple[str, int], Masks] = {}  # (games,) by kind and tick
        self._kinds, self._size = game.kinds, size
        self._noted = False

    def hears(self, name: str) -> bool:
        """Every decision."""
        return name in self._kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the answers."""
        self._noted = self._noted or bool(state.memory.any())
        if self._noted:
            self.taken.clear()
        elif not state.out_of_step:
            answers = np.zeros(self._size, dtype=np.uint64)
            answers[state.started] = choice.answer
            self.taken[choice.kind.name, state.clock.tick] = answers


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


class Restraining(Table):
    """A table at which who is kept from an option is asked with all others.

    He plays as they do until he would take it; there he is asked anew.
    """

    def __init__(
        self, lineup: Sequence[Strategy], sitting: Counts | None, *seated: Any
    ) -> None:
        alike = [getattr(one, "until_taken", one) for one in lineup]
        different = distinct(alike)
        sits = None if sitting is None else numbers_in(different, alike)[sitting]
        super().__init__(different, sits if len(different) > 1 else None, *seated)
        self._sits = sitting  # (seats, games) who is kept from what, or from nothing
        self._kept = {
            number: one
            for number, one in enumerate(lineup)
            if isinstance(one, Without) and one.until_taken is not one
        }

    def _of_rows(
        self, state: Any, kind: Decision, seat: Seat, rows: Rows | None, *asked: Any
    ) -> Masks:
        """As at any table, but for who would take what he may not."""
        answer = super()._of_rows(state, kind, seat, rows, *asked)
        kept = {n: one for n, one in self._kept.items() if one.kind == kind.name}
        if not kept or self._sits is None:
            return answer
        answer = answer.copy()  # what a view picked is to read only
        view = self._view(state, kind, seat, rows, *asked)
        at = state.started if rows is None else state.started.take(rows)
        who = self._sits[seat, at]
        for number, one in kept.items():
            takes = (answer & view.bits(one.option)) != masks.NOTHING
            some = np.flatnonzero(takes & (who == number))
            if len(some):
                answer[some] = self._answer(one, view.some(some))
        return answer


class Following(Table):
    """A table at which games take a course, until somebody declines."""

    def __init__(self, course: Course, *seated: Any) -> None:
        super().__init__(*seated)
        self._taken = course.taken
        self._same: Flags | None = None  # (games,) those that took that course so far
        self._decline = {
            number: one.kind
            for number, one in enumerate(self.lineup)
            if isinstance(one, Declining)
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
        taken = None if state.out_of_step else self._taken.get(_moment(state, kind))
        if taken is None or self.sitting is None:
            return super()._of_rows(state, kind, seat, rows, legal, most)
        if self._same is None:
            self._same = np.ones(len(taken), dtype=np.bool_)
        at = state.started if rows is None else state.started.take(rows)
        known = taken.take(at)
        asked = ~self._same.take(at) | (known == masks.NOTHING)
        who = self.sitting[seat, at]
        for number, declined in self._decline.items():
            if declined == kind.name:
                asked |= who == number
        some, answer = np.flatnonzero(asked), known.copy()
        if len(some):
            answer[some] = super()._of_rows(
                state,
                kind,
                seat if isinstance(seat, int) else seat.take(some),
                some if rows is None else rows.take(some),
                legal.take(some),
                None if most is None else most.take(some),
            )
        self._same[at] &= answer == known
        return answer


def _moment(state: State, kind: Decision) -> tuple[str, Any]:
    return kind.name, state.clock.tick
