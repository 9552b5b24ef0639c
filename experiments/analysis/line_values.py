"""Numbers of scorecard lines by many rule sets, with what their errors follow from.

    line_values(results, lines, tables)  # the number of each line, for each rule set

Each number is taken from the sums of all games of a cell, and once more from all but
each batch (``reports.batches``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

import numpy as np
import polars as pl

from experiments.core.measures import measures_of, report_of
from experiments.execution.results import Results
from reports.batches import GameBatches
from reports.option_follow_ups import OFFERED
from reports.scorecard.line_estimate import option_words
from reports.scorecard.line_statistics import (
    LineStatistic,
    Totals,
    line_statistics,
)
from reports.scorecard.score_line import ScoreLine
from reports.statistics.intervals import Array
from reports.statistics.largest_share import ADDED, Shares


@dataclass(frozen=True)
class LineValue:
    """The number of a line by one rule set, with its jackknife replicates.

    ``numbers`` (1 + BATCHES,): of all games, then of all but one batch each; ``bound``:
    the same numbers on the safe side, for upper bounds (an observed gap without its
    correction). ``options``: the options of which it is the extreme, if it is one.
    ``added``: a variance that intervals add, as batches in which a rare thing never
    happens show none. ``parts``: the shares of which it is a gap, by position or role,
    each with the games that it is of.
    """

    numbers: Array
    bound: Array
    options: "OptionShares | None" = None
    added: float = 0.0
    parts: Mapping[Any, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, statistic: LineStatistic, totals: Sequence[Totals]) -> Self:
        """Return the number of a line, from the totals of its measures."""
        numbers = statistic.compute(*totals)
        bound = numbers if statistic.bound is None else statistic.bound(*totals)
        if statistic.extreme is None:
            games = float(totals[0].games[0])
            added = ADDED / games**2 * statistic.share
            parts = {} if statistic.bound is None else _parts(totals[0])
            return cls(numbers, bound, None, added, parts)
        [taken] = totals
        return cls(numbers, bound, OptionShares.of(taken, statistic.extreme))

    @property
    def estimate(self) -> float:
        """The number of all games; nan if there is none."""
        return float(self.numbers[0])


def _parts(won: Totals) -> dict[Any, tuple[float, float]]:
    """Return the share of each group, and of how many games."""
    names = won.groups.to_series(0)
    return dict(zip(names, zip(won.number[0], won.x[0], strict=True), strict=True))


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


def line_values(
    results: Results, lines: Sequence[ScoreLine], tables: int
) -> tuple[dict[str, LineValue], ...]:
    """Return the number of each line (by id), for each ``tables`` cells of a run.

    Lines that are ``mixed`` come from the second of these cells. A rule set lacks the
    lines of a cell that failed, and those that did not happen.
    """
    game = results.cells[0].game
    weak = results.cells[1].strategies()[0].title if tables > 1 else ""
    statistics = line_statistics(tuple(report_of(game).undecided), weak)
    read = {name for line in lines for name in statistics[line.id].measures}
    totals = {
        (cell, measure): _totals(results, cell, measure, rows)
        for (cell, measure), rows in results.sums.filter(
            pl.col("measure").is_in(list(read))
        )
        .partition_by("cell", "measure", maintain_order=True, as_dict=True)
        .items()
        if cell not in results.failures
    }
    values: list[dict[str, LineValue]] = []
    for first in range(0, len(results.cells), tables):
        values.append({})
        for line in lines:
            statistic, cell = statistics[line.id], first + line.mixed
            known = [totals.get((cell, name)) for name in statistic.measures]
            if None not in known:
                values[-1][line.id] = LineValue.of(statistic, [t for t in known if t])
    return tuple(values)


def _totals(results: Results, cell: int, measure: str, rows: pl.DataFrame) -> Totals:
    """Return the sums of a measure in a cell, with those of all but each batch."""
    what = measures_of(results.cells[cell].game)[measure]
    sizes = _batch_sizes(results.cells[cell].players, results.played[cell])
    return Totals.without_each_batch(rows, sizes, what)


@lru_cache(maxsize=64)
def _batch_sizes(players: int, played: int) -> Array:
    """Return (BATCHES,): how many of the ``played`` games are in each."""
    return GameBatches(players).sizes(played)
