"""The steps of a report while it plays: their progress, and results so far.

A progress may have more methods than a call with games done and games in all: ``step``
begins a step, with its title; ``tell`` shows a sentence; ``found`` gets the sums of a
cell as they grow.
"""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from experiments.core.cells import Cell, Pair
from experiments.execution.run import Progress
from reports.measures import concat_disjoint
from reports.report_document import Sentence

THE_PAGE = "the page"
"""The last step."""


class AwaitedCells:
    """Calls ``act`` once all games of some cells are played.

    cells: each with its number of games. act: gets the sums, which number the cells by
    place. It is called only once, so a test in it is one look, not many.
    """

    def __init__(
        self,
        cells: Sequence[tuple[Cell | Pair, int]],
        act: Callable[[pl.DataFrame], None],
    ) -> None:
        self._cells, self._act = cells, act
        self._sums: dict[int, pl.DataFrame] = {}

    def found(self, cell: Cell | Pair, sums: pl.DataFrame, games: int) -> None:
        """Receive the sums of the first ``games`` games of a cell."""
        for place, (awaited, whole) in enumerate(self._cells):
            if cell is awaited and games == whole:
                number = pl.lit(place, dtype=sums.schema["cell"])
                self._sums[place] = sums.with_columns(cell=number)
                if len(self._sums) == len(self._cells):
                    self._act(concat_disjoint(self._sums.values()))


class ReportProgress:
    """The progress of several parallel runs: shows the first unfinished one.

    It also passes sums to all that is ``awaited``.
    """

    def __init__(self, progress: Progress | None, names: Sequence[str]) -> None:
        self._progress, self._names = progress, [*names, THE_PAGE]
        self.awaited: tuple[AwaitedCells, ...] = ()
        self._done: dict[str, tuple[int, int]] = {}  # games done and games in all
        self._at = -1
        self._told: set[str] = set()
        self._begin_next()

    def of(self, name: str) -> "_Step":
        """Return the progress of a run."""
        return _Step(self, name)

    def done(self, name: str, done: int = 0, total: int = 0) -> None:
        """Set the games done in a step and in all; by default, it is complete."""
        self._done[name] = done, total
        if name == self.current_step:
            self._show()

    def all_done(self, names: Sequence[str]) -> None:
        """Say that steps are complete."""
        for name in names:
            self.done(name)

    def found(
        self, name: str, cell: Cell | Pair, sums: pl.DataFrame, games: int
    ) -> None:
        """Receive the sums of the first ``games`` games of a cell, in a step."""
        if name == self.current_step:
            self._pass("found", cell, sums, games)
        for awaited in self.awaited:
            awaited.found(cell, sums, games)

    @property
    def current_step(self) -> str:
        """The step that is shown."""
        return self._names[self._at]

    @property
    def has_audience(self) -> bool:
        """Whether sentences are shown."""
        return getattr(self._progress, "tell", None) is not None

    def tell(self, sentences: Sequence[Sentence], *more: str) -> None:
        """Show a sentence for each scorecard line that is wrong so far, and more."""
        for sentence in sentences:
            if sentence.line and sentence.line not in self._told:
                self._told.add(sentence.line)
                self._pass("tell", f"so far: {sentence.text}")
        for text in more:
            self._pass("tell", text)

    def _show(self) -> None:
        done, total = self._done[self.current_step]
        if self._progress is not None and total:
            self._progress(done, total)
        if done == total:
            self._begin_next()

    def _begin_next(self) -> None:
        self._at += 1
        self._pass("step", f"{self._at + 1} of {len(self._names)}, {self.current_step}")
        if self.current_step in self._done:
            self._show()

    def _pass(self, name: str, *values: Any) -> None:
        act = getattr(self._progress, name, None)
        if act is not None:
            act(*values)


class _Step:
    """The progress of a single run."""

    def __init__(self, steps: ReportProgress, name: str) -> None:
        self._steps, self._name = steps, name

    def __call__(self, done: int, total: int) -> None:
        """Set the games done, and the games in all."""
        self._steps.done(self._name, done, total)

    def found(self, cell: Cell | Pair, sums: pl.DataFrame, games: int) -> None:
        """Receive the sums of the first ``games`` games of a cell."""
        self._steps.found(self._name, cell, sums, games)
