"""What a change of the rules does to each line of the scorecard, on the same games.

Each line is a number of a rule set. What a change does to it is the difference between
two rule sets that played the same deals; its interval comes from leaving out one part
of these games at a time (``experiments.analysis.batches``). The commonest and the
rarest option are picked by the games that tell their shares: they are compared over the
options that both sides have, with an interval that holds whichever is picked
(``reports.statistics.greatest``). Where one side has no such number, or the other
options to choose from, there is nothing to compare: that is no finding, and said to be
none.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from experiments.analysis.batch_sums import BatchSums, Options, Value
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
from reports.statistics import families, greatest
from reports.statistics.intervals import Array, games_needed
from sim import games as registry

BLOCK = 4_096
"""Games of a block: many cells of few games are spread over the processes."""
_MANY = 16_384  # of so many games blocks are twice as large, and a tenth quicker
_TINY = 1e-12
_SCHEMA = {
    "change": pl.Int64,
    "line": pl.String,
    "option": pl.String,
    "base": pl.Float64,
    "value": pl.Float64,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "low_90": pl.Float64,
    "high_90": pl.Float64,
    "se": pl.Float64,
    "p": pl.Float64,
    "tolerance": pl.Float64,
    "games": pl.Int64,
}


@dataclass(frozen=True)
class Scores:
    """The lines of several rule sets on the same games.

    ``values``: for each rule set and line (by id) its number. ``failed``: rule sets
    that could not be played, with what was wrong. ``wide``: how many times wider
    intervals are, where these are not the only games at which numbers are looked at
    (``statistics.sequential``).
    """

    lines: tuple[Line, ...]
    values: tuple[Mapping[str, Value], ...]
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

        Columns: change, line, option (which, where the line picks one), base, value,
        difference, low, high (95 %), se, p (none where nothing came out differently),
        tolerance, games, p_adjusted, marked (Benjamini-Hochberg over all rows, 5 %),
        verdict: "differs" or "differs a little" (within the tolerance) of what is
        marked, else "the same" (surely within, two one-sided tests at 5 %) or
        "undecided"; and needed: about how many games would decide.
        """
        return judged(self.differences(base, changes))

    def differences(
        self, base: int = 0, changes: Sequence[int] | None = None
    ) -> pl.DataFrame:
        """The same, not yet ``judged``."""
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
        return pl.DataFrame(rows, schema=_SCHEMA)


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
) -> tuple[dict[str, Value], ...]:
    """The number of each line, for each ``tables`` cells of a run."""
    sums = BatchSums.of(results, lines)
    return tuple(
        sums.values(lines, first) for first in range(0, len(results.cells), tables)
    )


def bounds(value: Value, level: float, wide: float = 1.0) -> tuple[float, float]:
    """The lower and the upper bound of a number, each of this level by itself.

    That of an extreme holds for all options. ``wide``: how many times wider they are,
    for looking more than once.
    """
    if value.options is not None:
        if not value.options.names:
            return np.nan, np.nan
        found = greatest.bounds(value.options.shares, level, wide)
        low, high = sorted(value.options.sign * end for end in found)
        return max(low, 0.0), min(high, 1.0)
    below, above = (_Spread.of(one, wide) for one in (value.numbers, value.bound))
    return below.end(-level), above.end(level)


def error(value: Value, wide: float = 1.0) -> float:
    """The standard error of a number; of an extreme, as its interval tells it."""
    from scipy.special import stdtrit  # slow to import

    if value.options is None:
        return _Spread.of(value.numbers, wide).se
    low, high = bounds(value, 0.975, wide)
    return (high - low) / 2 / float(stdtrit(BATCHES - 1, 0.975))


def differences(
    lines: Sequence[Line],
    base: Mapping[str, Value],
    here: Mapping[str, Value],
    games: int,
    wide: float = 1.0,
) -> Iterator[dict[str, object]]:
    """A row a line that both have a number of, to be ``judged``.

    Of each the values of ``Scores``. ``wide``: how many times wider intervals are.
    """
    for line in lines:
        one, other = base.get(line.id), here.get(line.id)
        if one is not None and other is not None:
            row = {"base": one.estimate, "value": other.estimate}
            row |= difference(one, other, wide)
            yield {
                "line": line.id,
                **row,
                "tolerance": line.tolerance(row["base"]),
                "games": games,
            }


