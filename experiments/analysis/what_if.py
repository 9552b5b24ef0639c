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
from experiments.counterfactual.changed_games import (
    MEASURES,
    changed_games,
    play_block,
)
from experiments.counterfactual.intervention import Intervention
from experiments.counterfactual.interventions import Interventions
from experiments.execution.results import Results
from experiments.execution.run import run
from reports.simultaneous_intervals import simultaneous_intervals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BLOCK = 4_096  # games, at most
_KINDS = {measure.name: measure.kind for measure in MEASURES}


@dataclass(frozen=True)
class WhatIf:
    """What each change is worth.

    ``rows``: what (in words), position (where everybody is changed), used (share of the
    games in which it comes up), won and changed (shares of the win without and with
    it), more (changed less won), low, high (95 %, simultaneous for all rows), verdict
    ("gains", "loses", "undecided" or "never comes up"), and score_more with its own
    interval, in games with a score.
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
    return WhatIf(changed, _rows_of(results, every), results)


def _rows_of(results: Results, every: Sequence[Intervention[Any]]) -> pl.DataFrame:
    """Return a row for each intervention, in order, and position."""
    by = ("what", "position")
    rows = pl.DataFrame({"what": [*dict.fromkeys(each.title for each in every)]})
    for name, column in (
        ("used", "used"),
        ("won", "won"),
        ("won changed", "changed"),
        ("won more", "more"),
        ("score more", "score_more"),
    ):
        if name not in results.names:
            continue
        part = results.estimates(name, _KINDS[name])
        ends = ("low", "high") if name in ("won more", "score more") else ()
        named = {"estimate": column}
        named |= {end: end if column == "more" else f"{column}_{end}" for end in ends}
        part = part.select(*by, *named).rename(named)
        on = [column for column in by if column in rows.columns]
        rows = rows.join(part, on=on, how="left", maintain_order="left")
    # The family of rows is what is asked for, so intervals hold for all at once
    bounds = {"low": "more_low", "high": "more_high"}
    rows = simultaneous_intervals(rows.rename(bounds), "more")
    rows = rows.rename({new: old for old, new in bounds.items()})
    # Of what never comes up it is known that it changes nothing
    rows = rows.with_columns(pl.col("low", "high").fill_null(0.0))
    gains, loses = pl.col("low") > 0, pl.col("high") < 0
    words = pl.when(gains).then(pl.lit("gains")).when(loses).then(pl.lit("loses"))
    words = words.when(pl.col("used") == 0).then(pl.lit("never comes up"))
    return rows.with_columns(verdict=words.otherwise(pl.lit("undecided")))
