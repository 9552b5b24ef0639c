"""Differences of measures, each judged in a family against the designer's tolerance.

Two families are controlled: how games end (Holm: hardly any false alarm at all), and
all numbers of the report (Benjamini-Hochberg: of those called different, at most 5 %
are expected to be wrong). What is told together, these and the lines of the scorecard
(``experiments.analysis.effects``), shares 2.5 %. In a family are numbers of many
units, so each is judged in units of its tolerance.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import polars as pl

from experiments.core.measures import words
from reports.measures import SUMS, Measure
from reports.statistics import paired_estimates
from reports.statistics.difference_tests import with_verdicts as judge
from reports.statistics.families import Method

FAMILIES: dict[str, tuple[str, Method]] = {
    "end": ("how games end", "holm"),
    "report": ("the report", "bh"),
}
"""The families of comparisons: name, and how each is controlled."""
_FIRST = (
    "cell",
    "players",
    "family",
    "measure",
    "group",
    "share",
    "one",
    "other",
    "difference",
    "low",
    "high",
    "low_adjusted",
    "high_adjusted",
    "different",
    "verdict",
)
_UNITS = ("difference", "se", "low", "high")
_TINY = 1e-12  # the tolerance of a number that is 0


@dataclass(frozen=True)
class Tolerance:
    """What a designer would not mind: of a share, and else of side one's value."""

    share: float = 0.01
    relative: float = 0.05

    def __str__(self) -> str:
        """In words."""
        points = f"{100 * self.share:g} point{'' if self.share == 0.01 else 's'}"
        return f"{points} for shares, {100 * self.relative:g} % for other numbers"


def alike(measures: Iterable[Measure]) -> list[list[Measure]]:
    """The measures that are compared at once: of one kind, family, and groups."""
    found: dict[Hashable, list[Measure]] = {}
    for one in measures:
        found.setdefault((one.kind, one.family, one.by), []).append(one)
    return [*found.values()]


def differences(
    changed: pl.DataFrame,
    base: pl.DataFrame,
    crossed: pl.DataFrame | None,
    what: Measure,
    games: int | tuple[int, int],
    wider: float = 1.0,
) -> pl.DataFrame:
    """The differences of a measure, or of all that are ``alike``, changed less base.

    A row a measure and group, its groups in words. Groups that only one side has
    cannot differ, and are left out. ``wider``: how many times wider intervals are to
    allow for looking (``experiments.analysis.early_stopping``).
    """
    found = paired_estimates.differences(
        changed, base, crossed, ("measure", *what.by), games, what.kind
    )
    found = paired_estimates.widened(found, wider, share=what.share)
    found = found.rename({"one": "other", "other": "one"})
    return (
        found.with_columns(
            group=words(found, what.by),
            share=pl.lit(what.share),
            family=pl.lit(FAMILIES[what.family][0]),
        )
        .drop(name for name in what.by if name != "group")
        .drop_nulls("difference")
    )


def among(rows: pl.DataFrame, *, scored: bool) -> int:
    """How many parts the 5 % have, of which each family that is told has one.

    As many stay unused: at 5 % for all, nothing could show short of thousands of
    comparisons that no more than 5 % of them raise an alarm.
    """
    return 2 * (rows["family"].n_unique() + scored)


def with_verdicts(
    rows: pl.DataFrame, tolerance: Tolerance, *, scored: bool = False
) -> pl.DataFrame:
    """Adjust within each family, and hold every difference to its tolerance.

    ``scored``: whether the lines of a scorecard are told beside them.
    """
    told = among(rows, scored=scored)
    relative = (pl.col("one").abs() * tolerance.relative).clip(_TINY)
    allowed = pl.when("share").then(tolerance.share).otherwise(relative)
    parts = []
    for name, method in FAMILIES.values():
        part = rows.filter(pl.col("family") == name)
        if part.is_empty():
            continue
        sizes = part.select(tolerance=allowed)["tolerance"]
        units = part.with_columns(pl.col(_UNITS) / sizes)
        verdicts = judge(units, name, 1.0, method, among=told)
        adjusted = pl.col("low_adjusted", "high_adjusted") * sizes
        parts.append(verdicts.with_columns(adjusted, *part.select(_UNITS), sizes))
    found = pl.concat(parts, how="diagonal")
    return found.select(*_FIRST, pl.exclude(_FIRST))


def sides_of(part: pl.DataFrame, what: Measure) -> dict[str, pl.DataFrame]:
    """The rows of each side, of a measure or of all that are ``alike``."""
    keep = part.select("side", "measure", *what.by, *SUMS)
    sides = keep.partition_by("side", as_dict=True, include_key=False)
    return {str(side): table for [side], table in sides.items()}


def crossed(there: pl.DataFrame, back: pl.DataFrame, what: Measure) -> pl.DataFrame:
    """Products as ``paired_estimates`` reads them: ours are of base x changed.

    There ``one`` is the changed side, so its y times the base's x is our ``xy`` of
    one x other, and the reverse; so with squares of y. Both have the same rows.
    """
    return there.select(
        "measure",
        *what.by,
        "yy",
        "xx",
        "games",
        xy=back["xy"],
        yx=there["xy"],
        yyv=back["yyy"],
        yvv=there["yyy"],
        differ=back["games"],
    )
