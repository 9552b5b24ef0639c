"""Judging results by targets: pass, fail or undecided, with the interval of each.

A target is about a family of numbers (every seat, every contract, every cell). It
passes when each of them surely lies within its bounds (two one-sided tests at 5 %), it
fails when one of them surely does not (95 %, Holm over the family), and else it is
undecided, with how many games would decide.

Where two groups come from the same games and their sums do not say how they go
together, the worst case is taken: such intervals are too wide rather than too narrow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from experiments.analysis.bounds import FORMS
from experiments.analysis.early_stopping import IntervalWidening
from experiments.core.cells import UsageError, unpaired
from experiments.execution.results import Results
from experiments.studies.targets import Target
from reports.measures import Measure, is_share
from reports.statistics import equivalence

Word = Literal["pass", "fail", "undecided"]
EXITS: dict[Word, int] = {"pass": 0, "fail": 3, "undecided": 4}
"""Exit codes of a check; that of the worst target counts, fail before undecided."""
_WORDS: dict[str, Word] = {"within": "pass", "outside": "fail"}
_COLUMNS = ("group", "estimate", "low", "high", "se", "n", "least", "most")


@dataclass(frozen=True)
class Verdict:
    """What became of a target.

    ``rows`` has a row a number that is bounded: cell, variant, lineup, players, group
    (in words), estimate, low, high, se, n, least, most, verdict; ``share`` says
    whether it is a share; ``ignored`` groups had too few counts to be looked at.
    """

    target: Target
    verdict: Word
    rows: pl.DataFrame
    share: bool
    games: int
    ignored: int = 0

    @property
    def worst(self) -> dict[str, Any] | None:
        """The number that decides: farthest out, or nearest to its bounds."""
        known = self.rows.drop_nulls("estimate")
        if known.is_empty():
            return None
        over = pl.max_horizontal(
            pl.col("estimate") - pl.col("most"), pl.col("least") - pl.col("estimate")
        )
        rank = pl.col("verdict").replace_strict({"fail": 0, "undecided": 1, "pass": 2})
        order = (over / pl.col("se").clip(1e-12)).alias("over")
        found: dict[str, Any] = (
            known.with_columns(rank.alias("rank"), order)
            .sort("rank", "over", descending=[False, True])
            .row(0, named=True)
        )
        return found

    @property
    def needed(self) -> str:
        """How many games would decide, in words; empty where it is decided."""
        open_ = self.rows.filter(pl.col("verdict") == "undecided")
        if self.verdict != "undecided":
            return ""
        if open_.drop_nulls("se").is_empty():
            return "there is no data to judge by"
        columns = (open_[name].to_numpy() for name in ("least", "most"))
        return equivalence.more_games(
            open_["estimate"].to_numpy(), open_["se"].to_numpy(), self.games, *columns
        )


def assess(
    targets: Sequence[Target],
    results: Results,
    design_points: pl.DataFrame | None = None,
    cells: int = 1,
) -> list[Verdict]:
    """Judge each target; ``design_points`` says what cells stand for (``Plan.frame``).

    ``cells``: of how many such results a target fails if it fails in one.
    Raises ``UsageError`` for a target that the results cannot answer.
    """
    detailed = bool(results.manifest.get("detailed", True))
    cell, *_ = unpaired(results.cells, results.directory)
    return [
        _assess(target, target.check(cell, detailed), results, design_points, cells)
        for target in targets
    ]


def exit_code(found: Sequence[Verdict]) -> int:
    """0 where all pass; 3 where one fails; 4 where one is undecided."""
    words = {verdict.verdict for verdict in found}
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
    cells: int,
) -> Verdict:
    kind = target.kind or what.kind
    share = is_share(kind) or target.of_all
    _check_units(target, share)
    games = max(results.played)
    if what.name not in results.names:
        empty = pl.DataFrame(schema=[*_COLUMNS, "verdict"])
        return Verdict(target, "undecided", empty, share, games)
    rows = results.estimates(what.name, kind)
    rows = target.keep(_with_design_points(rows, design_points))
    whole, rows = rows.height, rows.filter(pl.col("n") >= target.ignore_below)
    ignored = whole - rows.height
    parts = [
        FORMS[target.form](
            part, target, what.by, IntervalWidening.of(results, int(str(cell)))
        )
        for [cell], part in rows.group_by("cell", maintain_order=True)
    ]
    found = pl.concat(parts, how="diagonal") if parts else pl.DataFrame()
    if found.is_empty():
        empty = pl.DataFrame(schema=[*_COLUMNS, "verdict"])
        return Verdict(target, "undecided", empty, share, games, ignored)
    if target.form == "quantile":
        share = False
    else:
        verdicts = equivalence.judge(
            found["estimate"],
            found["se"].fill_null(float("nan")),
            found["least"].to_numpy(),
            found["most"].to_numpy(),
            share=share and target.form == "each",
            wider=found["wider"].to_numpy(),
            families=cells,
        )
        words = [_WORDS.get(word, "undecided") for word in verdicts]
        verdict = pl.Series("verdict", words, dtype=pl.String)
        found = found.drop("wider").with_columns(verdict)
    overall = _overall(found["verdict"].to_list())
    return Verdict(target, overall, found, share, games, ignored)


def _overall(words: list[str]) -> Word:
    if "fail" in words:
        return "fail"
    return "pass" if set(words) == {"pass"} else "undecided"


def _check_units(target: Target, share: bool) -> None:
    """Refuse percents where shares go from 0 to 1."""
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
    """The rows with what their cells stand for."""
    if design_points is None:
        return rows
    names = [
        name for name in design_points.columns if name not in {"lineup", "players"}
    ]
    return rows.join(design_points.select(names).unique(), on="cell", how="left").sort(
        "cell"
    )
