"""The steps of a report while it plays: how far each is, and what is found so far.

A progress may know more than games done and games in all: ``step`` begins a step, with
its words; ``tell`` says a sentence; ``found`` is told the sums of a cell as they grow.
"""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from experiments.core.blocks import add_up
from experiments.core.cells import Cell, Pair
from experiments.execution.run import Progress
from reports.page import Sentence

THE_PAGE = "the page"
"""The last step."""


class Awaited:
    """Cells that are waited for: once all their games are played, ``act`` is called.

    cells: each with its number of games. act: is given their sums, by the cells' places
    in this row. It is called once, so a look that it takes is one look and not many.
    """

    def __init__(
        self,
        cells: Sequence[tuple[Cell | Pair, int]],
        act: Callable[[pl.DataFrame], None],
    ) -> None:
        self._cells, self._act = cells, act
        self._sums: dict[int, pl.DataFrame] = {}

    def found(self, cell: Cell | Pair, sums: pl.DataFrame, games: int) -> None:
        """The sums of the first games of a cell."""
        for place, (one, whole) in enumerate(self._cells):
            if cell is one and games == whole:
                number = pl.lit(place, dtype=sums.schema["cell"])
                self._sums[place] = sums.with_columns(cell=number)
                if len(self._sums) == len(self._cells):
                    self._act(
                        add_up([found for _, found in sorted(self._sums.items())])
                    )


class Steps:
    """The progress of several runs at once: told is the first that is not over.

    It heeds what cells are ``awaited``.
    """

    def __init__(self, progress: Progress | None, names: Sequence[str]) -> None:
        self._progress, self._names = progress, [*names, THE_PAGE]
        self.awaited: tuple[Awaited, ...] = ()
        self._done: dict[str, tuple[int, int]] = {}  # games done and games in all
        self._at = -1
        self._told: set[str] = set()
        self._begin_next()

    def of(self, name: str) -> "_Step":
        """The progress of a run."""
        return _Step(self, name)

    def done(self, name: str, done: int = 0, total: int = 0) -> None:
        """Of a step so many games are done; or all that there is to do."""
        self._done[name] = done, total
        if name == self.now:
            self._show()

    def found(
        self, name: str, cell: Cell | Pair, sums: pl.DataFrame, games: int
    ) -> None:
        """The sums of the first games of a cell, in a step."""
        if name == self.now:
            self._pass("found", cell, sums, games)
        for one in self.awaited:
            one.found(cell, sums, games)

    @property
    def now(self) -> str:
        """The step that is told."""
        return self._names[self._at]

    @property
    def heard(self) -> bool:
        """Whether anybody is told a sentence."""
        return getattr(self._progress, "tell", None) is not None

    def tell(self, sentences: Sequence[Sentence], *more: str) -> None:
        """Say what is wrong so far, a sentence a line of the scorecard; and more."""
        for one in sentences:
            if one.line and one.line not in self._told:
                self._told.add(one.line)
                self._pass("tell", f"so far: {one.text}")
        for text in more:
            self._pass("tell", text)

    def _show(self) -> None:
        done, total = self._done[self.now]
        if self._progress is not None and total:
            self._progress(done, total)
        if done == total:
            self._begin_next()

    def _begin_next(self) -> None:
        self._at += 1
        self._pass("step", f"{self._at + 1} of {len(self._names)}, {self.now}")
        if self.now in self._done:
            self._show()

    def _pass(self, name: str, *values: Any) -> None:
        act = getattr(self._progress, name, None)
        if act is not None:
            act(*values)


class _Step:
    """The progress of one of the runs."""

    def __init__(self, steps: Steps, name: str) -> None:
        self._steps, self._name = steps, name

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all."""
        self._steps.done(self._name, done, total)

    def found(self, cell: Cell | Pair, sums: pl.DataFrame, games: int) -> None:
        """The sums of the first games of a cell."""
        self._steps.found(self._name, cell, sums, games)
