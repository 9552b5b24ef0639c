"""What-ifs: what one change of the game is worth, on the same deals.

    every = interventions_named(cell, forbid="claim:only-white")
    what_if(cell, every, 4_096).rows

Games are played with and without each intervention
(``experiments.counterfactual.changed_games``); the unit of intervals is the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import sim.games
from experiments.core.blocks import block_size
from experiments.core.cells import Cell, require_unpaired
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

    @property
    def score(self) -> str:
        """What the final score is called, and which end of it wins; "" without one."""
        score = sim.games.load(self.cell.game).score
        if score is None or "score_more" not in self.rows.columns:
            return ""
        return f"{score.words} ({'less' if score.fewest else 'more'} is better)"

    def to_dict(self) -> dict[str, Any]:
        """Return game, players, lineup, games, seed, score and rows, as plain data."""
        return {
            "game": self.cell.game,
            "players": self.cell.players,
            "lineup": self.cell.title(),
            "games": self.games,
            "seed": self.cell.seed,
            "score": self.score,
            "rows": self.rows.to_dicts(),
        }

    def to_polars(self) -> pl.DataFrame:
        """Return the rows."""
        return self.rows

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
            f"{label}: {100 * more:+z.1f} points of wins [{100 * low:z.1f}, "
            f"{100 * high:z.1f}], {verdict}"
            for label, more, low, high, verdict in zip(
                labels(self.rows),
                *self.rows["more", "low", "high", "verdict"],
                strict=True,
            )
        ]
        more = "see .rows, .table(games), .plot()"
        return "\n".join([f"{head}: {self.games:,} deals", *lines, more])

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
    return what_if_of(replace(results, cells=(changed,)))


def is_what_if(manifest: Mapping[str, Any]) -> bool:
    """Whether this is the manifest of what-ifs."""
    return manifest.get("play") == f"{play_block.__module__}.{play_block.__name__}"


def what_if_of(results: Results) -> WhatIf:
    """Return what-ifs of their results, which may be those of a finished run.

    Of a run from disk, players are known by name only, so no games are played again.
    """
    [cell], [games] = require_unpaired(results.cells, results.directory), results.played
    titles = results.manifest["names"][0].get("changes", ())
    return WhatIf(cell, rows_of(results.sums, titles, games, cell.players), results)


def rows_of(
    sums: pl.DataFrame, titles: Sequence[str], games: int, players: int
) -> pl.DataFrame:
    """Return a row for each change, in order, and position.

    ``sums`` are those of ``changed_games.MEASURES`` in so many games.
    """
    by = ("what", "position")
    won, changed = (
        sums.filter(measure=name).select(*by, *SUM_TYPES)
        for name in ("won", "won changed")
    )
    rows = pl.DataFrame({"what": [*dict.fromkeys(titles)]})
    rows = rows.join(
        won.select(by), on="what", how="left", maintain_order="left_right"
    ).with_columns(pl.col("position").fill_null(0))
    came = estimates(sums.filter(measure="used"), "share of games", games)
    # The family of rows is what is asked for, so intervals hold for all at once
    level = 1 - (1 - LEVEL) / max(rows.height, 1)
    worth = differences(
        changed, won, by, games, "share", level, batches=GameBatches(players)
    ).select(
        *by,
        won="other",
        changed="one",
        more="difference",
        low="low",
        high="high",
    )
    for part in (came.select(*by, used="estimate"), worth):
        rows = rows.join(part, on=by, how="left", maintain_order="left")
    if "score more" in sums["measure"]:
        names = {"estimate": "score_more", "low": "score_more_low"}
        names |= {"high": "score_more_high"}
        score = estimates(sums.filter(measure="score more"), "mean").select(*by, *names)
        rows = rows.join(score.rename(names), on=by, how="left", maintain_order="left")
    # Of what never comes up it is known that it changes nothing
    rows = rows.with_columns(pl.col("used").fill_null(0.0))
    never, numbers = pl.col("used") == 0, pl.col("more", "low", "high")
    rows = rows.with_columns(pl.when(never).then(0.0).otherwise(numbers).name.keep())
    gains, loses = pl.col("low") > 0, pl.col("high") < 0
    words = pl.when(gains).then(pl.lit("gains")).when(loses).then(pl.lit("loses"))
    words = words.when(never).then(pl.lit("never comes up"))
    return rows.with_columns(verdict=words.otherwise(pl.lit("undecided")))
