"""Sums of many cells, batch by batch, from which scorecard lines are computed.

A run of many rule sets gives thousands of numbers, so the rows of a measure are
converted to arrays once, for all cells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.batch_score_lines import BatchScoreLine
from experiments.analysis.cell_batches import (
    BATCH,
    BATCHES,
    batch_numbers,
    batched_measures,
)
from experiments.execution.results import Results
from reports.measures import Measure
from reports.scorecard.line_estimate import option_words
from reports.scorecard.line_statistics import OFFERED, Totals
from reports.statistics.intervals import Array
from reports.statistics.largest_share import Shares
from sim.masks import Flags


@dataclass(frozen=True)
class LineValue:
    """The number of a line by one rule set, with its jackknife replicates.

    ``numbers`` (1 + BATCHES,): of all games, then of all but one batch each; ``bound``:
    the same numbers on the safe side, for upper bounds (an observed gap without its
    correction). ``options``: the options of which it is the extreme, if it is one.
    """

    numbers: Array
    bound: Array
    options: "OptionShares | None" = None

    @property
    def estimate(self) -> float:
        """The number of all games; nan if there is none."""
        return float(self.numbers[0])


@dataclass(frozen=True)
class OptionShares:
    """How often each option is taken when it can be, for options offered often enough.

    ``sign`` is -1 if the least share counts: ``shares`` are then negated.
    """

    names: tuple[str, ...]
    shares: Shares
    sign: int

    @classmethod
    def of(cls, taken: Totals, extreme: str) -> Self:
        """Take the options that were offered often enough, in two batches at least."""
        parts = (taken.x[0] - taken.x[1:] > 0).sum(axis=0)
        often = np.flatnonzero((taken.x[0] >= OFFERED) & (parts > 1))
        sign = 1 if extreme == "greatest" else -1
        labels = taken.groups[often].select("decision", "option")
        return cls(
            tuple(option_words(*row) for row in labels.iter_rows()),
            Shares(
                sign * taken.number[:, often],
                taken.n[0, often],
                parts[often],
                top=max(sign, 0.0),
            ),
            sign,
        )

    def select(self, names: Sequence[str]) -> Shares:
        """Return the shares of these options, in this order."""
        place = {name: at for at, name in enumerate(self.names)}
        places = [place[name] for name in names]
        return self.shares.take(np.array(places, dtype=np.int64))


@dataclass(frozen=True)
class BatchSums:
    """The sums of a run of ``play_batches``, by measure."""

    results: Results
    rows: Mapping[str, "_Rows"]
    measures: Mapping[str, Measure]

    @classmethod
    def of(cls, results: Results, lines: Sequence[BatchScoreLine]) -> "BatchSums":
        """Take the sums that the lines need."""
        known = batched_measures(results.cells[0].game)
        wanted = {name: known[name] for line in lines for name in line.measures}
        if results.sums.is_empty():  # no cell could be played
            return cls(results, {}, wanted)
        by = {name for what in wanted.values() for name in what.by}
        labels = sorted(by.intersection(results.sums.columns))
        columns = ("cell", "measure", BATCH, "y", "x", "games", *labels)
        needed = results.sums.select(columns).filter(
            pl.col("measure").is_in(list(wanted))
        )
        parts = needed.partition_by("measure", maintain_order=True, as_dict=True)
        cells = len(results.cells)
        rows = {
            name: _Rows.of(part, wanted[name].by, cells)
            for (name,), part in parts.items()
        }
        return cls(results, rows, wanted)

    def values(
        self, lines: Sequence[BatchScoreLine], first: int
    ) -> dict[str, LineValue]:
        """Return the number of each line of the rule set with cells from ``first``."""
        values = {}
        for line in lines:
            cell = first + line.mixed
            if cell in self.results.failures:
                continue
            totals = [self.totals(cell, name) for name in line.measures]
            if None not in totals:
                values[line.id] = _value(line, totals)
        return values

    def totals(self, cell: int, measure: str) -> Totals | None:
        """Return the sums of a measure in a cell; None if there are none."""
        rows, what = self.rows.get(measure), self.measures[measure]
        here = slice(0, 0) if rows is None else rows.of_cell(cell)
        if rows is None or here.start == here.stop:
            return None
        groups, place = _in_order(rows.group[here])
        y, x, n = np.zeros((3, BATCHES, len(groups)))
        for sums, column in ((y, rows.y), (x, rows.x), (n, rows.games)):
            sums[rows.batch[here], place] = column[here]
        players = self.results.cells[cell].players
        sizes = _batch_sizes(players, self.results.played[cell])
        played = sizes > 0
        return Totals(
            y=_left_out(y, played),
            x=_left_out(x, played),
            n=_left_out(n, played),
            games=_left_out(sizes, played),
            groups=rows.groups[groups],
            kind=what.kind,
        )


def _value(line: BatchScoreLine, totals: Sequence[Any]) -> LineValue:
    """Return the number of a line, from the totals of its measures."""
    numbers = line.of(*totals)
    bound = numbers if line.bound is None else line.bound(*totals)
    if line.extreme is None:
        return LineValue(numbers, bound)
    [taken] = totals
    return LineValue(numbers, bound, OptionShares.of(taken, line.extreme))


@dataclass(frozen=True)
class _Rows:
    """The sums of a measure in all cells, as arrays (rows,) ordered by cell."""

    ends: NDArray[np.int64]  # (1 + cells,) where the rows of each cell start and end
    batch: NDArray[np.int64]
    group: NDArray[np.int64]  # its number
    groups: pl.DataFrame  # their labels
    y: Array
    x: Array
    games: Array

    @classmethod
    def of(cls, rows: pl.DataFrame, by: Sequence[str], cells: int) -> "_Rows":
        rows = rows.sort("cell", maintain_order=True)
        if by:
            groups = rows.select(by).unique(maintain_order=True)
            numbered = groups.with_row_index("group")
            rows = rows.join(
                numbered, on=by, nulls_equal=True, how="left", maintain_order="left"
            )
            group = rows["group"].to_numpy()
        else:
            groups = pl.DataFrame({"all": [0]})
            group = np.zeros(rows.height, dtype=np.int64)
        ends = np.searchsorted(rows["cell"].to_numpy(), np.arange(cells + 1))
        y, x, games = (rows[name].to_numpy() for name in ("y", "x", "games"))
        return cls(ends, rows[BATCH].to_numpy(), group, groups, y, x, games)

    def of_cell(self, cell: int) -> slice:
        """Return the rows of a cell."""
        return slice(int(self.ends[cell]), int(self.ends[cell + 1]))


def _in_order(groups: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct numbers in order of occurrence, and the place of each."""
    distinct, first, code = np.unique(groups, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return distinct[order], place[code]


@lru_cache(maxsize=64)
def _batch_sizes(players: int, played: int) -> Array:
    """Return (BATCHES,): how many of the ``played`` games are in each."""
    batch = batch_numbers(players, np.arange(played, dtype=np.uint64))
    return np.bincount(batch, minlength=BATCHES).astype(np.float64)


def _left_out(values: Array, played: Flags) -> Array:
    """Return (1 + BATCHES, ...): the sum over all batches, then without each."""
    whole = values.sum(axis=0)
    sums = np.concatenate([whole[None], whole[None] - values])
    sums[1:][~played] = np.nan
    return sums
