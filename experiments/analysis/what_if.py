"""What-ifs: what one change of the game is worth, on the same deals.

    every = interventions_named(cell, forbid="claim:only-white")
    what_if(cell, every, 4_096).rows

Games are played with and without each intervention
(``experiments.counterfactual.changed_games``); the unit of intervals is the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from experiments.core.blocks import block_size
from experiments.core.cells import Cell
from experiments.counterfactual.changed_games import changed_games, play_block
from experiments.counterfactual.intervention import Intervention
from experiments.counterfactual.interventions import Interventions
from experiments.execution.results import Results
from experiments.execution.run import run
from reports.batches import GameBatches
from reports.measures import SUM_TYPES
from reports.statistics.estimates import estimates
from reports.statistics.paired_estimates import differences

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLOCK = 4_096  # games, at most
LEVEL = 0.95
"""Of the intervals of all rows together."""


@dataclass(frozen=True)
class WhatIf:
    """What each change is worth.

    ``rows``: what (in words), position (where everybody is changed), used (share of the
    games in which it comes up), won and changed (shares of the win without and with
    it), more (changed less won), low, high (95 %, simultaneous for all rows), verdict
    ("gains", "loses", "undecided" or "never comes up"), and score_more with its own
    interval, in games with a score. A change of few games is shown with the caution of
    ``reports.statistics.paired_estimates``.
    """

    cell: Cell
    rows: pl.DataFrame
    results: Results

    @property
    def games(self) -> int:
        """The number of deals."""
        return self.results.played[0]

    @property
    def lineup(self) -> str:
        """Who plays; one name if it is the same strategy in every seat."""
        return ", ".join(dict.fromkeys(one.title for one in self.cell.strategies()))

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return the tables by name: the rows, and the first 100 games, tidy."""
        return {"rows": self.rows, "games": self.table(min(self.games, 100))}

    def table(self, games: int) -> pl.DataFrame:
        """Return the tidy table of the first games, which are played again."""
        return changed_games(self.cell, np.arange(games, dtype=np.uint64))[0]

    def plot(self) -> "Figure":
        """Draw how the win share changes, with a dot and interval for each row."""
        from reports import figures  # slow to import

        return figures.dots(
            self.rows.with_columns(label=labels(self.rows)),
            "label",
            "more",
            "low",
            "high",
            title="What if?",
            xlabel="change of the win share, %",
            reference=0.0,
        )

    def __repr__(self) -> str:
        """Name each change, and what it is worth in win share."""
        head = f"{self.cell.game}, {self.cell.players} players, {self.lineup}"
        lines = [
            f"{label}: {100 * more:+.1f} points of wins [{100 * low:.1f}, "
            f"{100 * high:.1f}], {verdict}"
            for label, more, low, high, verdict in zip(
                labels(self.rows),
                *self.rows["more", "low", "high", "verdict"],
                strict=True,
            )
        ]
        return "\n".join([f"{head}: {self.games:,} deals", *lines])

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


def labels(rows: pl.DataFrame) -> pl.Series:
    """Return what each row changes, and of which position."""
    where = pl.when(pl.col("position") > 0).then(
        pl.format(", position {}", pl.col("position"))
    )
    words = pl.concat_str(pl.col("what"), where.otherwise(pl.lit("")))
    return rows.select(label=words)["label"]


def what_if(
    cell: Cell, every: Sequence[Intervention[Any]], games: int, **how: Any
) -> WhatIf:
    """Play games of a cell with and without each of the interventions.

    ``how`` goes to ``run``. Raises ``UsageError`` before anything is played.
    """
    changed = replace(cell, interventions=Interventions(tuple(every)))
    size = min(block_size([cell], games, False, False), _BLOCK)
    results = run([changed], games, play=play_block, block=size, **how)
    titles = [each.title for each in every]
    rows = rows_of(results.sums, titles, games, cell.players)
    return WhatIf(changed, rows, results)


def rows_of(
    sums: pl.DataFrame, titles: Sequence[str], games: int, players: int
) -> pl.DataFrame:
    """Return a row for each change, in order, and position.

    ``sums`` are those of ``changed_games.MEASURES`` in so many games.
    """
    by, on = ("what", "position"), "what"
    rows = pl.DataFrame({on: [*dict.fromkeys(titles)]})
    used = estimates(sums.filter(measure="used"), "share").select(*by, used="estimate")
    rows = rows.join(used, on=on, how="left", maintain_order="left")
    won, changed = (
        sums.filter(measure=name).select(*by, *SUM_TYPES)
        for name in ("won", "won changed")
    )
    # The family of rows is what is asked for, so intervals hold for all at once
    level = 1 - (1 - LEVEL) / max(rows.height, 1)
    batches = GameBatches(players)
    worth = differences(
        changed, won, by, games, "share", level, batches=batches
    ).select(*by, "low", "high", won="other", changed="one", more="difference")
    rows = rows.join(worth, on=by, how="left", maintain_order="left")
    if "score more" in sums["measure"]:
        names = {"estimate": "score_more", "low": "score_more_low"}
        names |= {"high": "score_more_high"}
        score = estimates(sums.filter(measure="score more"), "mean").select(*by, *names)
        rows = rows.join(score.rename(names), on=by, how="left", maintain_order="left")
    # Of what never comes up it is known that it changes nothing
    never = pl.col("used") == 0
    ends = (pl.when(never).then(0.0).otherwise(pl.col(end)) for end in ("low", "high"))
    rows = rows.with_columns(low=next(ends), high=next(ends))
    gains, loses = pl.col("low") > 0, pl.col("high") < 0
    words = pl.when(gains).then(pl.lit("gains")).when(loses).then(pl.lit("loses"))
    words = words.when(never).then(pl.lit("never comes up"))
    return rows.with_columns(verdict=words.otherwise(pl.lit("undecided")))
