"""Runs of their own for two lines of the scorecard: luck, and options that are traps.

Luck is told of a table of different strategies, as of ``luck``; traps of the leading
strategy, one of which may not use an option, as of ``knockout``: of decisions with few
options, as contracts and actions are (cards take long, and are seldom traps). Both
count no more than who wins, so they take little of a report's time.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from experiments.analysis.knockout import knockout
from experiments.analysis.luck import luck_shares
from experiments.analysis.panel import Panel
from experiments.core.measures import report_of

LEAST = 256
"""A report of fewer games of each lineup has none of them: they would tell nothing."""


def luck(panel: Panel, games: int, out: Path, **how: Any) -> pl.DataFrame | None:
    """Shares of the variance of winning; None where all strategies are one.

    ``how`` goes to ``run``.
    """
    cell, deals = panel.different(), report_of(panel.game).luck_deals
    if cell is None or not deals or games < LEAST:
        return None
    return luck_shares(cell, min(deals, games), out=out, **how).components()


def worth(panel: Panel, games: int, out: Path, **how: Any) -> pl.DataFrame | None:
    """The rows of a knock-out of the leading strategy; None where there is none."""
    cell, most = panel.restricted(), report_of(panel.game).knocked_games
    if not most or games < LEAST:
        return None
    found = knockout(
        cell.game,
        cell.lineup[0],
        players=cell.players,
        games=min(most, games),
        rules=cell.rules,
        seed=cell.seed,
        few=True,
        out=out,
        **how,
    )
    return found.rows


OWN = {"luck": luck, "worth": worth}
"""By the folder of a report in which the games are."""


def calls(
    panel: Panel, games: int, out: Path
) -> list[Callable[[], dict[str, pl.DataFrame | None]]]:
    """What makes the tables, by name; calls that know nothing of one another."""
    return [partial(_named, name, panel, games, out / name) for name in OWN]


def _named(
    name: str, panel: Panel, games: int, out: Path
) -> dict[str, pl.DataFrame | None]:
    return {name: OWN[name](panel, games, out)}
