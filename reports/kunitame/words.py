"""How the sections put numbers into words, columns and verdicts."""

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports import intervals
from reports.page import Column, Exhibit, Style, Sure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N = Column("n", "n", "count behind the number", "count")
LINEUPS = Column(
    "lineups", "over lineups", "least and greatest estimate over all lineups simulated"
)
PLAYERS = Column("players", "players", "number of players", "count")
NO_DATA = "No data: nothing of this happened in the games simulated."


def estimated(
    title: str, doc: str, style: Style = "number", name: str = "estimate"
) -> Column:
    """A column of estimates with their intervals."""
    ends = ("low", "high") if name == "estimate" else (f"{name}_low", f"{name}_high")
    return Column(name, title, f"{doc}; 95 % interval by game", style, *ends)


def named(table: pl.DataFrame, name: str) -> pl.DataFrame:
    """The estimates of a table under a name of their own, to be joined."""
    renamed = {"estimate": name, "low": f"{name}_low", "high": f"{name}_high"}
    return table.rename(renamed | {"n": f"{name}_n", "se": f"{name}_se"}, strict=False)


def exhibit(
    name: str,
    title: str,
    note: str,
    table: pl.DataFrame,
    columns: Sequence[Column],
    draw: "Callable[[Any, pl.DataFrame], Figure] | None" = None,
    formula: str | None = None,
) -> Exhibit:
    """An exhibit whose figure is drawn by ``draw(figures, table)`` if there is data."""
    figure = None
    if table.height and draw is not None:
        from reports import figures  # noqa: PLC0415 (slow; workers do without)

        figure = draw(figures, table)
    if not table.height:
        note = f"{note} {NO_DATA}"
    return Exhibit(name, title, note, table, tuple(columns), figure, formula)


def percent(value: float, digits: int = 1) -> str:
    """A share in percent."""
    return f"{100 * value:.{digits}f} %".replace("-", "\N{MINUS SIGN}")


def share(row: dict[str, Any]) -> str:
    """A share with its interval."""
    if row["estimate"] is None:
        return "no data"
    return f"{percent(row['estimate'])} [{_ends(row, 100, 1)}]"


def number(row: dict[str, Any], digits: int = 2) -> str:
    """A number with its interval."""
    if row["estimate"] is None:
        return "no data"
    return f"{_signed(row['estimate'], digits)} [{_ends(row, 1, digits)}]"


def points(row: dict[str, Any]) -> str:
    """A difference of shares in points, with its interval."""
    if row["estimate"] is None:
        return "no data"
    return f"{_plus(100 * row['estimate'], 1)} points [{_ends(row, 100, 1)}]"


def _ends(row: dict[str, Any], scale: float, digits: int) -> str:
    if row["low"] is None or not np.isfinite([row["low"], row["high"]]).all():
        return "no interval"
    return ", ".join(_signed(scale * row[end], digits) for end in ("low", "high"))


def _signed(value: float, digits: int) -> str:
    return f"{value:z,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def _plus(value: float, digits: int) -> str:
    return f"{value:+z,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def listed(parts: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def judge(
    estimate: Any, se: Any, least: Any, most: Any, level: float = 0.95
) -> NDArray[np.str_]:
    """Tell "within" a tolerance, "outside" it or "undecided", for a whole family.

    Outside: the two-sided test against the nearer bound, Holm over the family.
    Within: two one-sided tests at 5 % each, which need no adjustment where it is the
    claim that all are within.
    """
    middle, spread = np.asarray(estimate, float), np.asarray(se, float)
    verdict = intervals.two_sided_equivalence(
        (middle - 1.645 * spread, middle + 1.645 * spread),
        (least, most),
        (least, most),
    )
    p = p_beyond(middle, spread, least, most)
    outside = np.nan_to_num(intervals.holm(p), nan=1.0) < 1 - level
    return np.where(outside, "outside", np.where(verdict == "within", verdict, "undecided"))


def p_beyond(estimate: Any, se: Any, least: Any, most: Any) -> NDArray[np.float64]:
    """Two-sided p-values of lying beyond a tolerance; nan without data."""
    middle, spread = np.asarray(estimate, float), np.asarray(se, float)
    beyond = np.maximum(middle - most, least - middle)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(spread > 0, beyond / spread, np.where(beyond > 0, np.inf, -np.inf))
    tail = np.array([1 - NormalDist().cdf(one) for one in np.nan_to_num(z).ravel()])
    p = np.minimum(2 * tail.reshape(z.shape), 1.0)
    return np.where(np.isnan(middle) | np.isnan(spread), np.nan, p)


def overall(verdicts: NDArray[np.str_]) -> str:
    """The verdict about all: outside if one is, within if all are."""
    if not len(verdicts):
        return "undecided"
    if (verdicts == "outside").any():
        return "outside"
    return "within" if (verdicts == "within").all() else "undecided"


def sure(verdict: str) -> Sure:
    """How sure a finding with this verdict is."""
    return "open" if verdict == "undecided" else "sure"


def more_games(estimate: Any, se: Any, games: Any, least: Any, most: Any) -> str:
    """How many games would decide, in words."""
    needed = intervals.games_needed(estimate, se, games, (least, most))
    needed = needed[~np.isnan(needed)]
    if not len(needed):
        return "too few games to tell how many would decide"
    most_needed = needed.max()
    if not np.isfinite(most_needed) or most_needed > 1e9:
        return "no number of games would decide it: it lies on the edge"
    return f"about {_round(most_needed):,} games of each lineup would decide"


def _round(value: float) -> int:
    """Two leading digits, rounded up."""
    size = 10 ** max(len(str(int(value))) - 2, 0)
    return int(-(-value // size) * size)
