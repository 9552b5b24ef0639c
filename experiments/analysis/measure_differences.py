"""Differences in measures, tested in families against the designer's tolerance.

There are two families: how games end (Holm: hardly any false alarm at all), and all
measures of the report (Benjamini-Hochberg: of those called different, at most 5 % are
expected to be wrong). The families shown together, these, the lines of the scorecard
(``experiments.analysis.scorecard_effects``) and the cards that may have changed
(``experiments.analysis.card_worth``), share 2.5 %. Measures of a family have various
units, so each difference is tested in units of its tolerance.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

import polars as pl

from experiments.core.measures import group_words
from reports.batches import GameBatches
from reports.measures import SUM_TYPES, Measure
from reports.statistics import paired_estimates
from reports.statistics.difference_tests import difference_verdicts
from reports.statistics.multiple_comparisons import Method

FAMILIES: dict[str, tuple[str, Method]] = {
    "end": ("how games end", "holm"),
    "report": ("the report", "bh"),
}
"""The families of comparisons: title, and method of control."""
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
class ComparisonTolerance:
    """Differences that do not matter: of a share, or else relative to side one."""

    share: float = 0.01
    relative: float = 0.05

    def __str__(self) -> str:
        """Return the tolerance in words."""
        points = f"{100 * self.share:g} point{'' if self.share == 0.01 else 's'}"
        return f"{points} for shares, {100 * self.relative:g} % for other numbers"


def compatible_measures(measures: Iterable[Measure]) -> list[list[Measure]]:
    """Group the measures that are compared at once: of one kind, family and groups."""
    groups: dict[Hashable, list[Measure]] = {}
    for what in measures:  # few calls for many measures: small frames are slow
        groups.setdefault((what.kind, what.family, what.by), []).append(what)
    return [*groups.values()]


def differences(
    changed: pl.DataFrame,
    base: pl.DataFrame,
    what: Measure,
    games: int | tuple[int, int],
    widening: float = 1.0,
    *,
    batches: GameBatches | None = None,
) -> pl.DataFrame:
    """Return changed minus base of a measure, or of all ``compatible_measures``.

    One row per measure and group, with its groups in words. Groups that only one side
    has cannot be compared, and are left out. ``batches`` are those of the games, if
    both sides played the same ones. ``widening`` is the factor by which
    intervals are widened to allow for looking
    (``experiments.analysis.interval_widening``).
    """
    by = ("measure", *what.by)
    there, here = (side.select(*by, *SUM_TYPES) for side in (changed, base))
    rows = paired_estimates.differences(
        there, here, by, games, what.kind, batches=batches
    )
    rows = paired_estimates.widen(rows, widening, share=what.share)
    rows = rows.rename({"one": "other", "other": "one"})
    return (
        rows.with_columns(
            group=group_words(rows, what.by),
            share=pl.lit(what.share),
            family=pl.lit(FAMILIES[what.family][0]),
        )
        .drop(name for name in what.by if name != "group")
        .drop_nulls("difference")
    )


def family_count(rows: pl.DataFrame, *, beside: int) -> int:
    """Return into how many parts the 5 % are divided; each family shown takes one.

    ``beside``: families that are shown beside these rows.

    As many parts stay unused: if all families had 5 % together, it would take thousands
    of comparisons to show that no more than 5 % of them raise a false alarm.
    """
    return 2 * (rows["family"].n_unique() + beside)


def with_verdicts(
    rows: pl.DataFrame, tolerance: ComparisonTolerance, *, beside: int = 0
) -> pl.DataFrame:
    """Adjust within each family, and test every difference against its tolerance.

    ``beside``: how many more families are shown, such as the lines of a scorecard.
    """
    level_parts = family_count(rows, beside=beside)
    relative = (pl.col("one").abs() * tolerance.relative).clip(_TINY)
    allowed = pl.when("share").then(tolerance.share).otherwise(relative)
    parts = []
    for name, method in FAMILIES.values():
        part = rows.filter(pl.col("family") == name)
        if part.is_empty():
            continue
        sizes = part.select(tolerance=allowed)["tolerance"]
        units = part.with_columns(pl.col(_UNITS) / sizes)
        verdicts = difference_verdicts(units, name, 1.0, method, among=level_parts)
        adjusted = pl.col("low_adjusted", "high_adjusted") * sizes
        parts.append(verdicts.with_columns(adjusted, *part.select(_UNITS), sizes))
    return pl.concat(parts, how="diagonal").select(*_FIRST, pl.exclude(_FIRST))
