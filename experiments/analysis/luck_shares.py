"""Luck and skill: play the same deals with the lineup rotated through all seats.

As in duplicate bridge, every deal is played with each rotation of the lineup, so that
each strategy plays each position's cards; and each of these games is played twice. The
games of a deal share the starting player and the deal, and nothing else: dice, draws
during play and the strategies' random numbers are new in each.
``reports.statistics.variance_components`` then divides the variance of results among
deal, position, strategy, how the hand suits the strategy, and play.
"""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import sim.games
from experiments.core.cells import Cell, UsageError
from experiments.execution.run import Progress, run
from reports.statistics import variance_components
from sim.parameters import no_such

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEALS = 4_096
"""Number of deals, by default."""
PLAYS = 2
"""Times that each rotation of a deal is played."""
MOST = 100_000
"""The most deals that fit in memory with all their rotations."""
WON = "won"
_KEYS = ("deal", "play", "rotation", "position", "strategy")
_STARTED_AT_ONCE = 8_192  # deals, which bounds the memory of their states


@dataclass(frozen=True)
class LuckShares:
    """The games of a duplicate design.

    ``games``: deal, play, rotation, position (from 1), strategy, ``won``, and the
    numbers of the result.
    """

    cell: Cell
    deals: int
    games: pl.DataFrame

    def __repr__(self) -> str:
        """Summarize what was played, and the shares of variance in winning."""
        rows = self.components().drop_nulls("share").select("source", "share").rows()
        shares = ", ".join(f"{source} {100 * share:.0f} %" for source, share in rows)
        return (
            f"{self.cell.game}, {self.cell.title()}: {self.deals:,} deals\n"
            f"shares of winning: {shares}\n"
            f"of {', '.join(self.values)}: see .components(value), .games"
        )

    @property
    def values(self) -> list[str]:
        """The numbers whose variance can be divided: ``won`` and the final ones."""
        return [name for name in self.games.columns if name not in _KEYS]

    def components(self, value: str = WON, level: float = 0.95) -> pl.DataFrame:
        """Return the shares of variance: source, share, low, high, variance, most.

        ``most``: the most that ``strategy`` could have of winning at such a table; null
        for all else. Raises ``UsageError``, which lists the numbers that can be
        divided.
        """
        if value not in self.values:
            raise UsageError(no_such("number", value, self.values))
        frame = self.games.select(*_KEYS, value=pl.col(value).cast(pl.Float64))
        most = most_by_strategy(self.cell.players, self._best) if value == WON else None
        bound = pl.when(source="strategy").then(pl.lit(most, pl.Float64))
        return variance_components.components(frame, level).with_columns(most=bound)

    @property
    def _best(self) -> int:
        """The seats of the strategy that wins most."""
        won = self.games.group_by("strategy").agg(pl.col(WON).mean()).sort(WON)
        titles = [strategy.title for strategy in self.cell.strategies()]
        return titles.count(won["strategy"][-1])

    def plot(self, value: str = WON) -> "Figure":
        """Draw the shares of variance with their intervals."""
        from reports import figures  # slow to import

        rows = self.components(value).drop_nulls("share")
        title = f"Where the differences of {value} come from"
        label = "share of the variance, %"
        return figures.dots(
            rows, "source", "share", "low", "high", title=title, xlabel=label
        )


def most_by_strategy(players: int, best: int) -> float:
    """Return the most of the variance of winning that strategy can explain.

    That is where always one of the ``best`` seats with the best strategy wins, each
    equally often.

    >>> most_by_strategy(4, 1), most_by_strategy(4, 4)
    (1.0, 0.0)
    """
    return (players / best - 1) / (players - 1) if players > 1 else 0.0


def luck_shares(
    cell: Cell,
    deals: int = DEALS,
    *,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> LuckShares:
    """Play each deal ``PLAYS`` times with every rotation of the cell's lineup.

    ``how`` goes to ``run``. Raises ``UsageError`` for a lineup of one strategy (which
    shows no skill) or too many deals.
    """
    titles = [strategy.title for strategy in cell.strategies()]
    if len(set(titles)) < 2:
        raise UsageError(
            f"luck: the lineup seats only {titles[0]!r}; name at least two "
            "strategies, as in allround,greedy,random,random."
        )
    return duplicates(cell, deals, jobs=jobs, out=out, progress=progress, **how)


def duplicates(
    cell: Cell, deals: int, *, out: Path | None = None, **how: Any
) -> LuckShares:
    """Play each deal in every rotation; one strategy may have all seats."""
    if not 2 <= deals <= MOST:
        raise UsageError(f"deals: 2 to {MOST:,}, not {deals:,}.")
    cells = [
        _rotated(cell, play, by) for play in range(PLAYS) for by in range(cell.players)
    ]
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as scratch:
        folder = out or Path(scratch) / "run"
        results = run(cells, deals, tables=["result"], out=folder, **how)
        raw = results.raw("result")
    first = _first(cell, np.arange(deals, dtype=np.uint64))
    return LuckShares(cell, deals, _games(raw, cell, first))


def _rotated(cell: Cell, play: int, by: int) -> Cell:
    """Return the cell with its lineup rotated ``by`` seats, as a new replicate."""
    lineup = (*cell.lineup[by:], *cell.lineup[:by])
    label, number = f"moved on by {by}, play {play + 1}", play * cell.players + by
    return replace(cell, lineup=lineup, rotate=False, label=label, replicate=number)


def _first(cell: Cell, numbers: NDArray[np.uint64]) -> pl.DataFrame:
    """Return the seat of the first position in each deal: deal, first."""
    game = sim.games.load(cell.game)
    seats = [
        game.first(game.start(cell.rules, cell.players, cell.seed, cell.dealt(part)))
        for part in np.array_split(numbers, -(-len(numbers) // _STARTED_AT_ONCE))
    ]
    first = np.concatenate(seats).astype(np.int64)
    return pl.DataFrame({"deal": numbers, "first": first})


def _games(raw: pl.DataFrame, cell: Cell, first: pl.DataFrame) -> pl.DataFrame:
    """Return one row per deal, play, rotation and position.

    Rotations are numbered by the strategy in the first position, so that in all deals
    the same rotation puts the same strategies in the same positions.
    """
    players, events = cell.players, sim.games.load(cell.game).events
    numbers = [
        name
        for name, field in events["result"].fields.items()
        if field.form not in {"seat", "code", "list", "set"}
    ]
    rows = raw.with_columns(pl.col("game").alias("deal").cast(pl.UInt64))
    seat, cell_number = pl.col("seat").cast(pl.Int64), pl.col("cell").cast(pl.Int64)
    return (
        rows.join(first, on="deal", how="left")
        .select(
            pl.col("deal"),
            (cell_number // players).alias("play"),
            ((cell_number + pl.col("first")) % players).alias("rotation"),
            ((seat - pl.col("first")) % players + 1).alias("position"),
            pl.col("strategy").cast(pl.String),
            (pl.col("winner").cast(pl.Int64) == pl.col("seat").cast(pl.Int64)).alias(
                WON
            ),
            *numbers,
        )
        .sort("deal", "play", "rotation", "position")
    )
