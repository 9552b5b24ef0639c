"""Test results against targets: pass, fail or undecided, with intervals.

A target bounds a family of numbers (every seat, every contract, every cell). It passes
if each is shown to lie within its bounds (two one-sided tests at 5 %), fails if one is
shown to lie outside (95 %, Holm over the family), and is otherwise undecided, with the
number of games that would decide.

If two groups come from the same games and their sums do not show their correlation, the
worst case is assumed: such intervals are too wide rather than too narrow.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from experiments.analysis.interval_widening import IntervalWidening
from experiments.analysis.target_forms import FORMS
from experiments.core.cells import UsageError, require_unpaired
from experiments.execution.results import Results
from experiments.studies.targets import Target
from reports.measures import Measure, is_share
from reports.statistics import equivalence

Word = Literal["pass", "fail", "undecided"]
EXITS: dict[Word, int] = {"pass": 0, "fail": 3, "undecided": 4}
"""Exit codes of a check; the worst target counts, fail before undecided."""
_WORDS: dict[str, Word] = {"within": "pass", "outside": "fail"}
_COLUMNS = ("group", "estimate", "low", "high", "se", "n", "least", "most")


@dataclass(frozen=True)
class TargetVerdict:
    """The verdict on a target.

    ``rows`` has one row per bounded number: cell, variant, lineup, players, group (in
    words), estimate, low, high, se, n, least, most, verdict; ``share`` says whether it
    is a share; ``ignored`` groups had too few counts to be tested.
    """

    target: Target
    verdict: Word
    rows: pl.DataFrame
    share: bool
    games: int
    ignored: int = 0

    @property
    def worst(self) -> dict[str, Any] | None:
        """The number that decides: farthest outside its bounds, or nearest to them."""
        known = self.rows.drop_nulls("estimate")
        if known.is_empty():
            return None
        over = pl.max_horizontal(
            pl.col("estimate") - pl.col("most"), pl.col("least") - pl.col("estimate")
        )
        rank = pl.col("verdict").replace_strict({"fail": 0, "undecided": 1, "pass": 2})
        order = (over / pl.col("se").clip(1e-12)).alias("over")
        worst: dict[str, Any] = (
            known.with_columns(rank.alias("rank"), order)
            .sort("rank", "over", descending=[False, True])
            .row(0, named=True)
        )
        return worst

    @property
    def needed(self) -> str:
        """How many games would decide, in words; empty if it is decided."""
        open_ = self.rows.filter(pl.col("verdict") == "undecided")
        if self.verdict != "undecided":
            return ""
        if open_.drop_nulls("se").is_empty():
            return "there are no data to test"
        columns = (open_[name].to_numpy() for name in ("least", "most"))
        return equivalence.more_games(
            open_["estimate"].to_numpy(), open_["se"].to_numpy(), self.games, *columns
        )


def assess(
    targets: Sequence[Target],
    results: Results,
    design_points: pl.DataFrame | None = None,
    cells: int = 1,
) -> list[TargetVerdict]:
    """Test each target; ``design_points`` describes the cells (``Plan.frame``).

    ``cells``: the number of such results, if a target fails when it fails in any one of
    them. Raises ``UsageError`` for a target that the results cannot answer.
    """
    detailed = bool(results.manifest.get("detailed", True))
    cell, *_ = require_unpaired(results.cells, results.directory)
    return [
        _assess(target, target.check(cell, detailed), results, design_points, cells)
        for target in targets
    ]


@dataclass(frozen=True)
class PointVerdicts:
    """The verdicts on all targets at one point of a sweep.

    ``point`` maps each key to its value.
    """

    point: Mapping[str, Any]
    verdicts: tuple[TargetVerdict, ...]

    @property
    def word(self) -> Word:
        """Whether it meets every target."""
        return _overall([verdict.verdict for verdict in self.verdicts])


def by_point(
    targets: Sequence[Target],
    results: Results,
    design_points: pl.DataFrame,
    keys: Sequence[str],
) -> list[PointVerdicts]:
    """Test each target at each point separately, in the order of the design.

    Targets for other points (``where``) are left out.
    """
    cell, *_ = require_unpaired(results.cells, results.directory)
    detailed = bool(results.manifest.get("detailed", True))
    whats = [target.check(cell, detailed) for target in targets]
    points = []
    for values, part in design_points.group_by(keys, maintain_order=True):
        cells = part["cell"].to_list()
        point = dict(zip(keys, values, strict=True))
        verdicts = [
            _assess(target, what, results, design_points, only=cells)
            for target, what in zip(targets, whats, strict=True)
            if all(
                str(value).lower()
                in [str(allowed).lower() for allowed in target.where[key]]
                for key, value in point.items()
                if key in target.where
            )
        ]
        if verdicts:
            points.append(PointVerdicts(point, tuple(verdicts)))
    return points


def exit_code(verdicts: Sequence[TargetVerdict]) -> int:
    """Return 0 if all pass, 3 if one fails, else 4."""
    words = {verdict.verdict for verdict in verdicts}
    return EXITS[
        "fail" if "fail" in words else min(words, key=_severity, default="pass")
    ]


def _severity(word: Word) -> int:
    return ("undecided", "pass").index(word)


def _assess(
    target: Target,
    what: Measure,
    results: Results,
    design_points: pl.DataFrame | None,
    cells: int = 1,
    only: Sequence[int] | None = None,
) -> TargetVerdict:
    kind = target.kind or what.kind
    share = is_share(kind) or target.of_all
    _check_units(target, share)
    games = max(results.played)
    if what.name not in results.names:
        empty = pl.DataFrame(schema=[*_COLUMNS, "verdict"])
        return TargetVerdict(target, "undecided", empty, share, games)
    rows = results.estimates(what.name, kind)
    rows = target.keep(_with_design_points(rows, design_points))
    if only is not None:
        rows = rows.filter(pl.col("cell").is_in(list(only)))
    whole, rows = rows.height, rows.filter(pl.col("n") >= target.ignore_below)
    ignored = whole - rows.height
    parts = [
        FORMS[target.form](
            part, target, what.by, IntervalWidening.of(results, int(str(cell)))
        )
        for [cell], part in rows.group_by("cell", maintain_order=True)
    ]
    tested = pl.concat(parts, how="diagonal") if parts else pl.DataFrame()
    if tested.is_empty():
        empty = pl.DataFrame(schema=[*_COLUMNS, "verdict"])
        return TargetVerdict(target, "undecided", empty, share, games, ignored)
    if target.form == "quantile":
        share = False
    else:
        verdicts = equivalence.judge(
            tested["estimate"],
            tested["se"].fill_null(float("nan")),
            tested["least"].to_numpy(),
            tested["most"].to_numpy(),
            share=share and target.form == "each",
            wider=tested["wider"].to_numpy(),
            families=cells,
        )
        words = [_WORDS.get(word, "undecided") for word in verdicts]
        verdict = pl.Series("verdict", words, dtype=pl.String)
        tested = tested.drop("wider").with_columns(verdict)
    overall = _overall(tested["verdict"].to_list())
    return TargetVerdict(target, overall, tested, share, games, ignored)


def _overall(words: list[str]) -> Word:
    if "fail" in words:
        return "fail"
    return "pass" if set(words) == {"pass"} else "undecided"


def _check_units(target: Target, share: bool) -> None:
    """Refuse percentages for shares, which go from 0 to 1."""
    if not share or target.quantile is not None:
        return
    for key in ("least", "most", "gap"):
        bound = getattr(target, key)
        if bound is not None and not 0 <= bound <= 1:
            raise UsageError(
                f"targets.{target.name}: {key}: a share goes from 0 to 1, not "
                f"{bound:g}; write {bound / 100:g} for {bound:g} %."
            )


def _with_design_points(
    rows: pl.DataFrame, design_points: pl.DataFrame | None
) -> pl.DataFrame:
    """Return the rows with the design points of their cells."""
    if design_points is None:
        return rows
    known = {"lineup", "players"}  # columns of the rows
    names = [name for name in design_points.columns if name not in known]
    points = design_points.select(names).unique()
    return rows.join(points, on="cell", how="left").sort("cell")
