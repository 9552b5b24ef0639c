"""Sequential checks: play until the targets are decided.

After every block, each target is tested on the games of a cell so far, with intervals
that hold at all looks together (``reports.statistics.sequential``), so that stopping
early is valid. A cell is finished once every target passes or fails in it. The
sequential test of comparisons (``gsprt``) needs an alternative hypothesis; a target
with one bound has none, so the intervals themselves decide.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis.sequential_comparison import FIRST
from experiments.analysis.target_tests import assess
from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results
from experiments.studies.plans import Plan
from experiments.studies.targets import Target
from reports.measures import is_share
from reports.statistics import sequential

_INSIDE = 1.645 / 1.96  # one-sided tests at 5 % show that a number is within bounds
_ROOM = 0.02  # assumed distance from a single bound


@dataclass(frozen=True)
class SequentialTargets:
    """The stopping rule of a study with targets; ``points`` describe its cells."""

    targets: tuple[Target, ...]
    points: tuple[Mapping[str, Any], ...]
    first: int = FIRST

    def of_cell(self, number: int, cell: Cell) -> "_InCell":
        """Return the stopping rule of a cell."""
        points = [point for point in self.points if point["cell"] == number]
        targets = [target for target in self.targets if _about(target, points)]
        return _InCell(tuple(targets), cell, tuple(points), self.first, len(self.cells))

    @property
    def cells(self) -> set[int]:
        """The numbers of the cells."""
        return {int(point["cell"]) for point in self.points}

    def expected_games(self, cell: Cell) -> Iterator[tuple[str, str, float]]:
        """Yield the name of each target, an assumption, and the games that it takes.

        Only for shares that a game counts once; other numbers need games first.
        """
        for target in self.targets:
            what = target.check(cell)
            if is_share(target.kind or what.kind) and target.form in ("each", "gap"):
                for words, room, spread in _cases(target, cell):
                    games = sequential.games_for(room, spread, self.first)
                    yield target.name, words, games


@dataclass(frozen=True)
class _InCell:
    """The stopping rule of a cell; ``cells`` is the number of all cells."""

    targets: tuple[Target, ...]
    cell: Cell
    points: tuple[Mapping[str, Any], ...]
    first: int
    cells: int

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        """Whether the games so far decide every target."""
        if games < self.first:
            return False
        results = Results(
            (self.cell,),
            games,
            sums.with_columns(cell=pl.lit(0, pl.Int32)),
            (games,),
            {"stop": {"first": self.first}, "block": self.first, "detailed": True},
        )
        points = pl.DataFrame(self.points).with_columns(cell=pl.lit(0, pl.Int32))
        return all(self._decided(each, results, points) for each in self.targets)

    def _decided(self, target: Target, results: Results, points: pl.DataFrame) -> bool:
        try:
            [verdict] = assess([target], results, points, cells=self.cells)
        except UsageError:  # this cell has none of its groups
            return True
        return verdict.verdict != "undecided"


def stopping_rule(targets: Sequence[Target], plan: Plan) -> SequentialTargets:
    """Return the rule that stops a study once its targets are decided."""
    return SequentialTargets(tuple(targets), tuple(plan.frame().to_dicts()))


def _about(target: Target, points: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a target is about a cell with these design points."""
    rows = pl.DataFrame(points)
    where = {k: v for k, v in target.where.items() if k in rows.columns}
    alone = target.model_copy(update={"where": where})
    try:
        return not alone.keep(rows).is_empty()
    except UsageError:
        return False


def _cases(target: Target, cell: Cell) -> Iterator[tuple[str, float, float]]:
    """Yield assumptions, their distance from the bound, and the spread of a game."""
    if target.gap is not None:
        spread = float(np.sqrt(2 / cell.players))
        yield "if none differ", target.gap, _INSIDE * spread
        yield "if two differ by twice the gap", target.gap, spread
        return
    ends = [end for end in (target.least, target.most) if end is not None]
    room = (ends[-1] - ends[0]) / 2 if len(ends) > 1 and ends[-1] > ends[0] else _ROOM
    spread = float(np.sqrt(max(end * (1 - end) for end in ends)))
    words = f"{100 * room:.3g} points"
    yield f"if all are {words} inside", room, _INSIDE * spread
    yield f"if one is {words} outside", room, spread
