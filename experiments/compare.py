"""Two rule sets or two lineups side by side: what differs, by how much, how surely.

    compare([base], [changed], games=16_384).to_polars()

Both sides play the same games (the same deals and the same dice wherever the rules
agree), so that most of the luck cancels. Every number that a run and the game's report
measure is compared: the other side less the one, with an interval whose unit is the
game, and a verdict against the designer's tolerance. Two families are controlled: how
games end (Holm: hardly any false alarm at all), and all numbers of the report
(Benjamini-Hochberg: of those called different, at most 5 % are expected to be wrong).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from experiments.cells import Cell, UsageError
from experiments.measured import Known, known, words
from experiments.pairing import SLICE
from experiments.results import Results
from experiments.run import Progress, run
from reports import paired
from reports.families import Method
from reports.judged import judged as judge
from reports.measures import SUMS

FAMILIES: dict[str, tuple[str, Method]] = {
    "end": ("how games end", "holm"),
    "report": ("the report", "bh"),
}
"""The families of comparisons: name, and how each is controlled."""
_FIRST = (
    "cell", "players", "family", "measure", "group", "share", "one", "other",
    "difference", "low", "high", "low_adjusted", "high_adjusted", "different",
    "verdict",
)  # fmt: skip
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


@dataclass(frozen=True)
class Comparison:
    """What two sides differ in.

    ``rows`` has a row a measure and group: cell, players, measure, group (in words),
    share (or else a number), one, other, difference (other less one) and the columns
    of ``reports.paired`` and ``reports.judged``: low, high, se, p, variance_ratio, n,
    differ; family, p_adjusted, low_adjusted, high_adjusted, different, verdict, ...
    """

    ones: tuple[Cell, ...]
    others: tuple[Cell, ...]
    games: tuple[int, ...]  # of each cell
    rows: pl.DataFrame
    tolerance: Tolerance
    same_games: bool
    directory: Path | None = None

    def to_polars(self) -> pl.DataFrame:
        """A row a measure and group."""
        return self.rows

    def family(self, name: str) -> pl.DataFrame:
        """The rows of a family: ``end`` or ``report``."""
        return self.rows.filter(pl.col("family") == FAMILIES[name][0])

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


def compare(
    ones: Sequence[Cell],
    others: Sequence[Cell],
    games: int,
    *,
    detailed: bool = True,
    tolerance: Tolerance | None = None,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Comparison:
    """Play both sides on the same games; cells are compared in pairs, in order.

    ``detailed`` compares the numbers of the game's report too. ``how`` goes to
    ``run`` (backend, scheduler). Raises ``UsageError`` where the sides do not fit.
    """
    if len(ones) != len(others):
        raise UsageError(
            f"{len(ones)} and {len(others)} lineups and numbers of players: the sides "
            "need as many of both."
        )
    cells = [
        replace(one, beside=other) for one, other in zip(ones, others, strict=True)
    ]
    results = run(
        cells, games, jobs=jobs, detailed=detailed, out=out, progress=progress, **how
    )
    parts = [
        _cell(results.sums, number, one, other, results.played[number], detailed)
        for number, (one, other) in enumerate(zip(ones, others, strict=True))
    ]
    return Comparison(
        tuple(ones),
        tuple(others),
        results.played,
        judged(pl.concat(parts, how="diagonal"), tolerance or Tolerance()),
        tolerance or Tolerance(),
        all(one.seed == other.seed for one, other in zip(ones, others, strict=True)),
        results.directory,
    )


def of_runs(
    one: Results, other: Results, tolerance: Tolerance | None = None
) -> Comparison:
    """Compare two finished runs of different games (seeds); raises ``UsageError``.

    Runs keep sums, not games, so runs of the same games cannot be paired from their
    results: play their cells again with ``compare``.
    """
    pairs = list(zip(one.cells, other.cells, strict=True))
    if any(a.seed == b.seed for a, b in pairs):
        raise UsageError("the runs have the same games; compare their cells instead.")
    parts = []
    for number, (first, second) in enumerate(pairs):
        names = {**known(first), **known(second)}
        games = (other.played[number], one.played[number])
        sides = [r.sums.filter(pl.col("cell") == number) for r in (one, other)]
        found = []
        for name in dict.fromkeys(sides[0]["measure"].sort()):
            base, changed = (
                _scaled(side.filter(pl.col("measure") == name), names[name])
                for side in sides
            )
            if changed.height:
                found.append(differences(changed, base, None, names[name], games))
        parts.append(
            pl.concat(found, how="diagonal")
            .with_columns(
                cell=pl.lit(number, dtype=pl.Int32),
                players=pl.lit(first.players, dtype=pl.Int64),
            )
            .drop("dense")
        )
    return Comparison(
        tuple(one.cells),
        tuple(other.cells),
        tuple(map(min, one.played, other.played)),
        judged(pl.concat(parts, how="diagonal"), tolerance or Tolerance()),
        tolerance or Tolerance(),
        same_games=False,
    )


def _cell(
    sums: pl.DataFrame, number: int, one: Cell, other: Cell, games: int, detailed: bool
) -> pl.DataFrame:
    """The differences of all measures of a cell."""
    names = {**known(one, detailed), **known(other, detailed)}
    here = sums.filter(pl.col("cell") == number)
    found = []
    for [name], part in here.group_by("measure", maintain_order=True):
        what = names[str(name)]
        sides = _sides(part, what)
        crossed = _crossed(sides["one x other"], sides["other x one"], what)
        clusters = -(-games // SLICE) if what.dense else games
        found.append(differences(sides["other"], sides["one"], crossed, what, clusters))
    return (
        pl.concat(found, how="diagonal")
        .with_columns(
            cell=pl.lit(number, dtype=pl.Int32),
            players=pl.lit(one.players, dtype=pl.Int64),
            n=pl.when("dense").then(games).otherwise("n"),
            differ=pl.when("dense").then(None).otherwise("differ"),
            played=pl.lit(games, dtype=pl.Int64),
        )
        .drop("dense")
    )


def differences(
    changed: pl.DataFrame,
    base: pl.DataFrame,
    crossed: pl.DataFrame | None,
    what: Known,
    games: int | tuple[int, int],
) -> pl.DataFrame:
    """The differences of a measure, changed less base, its groups in words.

    Groups that only one side has cannot differ, and are left out.
    """
    found = paired.differences(changed, base, crossed, what.by, games, what.kind)
    found = found.rename({"one": "other", "other": "one"})
    return found.select(
        measure=pl.lit(what.name),
        group=words(found, what.by),
        share=pl.lit(what.share),
        dense=pl.lit(what.dense),
        family=pl.lit(FAMILIES["report" if what.report else "end"][0]),
        *(pl.col(name) for name in found.columns if name not in what.by),
    ).drop_nulls("difference")


def judged(rows: pl.DataFrame, tolerance: Tolerance) -> pl.DataFrame:
    """Adjust within each family, and hold every difference to its tolerance.

    In a family are numbers of many units, so each is judged in units of its tolerance.
    """
    relative = (pl.col("one").abs() * tolerance.relative).clip(_TINY)
    allowed = pl.when("share").then(tolerance.share).otherwise(relative)
    rows = rows.with_columns(allowed=allowed)
    units = ("difference", "se", "low", "high")
    scaled = rows.with_columns(pl.col(name) / pl.col("allowed") for name in units)
    back = [pl.col(f"{end}_adjusted") * pl.col("allowed") for end in ("low", "high")]
    parts = [
        judge(part.drop("family"), name, 1.0, method)
        for name, method in FAMILIES.values()
        if (part := scaled.filter(pl.col("family") == name)).height
    ]
    return (
        pl.concat(parts, how="diagonal")
        .with_columns(*back, *(pl.col(name) * pl.col("allowed") for name in units))
        .with_columns(tolerance=pl.col("allowed"))
        .select(*_FIRST, pl.exclude("allowed", *_FIRST))
    )


def _sides(part: pl.DataFrame, what: Known) -> dict[str, pl.DataFrame]:
    """The rows of each side."""
    keep = _scaled(part, what, "side")
    return {
        str(side): table.drop("side")
        for [side], table in keep.group_by("side", maintain_order=True)
    }


def _scaled(part: pl.DataFrame, what: Known, *more: str) -> pl.DataFrame:
    """The sums of a measure, as many times as makes it a number a game."""
    scale = {"y": what.times, "xy": what.times, "yy": what.times**2}
    return (
        part.select(*more, *what.by, *SUMS)
        .with_columns(pl.col(name) * times for name, times in scale.items())
        .sort(*more, *what.by)
        if more or what.by
        else part.select(SUMS)
    )


def _crossed(there: pl.DataFrame, back: pl.DataFrame, what: Known) -> pl.DataFrame:
    """Products as ``reports.paired`` reads them: ours are of base x changed.

    There ``one`` is the changed side, so its y times the base's x is our ``xy`` of
    one x other, and the reverse.
    """
    return there.select(
        *what.by, "yy", "xx", "games",
        xy=back["xy"], yx=there["xy"], differ=back["games"],
    )  # fmt: skip
