"""Luck against skill: the same deals with the lineup moved round all seats.

As duplicate bridge does: every deal is played once with each rotation of the lineup,
so each strategy has had each seat's cards. What of the result is then due to the deal,
to the seat, to the strategy, and to the rest,
``reports.statistics.variance_components`` tells.
"""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress, run
from reports.statistics import variance_components
from sim import games as registry
from sim.parameters import nearest, one_of

DEALS = 4_096
"""Deals unless said otherwise."""
MOST = 200_000
"""Deals that fit in memory with all their rotations."""
WON = "won"


@dataclass(frozen=True)
class LuckShares:
    """A duplicate design that was played.

    ``games``: deal, rotation, seat, strategy, and the result's numbers with ``won``.
    """

    cell: Cell
    deals: int
    games: pl.DataFrame

    @property
    def values(self) -> list[str]:
        """What can be divided: ``won`` and the final numbers."""
        known = {"deal", "rotation", "seat", "strategy"}
        return [name for name in self.games.columns if name not in known]

    def components(self, value: str = WON, level: float = 0.95) -> pl.DataFrame:
        """Shares of variance: source, share, low, high, variance.

        Raises ``UsageError`` with the names of what can be divided.
        """
        if value not in self.values:
            raise UsageError(
                f"no number {value!r}{nearest(value, self.values)} "
                f"Allowed: {one_of(self.values)}."
            )
        keys = ("deal", "rotation", "seat", "strategy")
        frame = self.games.select(*keys, value=pl.col(value).cast(pl.Float64))
        return variance_components.components(frame, level)


def luck_shares(
    cell: Cell,
    deals: int = DEALS,
    *,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> LuckShares:
    """Play each deal with every rotation of the cell's lineup.

    ``how`` goes to ``run``. Raises ``UsageError`` for a lineup of one strategy (there
    is no skill to be told from luck) or too many deals.
    """
    titles = [one.title for one in cell.strategies()]
    if len(set(titles)) < 2:
        raise UsageError(
            f"duplicate: the lineup seats {titles[0]!r} only; name at least two "
            "strategies, as in allround,greedy,random,random."
        )
    return duplicates(cell, deals, jobs=jobs, out=out, progress=progress, **how)


def duplicates(
    cell: Cell, deals: int, *, out: Path | None = None, **how: Any
) -> LuckShares:
    """The same, also of one strategy in all seats, of which nothing is skill."""
    if not 2 <= deals <= MOST:
        raise UsageError(f"deals: 2 to {MOST:,}, not {deals:,}.")
    cells = [_rotated(cell, by) for by in range(cell.players)]
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as scratch:
        folder = out or Path(scratch) / "run"
        results = run(cells, deals, tables=["result"], out=folder, **how)
        raw = results.raw("result")
    return LuckShares(cell, deals, _games(raw, registry.load(cell.game).events))


def _rotated(cell: Cell, by: int) -> Cell:
    """The cell with its lineup moved on by so many seats."""
    lineup = (*cell.lineup[by:], *cell.lineup[:by])
    return replace(cell, lineup=lineup, rotate=False, label=f"moved on by {by}")


def _games(raw: pl.DataFrame, events: Any) -> pl.DataFrame:
    """A row a deal, rotation and seat."""
    numbers = [
        name
        for name, field in events["result"].fields.items()
        if field.form not in {"seat", "code", "list"}
    ]
    return raw.select(
        pl.col("game").alias("deal"),
        pl.col("cell").alias("rotation"),
        pl.col("seat").cast(pl.Int64),
        pl.col("strategy").cast(pl.String),
        (pl.col("winner").cast(pl.Int64) == pl.col("seat").cast(pl.Int64)).alias(WON),
        *numbers,
    ).sort("deal", "rotation", "seat")
