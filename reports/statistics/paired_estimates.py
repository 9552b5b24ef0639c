"""Differences of two sides, on the same games where they were played on them.

Two rule sets, or two lineups, that play the same deals differ by much less than chance
makes two runs of other deals differ. For that, one needs per group (a seat, a contract)
and over games the products of a game's two sides, beside the sums of each side:

    one, other    sums of a measure on each side, as `reports.measures` makes them
    cross         sums over games of products of the two sides (columns CROSS); such
                  tables add up like sums, in any order

    rows = differences(one, other, cross, by=("seat",), games=10_000, kind="share")
    judged(rows, "win share by seat", tolerance=0.02)

The interval of a difference of two ratios of sums over the same games: linearised
variances and covariance with the game as the unit (Cochran 1977, Sampling Techniques,
3rd ed., ch. 6), Student's t. A rule that seldom bites makes few games differ, and too
few give a variance that is too small, or 0. So to the variance of a difference of
shares four games are added that differ by as much as they can, two each way, as Agresti
& Coull (1998, Am. Stat. 52:119-126) do for a share (with two, as Bonett & Price 2012,
J. Educ. Behav. Stat. 37:479-488, coverage falls to 93 % where all games that differ do
so in one direction); to that of means on the same games, four that differ as much as
independent games do. Simulated 95 % intervals cover in 94 to 98 % of studies, of single
outcomes and of ratios of games that go together, and in nearly all where fewer than ten
games differ.

A mean of a few games may show no variance at all, whatever it truly is, so a group that
was seen in fewer than ``LEAST`` games is too rare to be told different (``enough``). So
is a mean whose difference fewer than ``LEAST`` games make, by its skewness
(``intervals.skew``), or that is 0 in every game of both sides: it has no interval, for
that of a cost which occurs in 0.5 % of 1,000 games on one side would miss in 18 % of
studies, and to bend it as that of a single mean makes false alarms where nothing
differs (13 %).
"""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.measures import SUMS, Statistic, is_share
from reports.statistics.estimates import of_kind
from reports.statistics.intervals import LEAST, Array, skew

CROSS = ("yy", "xx", "xy", "yx", "games", "differ", "yyv", "yvv")
"""Columns of a table of products, after its grouping columns: sums over games of one's
y times other's y, x times x, one's x times other's y, one's y times other's x; games in
which the group occurs on both sides; games whose two sides are not the same (null
where nobody counted them); one's y squared times other's y, and the reverse."""


def differences(
    one: pl.DataFrame,
    other: pl.DataFrame,
    cross: pl.DataFrame | None,
    by: tuple[str, ...],
    games: int | tuple[int, int],
    kind: Statistic = "mean",
    level: float = 0.95,
) -> pl.DataFrame:
    """Estimate one - other for each group, clustered by game.

    games: played on each side; cross None: on different games, which may be of two
    numbers. Sorted by group; columns: those of `by`, then
    one, other        the two estimates, null without data
    difference, low, high, se, freedom (of Student's t), p (two-sided, of no difference)
    variance_ratio    variance with independent games over that reached; 1 if unpaired
    n                 games behind it: those in which the group occurs on either side
    differ            share of them whose sides are not the same; null if not known
    played            games of each side (the larger number)
    enough            whether it was seen in enough games to be told different
    A group that one side lacks has no data there, or, of kinds that count
    every game, happens 0 times. Without an interval, a difference of shares has the
    interval -1 to 1; a mean that shows no spread in too few games has none.
    """
    counts = (games, games) if isinstance(games, int) else games
    if cross is not None and counts[0] != counts[1]:
        raise ValueError(f"differences: the same games cannot be {counts} in number")
    rows = _together(one, other, cross, by)
    sides = [_side(rows, side, n, kind) for side, n in zip("ab", counts, strict=True)]
    products = None if cross is None else _products(rows, sides, counts[0], kind)
    found = _differences(sides, products, kind, _enough(rows, kind))
    found["played"] = np.full(rows.height, max(counts))
    numbers = [pl.Series(name, n, nan_to_null=True) for name, n in found.items()]
    table = pl.DataFrame([*(rows[name] for name in by), *numbers])
    return _with_ends(table, level, is_share(kind)).select(
        *by,
        "one",
        "other",
        "difference",
        "low",
        "high",
        "se",
        "freedom",
        "p",
        "variance_ratio",
        "n",
        "differ",
        "played",
        "enough",
    )


