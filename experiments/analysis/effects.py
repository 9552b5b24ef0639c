"""What a change of the rules does to each line of the scorecard, on the same games.

Each line is a number of a rule set. What a change does to it is the difference between
two rule sets that played the same deals; its interval comes from leaving out one part
of these games at a time (``experiments.analysis.batches``). Where one side has no such
number, or the other options to choose from, there is nothing to compare: that is no
finding, and said to be none.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis.batch_sums import BOUND, BatchSums
from experiments.analysis.batches import (
    BATCHES,
    END,
    batches_together,
    measured,
    play_batches,
)
from experiments.analysis.score_lines import Line, lines_of
from experiments.core import summary
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.execution.results import Results
from experiments.execution.run import Progress, run
from reports.scorecard.numbers import WEAK
from reports.statistics import families
from reports.statistics.intervals import Array, games_needed
from sim import games as registry

BLOCK = 4_096
"""Games of a block: many cells of few games are spread over the processes."""
_MANY = 16_384  # of so many games blocks are twice as large, and a tenth quicker
_TINY = 1e-12
_SCHEMA = {
    "change": pl.Int64,
    "line": pl.String,
    "base": pl.Float64,
    "value": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "se": pl.Float64,
    "p": pl.Float64,
    "tolerance": pl.Float64,
    "games": pl.Int64,
}


@dataclass(frozen=True)
class Scores:
    """The lines of several rule sets on the same games.

    ``values``: for each rule set and line (by id) its number: of all games, then of all
    but one batch each, (1 + BATCHES,). ``failed``: rule sets that could not be played,
    with what was wrong. ``wide``: how many times wider intervals are, where these are
    not the only games at which numbers are looked at (``statistics.sequential``).
    """

    lines: tuple[Line, ...]
    values: tuple[Mapping[str, Array], ...]
    games: int
    failed: Mapping[int, str]
    results: Results
    wide: float = 1.0

    @classmethod
    def of(cls, results: Results, lines: tuple[Line, ...], tables: int) -> "Scores":
        """Those of a run of so many cells for each rule set (``seated``)."""
        failed = {cell // tables: why for cell, why in results.failures.items()}
        values = values_of(results, lines, tables)
        return cls(lines, values, results.games, failed, results)

    def line(self, name: str) -> Line:
        """The line of this id."""
        return next(line for line in self.lines if line.id == name)

    def effects(
        self, base: int = 0, changes: Sequence[int] | None = None
    ) -> pl.DataFrame:
        """What each other rule set (a ``change``) differs in from the base, by line.

        Columns: change, line, base, value, difference, low, high (95 %), se, p (none
        where nothing came out differently), tolerance, games, p_adjusted, marked
        (Benjamini-Hochberg over all rows, 5 %), verdict: "differs" or "differs a
        little" (within the tolerance) of what is marked, else "the same" (surely
        within, two one-sided tests at 5 %) or "undecided"; and needed: about how many
        games would decide.
        """
        every = range(len(self.values)) if changes is None else changes
        rows = [
            {"change": change, **row}
            for change in every
            if change != base and change not in self.failed
            for row in differences(
                self.lines,
                self.values[base],
                self.values[change],
                self.games,
                self.wide,
            )
        ]
        return judged(pl.DataFrame(rows, schema=_SCHEMA))


def play(
    sides: Sequence[Cell],
    games: int,
    *,
    mixed: bool = True,
    only: Collection[str] = (),
    block: int | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Scores:
    """Play each of these cells, and take every line; of one game and table size.

    ``mixed``: where all have one strategy in all seats, also tables at which a weak one
    sits among them. ``only`` these lines, by id, if any are said. ``how`` goes to
    ``run``.
    """
    lines, cells = seated(sides, mixed=mixed, only=only)
    results = run(
        cells,
        games,
        play=play_batches,
        together=batches_together,
        block=block or (BLOCK if games < _MANY else 2 * BLOCK),
        progress=progress,
        fail_fast=False,
        **how,
    )
    return Scores.of(results, lines, len(cells) // len(sides))


def seated(
    sides: Sequence[Cell], *, mixed: bool = True, only: Collection[str] = ()
) -> tuple[tuple[Line, ...], list[Cell]]:
    """The lines that can be taken of these, and the cells to be played for them.

    One cell for each, or two where a line is ``mixed``: the second has a weak player.
    A cell of which they read how games end, and no more, is ``measured`` as ``END``.
    """
    base = sides[0]
    alone = all(len({one.title for one in cell.strategies()}) == 1 for cell in sides)
    lead = base.strategies()[0].title
    undecided = report_of(base.game).undecided
    lines = tuple(
        line
        for line in lines_of(measured(base.game), lead, undecided)
        if (not line.mixed or (mixed and alone)) and (not only or line.id in only)
    )
    kinds = [_measured(base.game, lines, mixed=one) for one in (False, True)]
    cells = []
    for cell in sides:
        cells.append(replace(cell, label="", measured=kinds[False]))
        if any(line.mixed for line in lines):
            weak = replace(cell, lineup=(WEAK, *cell.lineup[1:]), rotate=True)
            cells.append(replace(weak, label="", measured=kinds[True]))
    return lines, cells


def _measured(game: str, lines: Sequence[Line], *, mixed: bool) -> str:
    """The kind of cell that is enough for the lines, or for those that are mixed."""
    read = {name for line in lines if line.mixed == mixed for name in line.measures}
    end = {measure.name for measure in summary.measures(registry.load(game))}
    return END if read <= end else ""


def values_of(
    results: Results, lines: Sequence[Line], tables: int
) -> tuple[dict[str, Array], ...]:
    """The numbers of each line (1 + BATCHES,), for each ``tables`` cells of a run."""
    sums = BatchSums.of(results, lines)
    return tuple(
        sums.values(lines, first) for first in range(0, len(results.cells), tables)
    )


def ends(values: Mapping[str, Array], line: str, level: float) -> tuple[float, float]:
    """The lower and the upper bound of a number, each of this level by itself."""
    from scipy.special import stdtrit  # slow to import

    found = []
    for name, side in ((line, -1), (f"{line}{BOUND}", 1)):
        one = values.get(name, values[line])
        se = difference(np.zeros_like(one), one)["se"]
        found.append(float(one[0] + side * stdtrit(BATCHES - 1, level) * se))
    return found[0], found[1]


def differences(
    lines: Sequence[Line],
    base: Mapping[str, Array],
    here: Mapping[str, Array],
    games: int,
    wide: float = 1.0,
) -> Iterator[dict[str, object]]:
    """A row a line that both have a number of, to be ``judged``.

    Of each the values of ``Scores``. ``wide``: how many times wider intervals are.
    """
    for line in lines:
        one, other = base.get(line.id), here.get(line.id)
        if one is not None and other is not None:
            yield {
                "line": line.id,
                "base": float(one[0]),
                "value": float(other[0]),
                **difference(one, other, wide),
                "tolerance": line.tolerance(float(one[0])),
                "games": games,
            }


def difference(one: Array, other: Array, wide: float = 1.0) -> dict[str, float]:
    """The other number less the one: difference, low, high (95 %), se, p.

    Both are (1 + BATCHES,): of all games, then without each batch. Student's t.
    ``wide``: how many times wider intervals are, for looking more than once.
    """
    from scipy.special import stdtr, stdtrit  # slow to import

    apart = other - one
    left = apart[1:][~np.isnan(apart[1:])]
    many = len(left)
    if many < 2 or np.isnan(apart[0]):
        return dict.fromkeys(("difference", "low", "high", "se", "p"), np.nan)
    se = wide * float(np.sqrt((many - 1) / many * np.sum((left - left.mean()) ** 2)))
    middle = float(apart[0])
    half = float(stdtrit(many - 1, 0.975)) * se
    if se > _TINY:
        p = 2 * float(stdtr(many - 1, -abs(middle) / se))
    else:  # nothing came out differently: there is nothing to test
        p = np.nan if abs(middle) < _TINY else 0.0
    found = {"difference": middle, "low": middle - half, "high": middle + half}
    return {**found, "se": se, "p": p}


def judged(rows: pl.DataFrame) -> pl.DataFrame:
    """Add p_adjusted, marked, verdict and needed, over all rows as one family."""
    from scipy.special import stdtrit  # slow to import

    rows = rows.fill_nan(None)
    p = rows["p"].cast(pl.Float64).to_numpy()
    marked = families.different(p, "bh")
    size, se, allowed = (
        rows[name].to_numpy() for name in ("difference", "se", "tolerance")
    )
    within = abs(size) + stdtrit(BATCHES - 1, 0.95) * se <= allowed
    words = np.where(
        marked,
        np.where(abs(size) > allowed, "differs", "differs a little"),
        np.where(within, "the same", "undecided"),
    )
    needed = games_needed(size, se, rows["games"].to_numpy(), (-allowed, allowed))
    open_ = np.where(words == "undecided", needed, np.nan)
    return rows.with_columns(
        pl.Series("p_adjusted", families.adjust(p, "bh"), nan_to_null=True),
        pl.Series("marked", marked),
        pl.Series("verdict", words, dtype=pl.String),
        pl.Series("needed", open_, nan_to_null=True),
    )
