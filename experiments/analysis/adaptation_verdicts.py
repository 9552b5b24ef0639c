"""What a change does for those who play on as before, and for those who adapt.

Two comparisons of the same rule sets: in one both sides are played by the same players
(the rule alone), in the other each side by those who learned it (what people make of
it). A line of the scorecard gets a verdict where both show the same sign. Where they
are shown to differ, that is itself the finding: it depends on whether players adapt.
"""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import polars as pl

NUMBERS = (
    "option",
    "base",
    "value",
    "difference",
    "low",
    "high",
    "se",
    "verdict",
    "needed",
)
"""Columns of the rule alone, and with ``adapted_`` before them of those who adapted."""
VERDICTS = {
    "differs": "differs, whether players adapt or not",
    "within": "within the tolerance for both",
    "depends": "depends on whether players adapt",
    "one": "shown for one of them",
    "open": "open",
}
"""What is said of a line, in words."""
_LEVEL = 0.05  # of all lines together: that the effects of both sorts of players differ
_SURE = ("differs", "differs a little")
_WITHIN = ("differs a little", "the same")


def joined_verdicts(alone: pl.DataFrame, adapted: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each cell and line of the scorecard that both have.

    alone, adapted: the scorecards of both comparisons (``Comparison.scorecard``).
    Columns: cell, line, tolerance, ``NUMBERS`` of the rule alone and, with
    ``adapted_`` before them, of those who adapted, and says: "differs" (both do, beyond
    the tolerance and with one sign), "within" (both are), "depends" (on whether players
    adapt), "one" (one differs, the other is open) or "open".

    It depends where one differs and the other is shown to lie elsewhere: it has the
    other sign, is the same, or the two differences are farther apart than the tolerance
    (Bonferroni over all lines). Their error is ``apart_se`` of ``adapted``, if it has
    that (``with_errors_apart``), and else that of independent differences.
    """
    if alone.is_empty() or adapted.is_empty():
        return pl.DataFrame()
    there = {f"adapted_{name}": pl.col(name) for name in NUMBERS}
    if "apart_se" in adapted.columns:
        there["apart_se"] = pl.col("apart_se")
    rows = alone.select("cell", "line", "tolerance", *NUMBERS).join(
        adapted.select("cell", "line", **there),
        on=["cell", "line"],
        maintain_order="left",
    )
    bound = NormalDist().inv_cdf(1 - _LEVEL / 2 / max(rows.height, 1))
    says = [_says(row, bound) for row in rows.iter_rows(named=True)]
    rows = rows.with_columns(says=pl.Series(says, dtype=pl.String))
    return rows.drop("apart_se", strict=False)


def adapted_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of those who adapted, by the names of the rule alone."""
    return {**row, **{name: row[f"adapted_{name}"] for name in NUMBERS}}


def _says(row: Mapping[str, Any], bound: float) -> str:
    """Return the verdict of both; bound: in standard errors."""
    there = adapted_row(row)
    said = row["verdict"], there["verdict"]
    if "differs" not in said:
        return "within" if all(word in _WITHIN for word in said) else "open"
    one, other = row["difference"] or 0.0, there["difference"] or 0.0
    same = one * other > 0
    if same and said[0] == said[1]:
        return "differs"
    if "the same" in said or (not same and all(word in _SURE for word in said)):
        return "depends"
    error = row.get("apart_se")
    if error is None:
        error = ((row["se"] or 0.0) ** 2 + (there["se"] or 0.0) ** 2) ** 0.5
    apart = abs(other - one) - bound * error
    return "depends" if apart > row["tolerance"] else "one"