def difference(one: Value, other: Value, wide: float = 1.0) -> dict[str, Any]:
    """The other number less the one: difference, low, high (95 %), se, p, and more.

    ``low_90`` and ``high_90`` are of 90 %. ``wide``: how many times wider intervals
    are, for looking more than once. Of an extreme also the ``option``, and ``base`` and
    ``value`` of the options that both sides have.

    A gap that was found is too large, and by how much is less sure than the gap itself
    (``Value.bound`` is the gap as it was found, ``Value.numbers`` what is left of it).
    So two gaps differ only if they do with and without what is taken off, and the
    interval holds both, and what is left if as much is taken off again.
    """
    if one.options is not None and other.options is not None:
        return _of_extremes(one.options, other.options, wide)
    raw = _Spread.of(other.bound - one.bound, wide)
    less = other.estimate - one.estimate
    return raw.around(less, raw.middle, 2 * less - raw.middle)


@dataclass(frozen=True)
class _Spread:
    """A number with its standard error, by leaving out each batch; Student's t."""

    middle: float
    se: float
    freedom: int

    @classmethod
    def of(cls, numbers: Array, wide: float) -> "_Spread":
        left = numbers[1:][~np.isnan(numbers[1:])]
        many = len(left)
        if many < 2 or np.isnan(numbers[0]):
            return cls(np.nan, np.nan, 1)
        squares = np.sum((left - left.mean()) ** 2)
        se = wide * float(np.sqrt((many - 1) / many * squares))
        return cls(float(numbers[0]), se, many - 1)

    def end(self, level: float) -> float:
        """A bound of this level; a lower one where the level is negative."""
        from scipy.special import stdtrit  # slow to import

        half = float(stdtrit(self.freedom, abs(level))) * self.se
        return self.middle + float(np.copysign(half, level))

    def around(self, middle: float, *more: float) -> dict[str, Any]:
        """What is told of a difference that may be this one, or one of some more."""
        from scipy.special import stdtr  # slow to import

        middle = middle if np.isfinite(self.se) else np.nan
        ends = (middle, *more)
        below, above = (replace(self, middle=end(ends)) for end in (min, max))
        near = max(below.middle, -above.middle, 0.0)  # how far all are from nothing
        if self.se > _TINY or np.isnan(self.se):
            p = 2 * float(stdtr(self.freedom, -near / self.se))
        else:  # nothing came out differently: there is nothing to test
            p = np.nan if near < _TINY else 0.0
        return {
            "difference": middle,
            "low": below.end(-0.975),
            "high": above.end(0.975),
            "low_90": below.end(-0.95),
            "high_90": above.end(0.95),
            "se": self.se,
            "p": p,
        }


def _of_extremes(one: Options, other: Options, wide: float) -> dict[str, Any]:
    """The difference of the greatest or least shares of the options that both have."""
    from scipy.special import stdtrit  # slow to import

    names = [name for name in one.names if name in set(other.names)]
    if not names:
        return dict.fromkeys((*greatest.Rise._fields, "difference", "se"), np.nan)
    here, there = one.among(names), other.among(names)
    picked = [int(side.values[0].argmax()) for side in (here, there)]
    before, after = here.values[0].max(), there.values[0].max()
    told = {
        "base": one.sign * float(before),
        "value": one.sign * float(after),
        "option": ", then ".join(dict.fromkeys(names[at] for at in picked)),
    }
    if np.array_equal(here.values, there.values, equal_nan=True):
        none = dict.fromkeys((*greatest.Rise._fields, "difference", "se"), 0.0)
        return {**none, **told, "p": np.nan}
    found = greatest.rise(here, there, wide)
    if one.sign < 0:
        found = found.reverse
    middle = one.sign * float(after - before)
    half = max(middle - found.low, found.high - middle)
    se = half / float(stdtrit(BATCHES - 1, 0.975))
    return {**found._asdict(), **told, "difference": middle, "se": se}


def judged(rows: pl.DataFrame, among: int = 1) -> pl.DataFrame:
    """Add p_adjusted, marked, verdict and needed, over all rows as one family.

    ``among``: families that share the 5 %.
    """
    rows = rows.fill_nan(None)
    p = rows["p"].cast(pl.Float64).to_numpy()
    marked = families.different(p, "bh", among=among)
    size, se, allowed, low, high = (
        rows[name].to_numpy()
        for name in ("difference", "se", "tolerance", "low_90", "high_90")
    )
    within = (low >= -allowed) & (high <= allowed)
    words = np.where(
        marked,
        np.where(abs(size) > allowed, "differs", "differs a little"),
        np.where(within, "the same", "undecided"),
    )
    needed = games_needed(size, se, rows["games"].to_numpy(), (-allowed, allowed))
    open_ = np.where(words == "undecided", needed, np.nan)
    return rows.drop("low_90", "high_90").with_columns(
        pl.Series("p_adjusted", families.adjust(p, "bh", among), nan_to_null=True),
        pl.Series("marked", marked),
        pl.Series("verdict", words, dtype=pl.String),
        pl.Series("needed", open_, nan_to_null=True),
    )