def limits(rows: pl.DataFrame, level: float, *, share: bool) -> tuple[Array, Array]:
    """Find the ends of the intervals of this level of a table of differences."""
    from scipy.special import stdtrit  # slow to import

    middle, se, freedom = (
        rows[name].cast(pl.Float64).to_numpy()
        for name in ("difference", "se", "freedom")
    )
    half = stdtrit(freedom, (1 + level) / 2) * se
    low, high = middle - half, middle + half
    if share:
        low = np.fmax(np.nan_to_num(low, nan=-1.0), -1.0)
        high = np.fmin(np.nan_to_num(high, nan=1.0), 1.0)
    return low, high


def widened(
    rows: pl.DataFrame, times: float, *, share: bool, level: float = 0.95
) -> pl.DataFrame:
    """Make the intervals of differences so many times wider, and p-values to fit.

    For sides that were stopped when they were precise enough (`sequential`).
    """
    if times == 1:
        return rows
    rows = rows.with_columns(pl.col("se") * times)
    numbers = (
        rows[name].cast(pl.Float64).to_numpy()
        for name in ("difference", "se", "freedom")
    )
    p = pl.Series("p", _p(*numbers), nan_to_null=True)
    return _with_ends(rows.with_columns(p), level, share).select(rows.columns)


def caution(many: list[Array], apart: Array, kind: Statistic, *, paired: bool) -> Array:
    """Find the variance of the games that are added, so that it is never 0.

    many: games of each side with the group. apart: the variance with independent games.
    At one game of each side this is what is added times the square of their number.
    """
    if is_share(kind):
        return 2 / many[0] ** 2 + 2 / many[1] ** 2
    return 4 * apart / np.minimum(*many) if paired else np.zeros_like(apart)


def _together(
    one: pl.DataFrame,
    other: pl.DataFrame,
    cross: pl.DataFrame | None,
    by: tuple[str, ...],
) -> pl.DataFrame:
    """All groups of either side: by, a_... and b_... sums, c_... products."""
    keys = list(by)
    parts: dict[str, tuple[pl.DataFrame, tuple[str, ...]]]
    parts = {"a": (one, SUMS), "b": (other, SUMS)}
    if cross is not None:
        parts["c"] = (cross, CROSS)
    tables = [
        table.select(*keys, pl.col(columns).cast(pl.Float64).name.prefix(f"{side}_"))
        for side, (table, columns) in parts.items()
    ]
    rows, *rest = tables
    for table in rest:
        if keys:
            rows = rows.join(table, keys, "full", coalesce=True, nulls_equal=True)
        else:
            rows = pl.concat([rows, table], how="horizontal")
    known = [name for name in rows.columns if name not in {*keys, "c_differ"}]
    rows = rows.with_columns(pl.col(known).fill_null(0.0))
    return rows.sort(keys) if keys else rows


def _side(
    rows: pl.DataFrame, side: str, games: int, kind: Statistic
) -> dict[str, Array]:
    """The sums of a side, its estimate, and its sum of squared residuals."""
    found = {name: rows[f"{side}_{name}"].to_numpy() for name in SUMS}
    found = of_kind(found, kind, games)
    if is_share(kind) and np.any((found["y"] < 0) | (found["y"] > found["x"])):
        raise ValueError("differences: no share: y must lie between 0 and x")
    x = np.where(found["x"] != 0, found["x"], np.nan)
    ratio = found["y"] / x
    squares = found["yy"] - 2 * ratio * found["xy"] + ratio**2 * found["xx"]
    found.update(total=x, estimate=ratio, squares=np.maximum(squares, 0.0) / x**2)
    return found


def _enough(rows: pl.DataFrame, kind: Statistic) -> NDArray[np.bool_]:
    """Which groups were seen in enough games of either side to be compared.

    Of kinds that count every game: twice as many in which the group occurs, on both
    sides together, which chance divides alike where nothing differs. Shares of games
    always are: their variance allows for what is rare.
    """
    a, b = (rows[f"{side}_games"].to_numpy() for side in "ab")
    if kind == "share of games":
        return np.full(rows.height, True)
    if kind == "per game":
        return np.asarray(a + b >= 2 * LEAST)
    return np.asarray(np.minimum(a, b) >= LEAST)


