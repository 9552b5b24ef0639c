"""Runs of their own for two lines of the scorecard: luck, and options that are traps.

Luck is told of a table of different strategies, as of ``luck``; traps of the leading
strategy, one of which may not use an option, as of ``knockout``. Both count no more
than who wins, so they take little of a report's time.
"""

from pathlib import Path
from typing import Any

import polars as pl

from experiments.analysis.knockout import knockout
from experiments.analysis.luck import luck_shares
from experiments.analysis.panel import Panel

PART = 8
"""So many times fewer deals than a report has games of each lineup."""


def luck(panel: Panel, games: int, out: Path, **how: Any) -> pl.DataFrame | None:
    """Shares of the variance of winning; None where all strategies are one.

    ``how`` goes to ``run``.
    """
    cell = panel.different()
    if cell is None:
        return None
    return luck_shares(cell, max(games // PART, 2), out=out, **how).components()


def worth(panel: Panel, games: int, out: Path, **how: Any) -> pl.DataFrame:
    """The rows of a knock-out of the leading strategy."""
    cell = panel.restricted()
    found = knockout(
        cell.game,
        cell.lineup[0],
        players=cell.players,
        games=max(games // PART, 1),
        rules=cell.rules,
        seed=cell.seed,
        out=out,
        **how,
    )
    return found.rows


OWN = {"luck": luck, "worth": worth}
"""By the folder of a report in which the games are."""
