"""The steps of a report while it plays: which one it is, and what is found so far.

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
    """A progress of several runs in a row, which heeds what cells are ``awaited``."""

    def __init__(self, progress: Progress | None, names: Sequence[str]) -> None:
        self._progress, self._names = progress, names
        self.awaited: tuple[Awaited, ...] = ()
        self._at = 0
        self._told: set[str] = set()

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all, of this step."""
        if self._progress is not None:
            self._progress(done, total)

    def next(self) -> "Steps":
        """Begin the next step."""
        name = self._names[self._at]
        self._at += 1
        self._pass("step", f"{self._at} of {len(self._names)}, {name}")
        return self

    def found(self, cell: Cell | Pair, sums: pl.DataFrame, games: int) -> None:
        """The sums of the first games of a cell."""
        self._pass("found", cell, sums, games)
        for one in self.awaited:
            one.found(cell, sums, games)

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

    def _pass(self, name: str, *values: Any) -> None:
        act = getattr(self._progress, name, None)
        if act is not None:
            act(*values)
