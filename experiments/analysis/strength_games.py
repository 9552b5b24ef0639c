"""Games of players at each level of strength, by the same rules, on the same deals.

    played = play_levels(cell, 1_024)
    played.shares("won by position")    # a row for each level and position

The levels are those of ``strategies.strength_levels``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from experiments.analysis import scorecard_effects
from experiments.analysis.scorecard_effects import Scores
from experiments.analysis.tolerance_check import LineCheck, check_line
from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results
from experiments.execution.run import run
from reports.scorecard.lines import BY_ID
from sim.parameters import no_such
from strategies.strength_levels import LEVELS, plays_as

USUAL = ("beginner", "good", "strong")
"""The levels that are quick to play; the expert, who searches, has to be asked for."""


@dataclass(frozen=True)
class StrengthGames:
    """Games at some levels: a cell of ``results`` for each, the weakest first."""

    levels: tuple[str, ...]
    results: Results
    scores: Scores | None = None

    @property
    def best(self) -> str:
        """The strongest level that played."""
        return self.levels[-1]

    @property
    def games(self) -> int:
        """The games at each level."""
        return min(self.results.played)

    @property
    def specs(self) -> dict[str, str]:
        """Who plays at each level."""
        cell, *_ = self.results.cells
        return plays_as(self.levels, cell.game, cell.rules, cell.players)

    def shares(self, measure: str) -> pl.DataFrame:
        """Return the groups of a measure with estimate, low, high and n, by level."""
        parts = [
            self.results.of_cells([at])[measure].select(
                pl.lit(level).alias("level"), pl.all()
            )
            for at, level in enumerate(self.levels)
        ]
        return pl.concat(parts, how="diagonal_relaxed")

    def checks(self, line: str) -> Mapping[str, LineCheck]:
        """Return the number and verdict of a scorecard line, by level, where known."""
        if self.scores is None:
            return {}
        checked = {
            level: check_line(BY_ID[line], values)
            for level, values in zip(self.levels, self.scores.values, strict=True)
        }
        return {level: one for level, one in checked.items() if one is not None}


def in_order(levels: Sequence[str]) -> tuple[str, ...]:
    """Return levels, the weakest first; raises ``UsageError`` for an unknown one.

    >>> in_order(["strong", "beginner"])
    ('beginner', 'strong')
    """
    for level in levels:
        if level not in LEVELS:
            raise UsageError(f"levels: {no_such('level', level, LEVELS)}")
    return tuple(level for level in LEVELS if level in levels)


def play_levels(
    cell: Cell,
    games: int,
    levels: Sequence[str] = USUAL,
    *,
    lines: bool = False,
    **how: Any,
) -> StrengthGames:
    """Play games of a cell with players of each level in all seats, not its lineup.

    lines: also take the lines of the scorecard, and all measures of the report. ``how``
    goes to ``run``. Raises ``UsageError`` for an unknown level.
    """
    ordered = in_order(levels)
    cells = [replace(cell, lineup=(level,)) for level in ordered]
    if not lines:
        return StrengthGames(ordered, run(cells, games, **how))
    scores = scorecard_effects.play(cells, games, mixed=False, **how)
    return StrengthGames(ordered, scores.results, scores)
