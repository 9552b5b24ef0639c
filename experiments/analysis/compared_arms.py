"""Compare two sides as a user names them, by the players there are and who adapted."""

from dataclasses import replace
from typing import Any

import polars as pl

from experiments.analysis.compare import (
    Comparison,
    compare,
    compare_runs,
    run_widening,
)
from experiments.analysis.compare_scorecards import scores_of_runs
from experiments.analysis.comparison_arms import Arm, are_equal, games_of
from experiments.analysis.measure_differences import ComparisonTolerance
from experiments.analysis.sequential_comparison import (
    SequentialComparison,
    stopping_rule,
)
from experiments.core.cells import UsageError


def compare_arms(
    one: Arm,
    other: Arm,
    games: int | None = None,
    *,
    tolerance: ComparisonTolerance,
    decide: str = "",
    adapted: tuple[Arm, Arm] | None = None,
    **how: Any,
) -> Comparison:
    """Play both sides, unless both are finished runs: these are not played again.

    games: on each side; by default those of the run, if one side is one.
    ``decide`` names a share: play until it is decided. adapted: both sides with players
    who learned their rules, who play in the same run. ``how`` goes to ``compare``.
    Raises ``UsageError``.
    """
    rule = stopping_rule_of(one, other, decide, tolerance)
    most = games_of(one, other, games)
    if one.run is None or other.run is None:
        how |= {"tolerance": tolerance, "stopping_rule": rule}
        if adapted is None:
            return compare(one.cells, other.cells, most, **how)
        return _both_answers((one, other), adapted, most, **how)
    if len(one.cells) != len(other.cells):
        raise UsageError(
            f"{one.name} has {len(one.cells)} lineups and numbers of players, "
            f"{other.name} has {len(other.cells)}; they need the same number."
        )
    scored = bool(how.get("with_scorecards")) and run_widening(one.run, other.run) == 1
    return compare_runs(
        one.run,
        other.run,
        tolerance,
        detailed=how.get("detailed", True),
        scores=scores_of_runs(one.run, other.run) if scored else (),
    )


def stopping_rule_of(
    one: Arm, other: Arm, measure: str, allowed: ComparisonTolerance
) -> SequentialComparison | None:
    """Return the stopping rule of a measure, if one is named; raises ``UsageError``."""
    if not measure:
        return None
    if one.run is not None and other.run is not None:
        raise UsageError("decide: both runs are finished; name a side to play instead.")
    return stopping_rule(one.cells[0], measure, allowed.share)


def _both_answers(
    arms: tuple[Arm, Arm], adapted: tuple[Arm, Arm], games: int, **how: Any
) -> Comparison:
    """Play the sides as they are, and as those play them who adapted, in one run.

    Those whom lessons taught nothing play the same games, so once is enough.
    """
    (one, other), more = arms, adapted
    first = len(one.cells)
    if all(map(are_equal, arms, adapted)):
        more = (replace(one, cells=()), replace(other, cells=()))
    ones, others = ((*a.cells, *b.cells) for a, b in zip(arms, more, strict=True))
    found = compare(ones, others, games, **how)
    alone = _part(found, 0, first)
    after = _part(found, first, 2 * first) if more[0].cells else alone
    told = tuple(arm.told for arm in adapted)
    return replace(alone, adapted=replace(after, told=told))


def _part(found: Comparison, begin: int, end: int) -> Comparison:
    """Return the comparison of some of the cells, with the verdicts among all."""
    return replace(
        found,
        ones=found.ones[begin:end],
        others=found.others[begin:end],
        games=found.games[begin:end],
        other_games=found.other_games[begin:end],
        rows=_of_cells(found.rows, begin, end),
        scores=found.scores[begin:end],
        card_rows=_of_cells(found.card_rows, begin, end),
        table_rows=_of_cells(found.table_rows, begin, end),
        answers=2,
    )


def _of_cells(rows: pl.DataFrame, begin: int, end: int) -> pl.DataFrame:
    """Return the rows of some of the cells, which are counted anew."""
    if rows.is_empty():
        return rows
    mine = rows.filter(pl.col("cell").is_between(begin, end, closed="left"))
    return mine.with_columns(pl.col("cell") - begin)