def _products(
    rows: pl.DataFrame, sides: list[dict[str, Array]], games: int, kind: Statistic
) -> dict[str, Array]:
    """The sum of products of residuals, the games of either side, those that differ.

    And the sums of squares and cubes of the differences, of y over the total of x.
    """
    found = {name: rows[f"c_{name}"].to_numpy() for name in CROSS}
    a, b = sides
    either = a["games"] + b["games"] - found["games"]
    if kind in ("per game", "share of games"):
        either = np.full(rows.height, float(games))
        found.update(xx=either, xy=b["y"], yx=a["y"])
    mine, theirs = a["estimate"], b["estimate"]
    products = (
        found["yy"]
        - theirs * found["yx"]
        - mine * found["xy"]
        + mine * theirs * found["xx"]
    )
    one, other = 1 / a["total"], 1 / b["total"]
    return {
        "products": products * one * other,
        "either": either,
        "differ": found["differ"],
        "squares": a["yy"] * one**2
        - 2 * found["yy"] * one * other
        + b["yy"] * other**2,
        "cubes": a["yyy"] * one**3
        - 3 * found["yyv"] * one**2 * other
        + 3 * found["yvv"] * one * other**2
        - b["yyy"] * other**3,
    }


def _differences(
    sides: list[dict[str, Array]],
    products: dict[str, Array] | None,
    kind: Statistic,
    enough: NDArray[np.bool_],
) -> dict[str, Any]:
    """Differences with their standard errors and degrees of freedom."""
    a, b = sides
    if products is None:
        counts = [a["games"], b["games"]]
        common, n = np.zeros_like(a["y"]), a["games"] + b["games"]
        differ = np.full(len(n), np.nan)
    else:
        n = products["either"]
        counts, common = [n, n], products["products"]
        differ = products["differ"] / np.where(n > 0, n, np.nan)
    many = [np.where(count > 1, count, np.nan) for count in counts]
    alone = [
        side["squares"] * count / (count - 1)
        for side, count in zip(sides, many, strict=True)
    ]
    apart = alone[0] + alone[1]
    reached = apart - 2 * common * many[0] / (many[0] - 1)
    own = [np.where(side["games"] > 1, side["games"], np.nan) for side in sides]
    more = caution(own, apart, kind, paired=products is not None)
    reached = np.maximum(reached, 0.0) + more
    if products is not None:
        freedom = many[0] - 1
    else:
        extra = more / 2
        freedom = _welch([var + extra for var in alone], many)
    made = is_share(kind) | (_made_by(sides, alone, products) >= LEAST)
    se = np.sqrt(np.where(~made | ((reached == 0) & ~enough), np.nan, reached))
    difference = a["estimate"] - b["estimate"]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (apart + more) / reached
    return {
        "one": a["estimate"],
        "other": b["estimate"],
        "difference": difference,
        "se": se,
        "freedom": freedom,
        "p": _p(difference, se, freedom),
        "variance_ratio": ratio,
        "n": n.astype(np.int64),
        "differ": differ,
        "enough": enough & made,
    }


def _made_by(
    sides: list[dict[str, Array]],
    alone: list[Array],
    products: dict[str, Array] | None,
) -> Array:
    """How many games make the differences of means, by their skewness.

    ``alone``: the variance of each side. None do where a mean is 0 in every game, for
    nobody knows how large the values would be that did not happen.
    """
    a, b = sides
    if products is not None:
        sums = products["squares"], products["cubes"], products["either"]
        most = abs(skew(a["estimate"] - b["estimate"], *sums))
    else:
        thirds = [
            abs(skew(side["y"], side["yy"], side["yyy"], side["games"])) * var**1.5
            for side, var in zip(sides, alone, strict=True)
        ]
        both = (alone[0] + alone[1]) ** 1.5
        most = (thirds[0] + thirds[1]) / np.where(both > 0, both, 1.0)
    with np.errstate(divide="ignore"):
        return np.where((a["yy"] == 0) & (b["yy"] == 0), 0.0, 1 / most**2)


def _welch(variances: list[Array], many: list[Array]) -> Array:
    """Degrees of freedom of two variances (Welch 1947, Biometrika 34:28-35)."""
    below = sum(v**2 / (n - 1) for v, n in zip(variances, many, strict=True))
    total = variances[0] + variances[1]
    fewest = np.minimum(*many) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, total**2 / below, fewest)


def _p(difference: Array, se: Array, freedom: Array) -> Array:
    """Two-sided p-values; without any variance, 1 for no difference and else 0."""
    from scipy.special import stdtr  # slow to import

    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(difference == 0, 0.0, abs(difference) / se)
    p = 2 * stdtr(freedom, -t)
    return np.where(np.isnan(difference + se), np.nan, p)


def _with_ends(rows: pl.DataFrame, level: float, share: bool) -> pl.DataFrame:
    low, high = limits(rows, level, share=share)
    return rows.with_columns(
        pl.Series("low", low, nan_to_null=True),
        pl.Series("high", high, nan_to_null=True),
    )
