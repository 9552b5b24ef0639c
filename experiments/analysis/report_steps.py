"""The steps of a report while it plays: which one it is, and what is sure so far.

A progress may know more than games done and games in all: ``step`` begins a step, with
its words; ``tell`` says a sentence; ``found`` is told the sums of a cell as they grow.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from experiments.core.cells import Cell, Pair
from experiments.execution.run import Progress

Early = Callable[[pl.DataFrame, bool], Mapping[str, str]]
"""From sums, of the leading cell alone or of all, to sentences by line."""


class Steps:
    """A progress of several runs in a row.

    ``early`` makes sentences of what was found so far: once all games of the cell
    ``lead`` are played (one look, not many), and again when it is asked (``look``).
    """

    def __init__(
        self,
        progress: Progress | None,
        names: Sequence[str],
        lead: tuple[Cell | Pair, int],
        early: Early,
    ) -> None:
        self._progress, self._names, self._early = progress, names, early
        self._lead, self._games = lead
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
        if cell is self._lead and games == self._games:
            self._say(sums, False)

    def look(self, sums: pl.DataFrame) -> None:
        """The sums of all cells."""
        self._say(sums, True)

    def _say(self, sums: pl.DataFrame, whole: bool) -> None:
        if getattr(self._progress, "tell", None) is None:
            return
        for line, text in self._early(sums, whole).items():
            if line not in self._told:
                self._told.add(line)
                self._pass("tell", f"so far: {text}")

    def _pass(self, name: str, *values: Any) -> None:
        act = getattr(self._progress, name, None)
        if act is not None:
            act(*values)
