"""The effect of a rule change on each line of the scorecard, on the same games.

Each line is a number of a rule set. The effect of a change is the difference between
two rule sets that play the same deals; its interval is a jackknife over batches of
games (``reports.batches``). The commonest and the rarest option are picked by the same
games that estimate their shares, so they are compared over the options that both sides
have, with an interval that holds whichever is picked
(``reports.statistics.largest_share``). If one side lacks the number, or has different
options, there is nothing to compare, and no finding.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

import sim.games
from experiments.analysis.line_values import LineValue, OptionShares, line_values
from experiments.core import end_summary
from experiments.core.cells import Cell, Collect
from experiments.core.measures import measures_of
from experiments.execution.results import Results
from experiments.execution.run import Progress, run
from experiments.execution.single_thread import call_here
from reports.batches import BATCHES
from reports.scorecard.line_statistics import LINE_STATISTICS
from reports.scorecard.lines import LINES
from reports.scorecard.score_line import ScoreLine
from reports.statistics import largest_share, multiple_comparisons
from reports.statistics.intervals import Array, games_needed
from strategies import registry
from strategies.random import Random
from strategies.strength_levels import Beginner, spec_at

BLOCK = 4_096
"""Games of a block: many cells of few games are spread over the processes."""
_LARGE_RUN = (
    16_384  # from this many games on, blocks twice as large are a tenth quicker
)
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
    """The scorecard lines of several rule sets on the same games.

    ``values``: the number of each rule set and line (by id). ``failed``: rule sets that
    could not be played, with the error. ``widening``: the factor by which intervals are
    widened if numbers are looked at repeatedly (``statistics.sequential``).
    """

    lines: tuple[ScoreLine, ...]
    values: tuple[Mapping[str, LineValue], ...]
    games: int
    failed: Mapping[int, str]
    results: Results
    widening: float = 1.0

    @classmethod
    def of(
        cls, results: Results, lines: tuple[ScoreLine, ...], tables: int
    ) -> "Scores":
        """Take the lines from a run with ``tables`` cells per rule set."""
        failed = {cell // tables: why for cell, why in results.failures.items()}
        values = line_values(results, lines, tables)
        return cls(lines, values, results.games, failed, results)

    def line(self, name: str) -> ScoreLine:
        """Return the line of this id."""
        return next(line for line in self.lines if line.id == name)

    def effects(self, base: int = 0) -> pl.DataFrame:
        """Compare each other rule set (a ``change``) with the base, line by line.

        Columns: change, line, option (if the line picks one), base, value, difference,
        low, high (95 %), se, p (null if no game came out differently), tolerance,
        games, p_adjusted, marked (Benjamini-Hochberg over all rows, 5 %), verdict, and
        needed: about how many games would decide. The verdict is "differs" or "differs
        a little" (within the tolerance) if marked, else "the same" (shown to be within,
        two one-sided tests at 5 %) or "undecided".
        """
        return with_effect_verdicts(self.differences(base))

    def differences(
        self, base: int = 0, changes: Sequence[int] | None = None
    ) -> pl.DataFrame:
        """Compare each other rule set with the base, without verdicts."""
        chosen = range(len(self.values)) if changes is None else changes
        rows = [
            {"change": change, **row}
            for change in chosen
            if change != base and change not in self.failed
            for row in differences(
                self.lines,
                self.values[base],
                self.values[change],
                self.games,
                self.widening,
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
    """Play these cells of one game and number of players, and take every line.

    ``mixed``: if each cell has one strategy in all seats, also play lineups with one
    beginner. ``only`` these lines, by id; by default all. ``how`` goes to ``run``.
    """
    lines, cells = lines_and_cells(sides, mixed=mixed, only=only)
    results = run(
        cells,
        games,
        detailed=True,
        block=block or (BLOCK if games < _LARGE_RUN else 2 * BLOCK),
        progress=progress,
        fail_fast=False,
        **how,
    )
    return Scores.of(results, lines, len(cells) // len(sides))


def lines_and_cells(
    sides: Sequence[Cell], *, mixed: bool = True, only: Collection[str] = ()
) -> tuple[tuple[ScoreLine, ...], list[Cell]]:
    """Return the lines that these sides have, and the cells to play for them.

    One cell per side, or two if a line is ``mixed``: the second has a beginner by the
    rules of the first side, who is the same player on all sides. The cells collect no
    more than the lines need.
    """
    base = sides[0]
    titles = [{strategy.title for strategy in cell.strategies()} for cell in sides]
    alone = all(len(names) == 1 for names in titles)
    lines = tuple(
        line
        for line in comparable_lines(base.game, base.strategies()[0].title)
        if (not line.mixed or (mixed and alone)) and (not only or line.id in only)
    )
    beginner = ""
    if any(line.mixed for line in lines):
        find = partial(spec_at, Beginner.name, base.game, base.rules, base.players)
        beginner = call_here(find)
        if {registry.title(base.game, beginner)} in titles:  # all are beginners
            lines, beginner = tuple(line for line in lines if not line.mixed), ""
    kinds = [_collected(base.game, lines, mixed=weak) for weak in (False, True)]
    cells = []
    for cell in sides:
        cells.append(replace(cell, label="", collect=kinds[False]))
        if beginner:
            seats = (beginner, *cell.lineup[1:])
            weak = replace(cell, lineup=seats, rotate=True, roles=())
            cells.append(replace(weak, label="", collect=kinds[True]))
    return lines, cells


def _collected(game: str, lines: Sequence[ScoreLine], *, mixed: bool) -> Collect:
    """Return which measures a cell needs for the lines that are mixed, or not."""
    numbers = (LINE_STATISTICS[line.id] for line in lines if line.mixed == mixed)
    read = {name for number in numbers for name in number.measures}
    end = {measure.name for measure in end_summary.measures(sim.games.load(game))}
    return "result" if read <= end else "all"


def comparable_lines(game: str, lead: str) -> tuple[ScoreLine, ...]:
    """Return the lines that can be compared when ``lead`` plays a game.

    Without positions there is no gap between them.
    """
    known, seated = measures_of(game), bool(sim.games.load(game).first_position)
    return tuple(
        line
        for line in LINES
        if line.number
        and (seated or line.id != "positions")
        and all(name in known for name in LINE_STATISTICS[line.id].measures)
        and not (line.mixed and lead == Random.name)
    )


def bounds(
    value: LineValue, level: float, widening: float = 1.0
) -> tuple[float, float]:
    """Return the lower and the upper bound of a number, each at this level.

    Bounds of an extreme hold for all options. ``widening``: the factor by which they
    are widened for repeated looks.
    """
    if value.options is not None:
        if not value.options.names:
            return np.nan, np.nan
        limits = largest_share.bounds(value.options.shares, level, widening)
        low, high = sorted(value.options.sign * end for end in limits)
        return max(low, 0.0), min(high, 1.0)
    below = _Spread.of(value.numbers, widening, value.added)
    above = _Spread.of(value.bound, widening, value.added)
    return below.end(-level), above.end(level)


def standard_error(value: LineValue, widening: float = 1.0) -> float:
    """Return the standard error of a number; of an extreme, from its interval."""
    from scipy.special import stdtrit  # slow to import

    if value.options is None:
        return _Spread.of(value.numbers, widening, value.added).se
    low, high = bounds(value, 0.975, widening)
    return (high - low) / 2 / float(stdtrit(BATCHES - 1, 0.975))


def differences(
    lines: Sequence[ScoreLine],
    base: Mapping[str, LineValue],
    here: Mapping[str, LineValue],
    games: int,
    widening: float = 1.0,
) -> Iterator[dict[str, object]]:
    """Yield a row for each line that both sides have, to be ``with_effect_verdicts``.

    ``base`` and ``here`` are ``Scores.values``. ``widening``: the interval factor.
    """
    for line in lines:
        one, other = base.get(line.id), here.get(line.id)
        if one is not None and other is not None:
            row = {"base": one.estimate, "value": other.estimate}
            row |= difference(one, other, widening)
            yield {
                "line": line.id,
                **row,
                "tolerance": line.negligible(row["base"]),
                "games": games,
            }


def difference(
    one: LineValue, other: LineValue, widening: float = 1.0
) -> dict[str, Any]:
    """Return the other number minus the one: difference, low, high (95 %), se, p, ...

    ``low_90`` and ``high_90`` form a 90 % interval. ``widening``: the interval factor
    for repeated looks. For an extreme also the ``option``, and ``base`` and ``value``
    over the options that both sides have.

    An observed gap is biased upwards, and its correction is less certain than the gap
    itself (``LineValue.bound`` is the observed gap, ``LineValue.numbers`` the corrected
    one). So two gaps differ only if they differ both with and without the correction,
    and the interval covers both, as well as a correction of twice the size.
    """
    if one.options is not None and other.options is not None:
        return _of_extremes(one.options, other.options, widening)
    added = one.added + other.added
    raw = _Spread.of(other.bound - one.bound, widening, added)
    less = other.estimate - one.estimate
    return raw.around(less, raw.middle, 2 * less - raw.middle)


def with_errors_apart(
    rows: pl.DataFrame,
    alone: Sequence[Mapping[str, LineValue]],
    adapted: Sequence[Mapping[str, LineValue]],
) -> pl.DataFrame:
    """Add apart_se: the standard error of how far apart two effects on a line are.

    ``rows`` has a ``line`` each. ``alone`` and ``adapted``: the ``Scores.values`` of
    both rule sets, once by the same players and once by those who adapted. All four
    are of the same games, so this is a paired error; null for an extreme.
    """
    errors = [
        _error_apart(*(values.get(name) for values in (*alone, *adapted)))
        for name in rows["line"]
    ]
    return rows.with_columns(apart_se=pl.Series(errors, dtype=pl.Float64))


def _error_apart(*values: LineValue | None) -> float | None:
    known = [each for each in values if each is not None and each.options is None]
    if len(known) < len(values):
        return None
    one, other, adapted_one, adapted_other = (each.bound for each in known)
    apart = (adapted_other - adapted_one) - (other - one)
    se = _Spread.of(apart, 1.0, sum(each.added for each in known)).se
    return se if np.isfinite(se) else None


@dataclass(frozen=True)
class _Spread:
    """A number with its jackknife standard error over batches; Student's t.

    ``varies``: whether any batch differs from the others.
    """

    middle: float
    se: float
    freedom: int
    varies: bool = True

    @classmethod
    def of(cls, numbers: Array, wide: float, added: float) -> "_Spread":
        estimates = numbers[1:][~np.isnan(numbers[1:])]
        count = len(estimates)
        if count < 2 or np.isnan(numbers[0]):
            return cls(np.nan, np.nan, 1)
        squares = float(np.sum((estimates - estimates.mean()) ** 2))
        variance = (count - 1) / count * squares
        se = wide * float(np.sqrt(variance + added))
        return cls(float(numbers[0]), se, count - 1, variance > _TINY**2)

    def end(self, level: float) -> float:
        """Return a bound of this level; the lower one if the level is negative."""
        from scipy.special import stdtrit  # slow to import

        half = float(stdtrit(self.freedom, abs(level))) * self.se
        return self.middle + float(np.copysign(half, level))

    def around(self, middle: float, *more: float) -> dict[str, Any]:
        """Return interval and test of a difference that may be any of these."""
        from scipy.special import stdtr  # slow to import

        middle = middle if np.isfinite(self.se) else np.nan
        ends = (middle, *more)
        below, above = (replace(self, middle=end(ends)) for end in (min, max))
        near = max(below.middle, -above.middle, 0.0)  # how far all are from zero
        if self.varies:
            p = 2 * float(stdtr(self.freedom, -near / self.se))
        else:  # no game came out differently: there is nothing to test
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


def _of_extremes(one: OptionShares, other: OptionShares, wide: float) -> dict[str, Any]:
    """Compare the greatest, or least, shares of the options that both sides have."""
    from scipy.special import stdtrit  # slow to import

    names = [name for name in one.names if name in set(other.names)]
    if not names:
        return dict.fromkeys((*largest_share.Rise._fields, "difference", "se"), np.nan)
    here, there = one.select(names), other.select(names)
    picked = [int(side.values[0].argmax()) for side in (here, there)]
    before, after = here.values[0].max(), there.values[0].max()
    labels = {
        "base": one.sign * float(before),
        "value": one.sign * float(after),
        "option": ", then ".join(dict.fromkeys(names[at] for at in picked)),
    }
    if np.array_equal(here.values, there.values, equal_nan=True):
        none = dict.fromkeys((*largest_share.Rise._fields, "difference", "se"), 0.0)
        return {**none, **labels, "p": np.nan}
    rise = largest_share.rise(here, there, wide)
    if one.sign < 0:
        rise = rise.reverse
    middle = one.sign * float(after - before)
    half = max(middle - rise.low, rise.high - middle)
    se = half / float(stdtrit(BATCHES - 1, 0.975))
    return {**rise._asdict(), **labels, "difference": middle, "se": se}


def with_effect_verdicts(rows: pl.DataFrame, among: int = 1) -> pl.DataFrame:
    """Add p_adjusted, marked, verdict and needed; all rows form one family.

    ``among``: the number of families that share the 5 %.
    """
    rows = rows.fill_nan(None)
    p = rows["p"].cast(pl.Float64).to_numpy()
    marked = multiple_comparisons.different(p, "bh", among=among)
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
        pl.Series(
            "p_adjusted", multiple_comparisons.adjust(p, "bh", among), nan_to_null=True
        ),
        pl.Series("marked", marked),
        pl.Series("verdict", words, dtype=pl.String),
        pl.Series("needed", open_, nan_to_null=True),
    )
