"""The knock-out table: what each decision and option is worth to a strong player.

    knockout("kunitame", games=16_384).rows

One player may not use an option; all others play the same strategy unrestricted. The
games that the player loses by this are what the option is worth (restricted play, see
``strategies.restricted_play``), unlike what those who use it happen to win.

Every option is knocked out on the same deals, and the restricted player sits in each
seat in turn. A game in which the unrestricted player never took the option is the same
without it, so only the other games are played again. Intervals are paired over games
and simultaneous for all options (Bonferroni); p-values are adjusted by Holm's method
for the number of options that were ever taken.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import sim.games
from experiments.core.blocks import block_size
from experiments.core.cells import Cell
from experiments.counterfactual.action_counts import (
    TAKEN_COUNTS,
    key_columns,
)
from experiments.counterfactual.changed_players import WHOLE, way
from experiments.counterfactual.forbidden_options import (
    play_block,
    whole_or_options,
)
from experiments.counterfactual.intervention import Forbid, Intervention
from experiments.counterfactual.interventions import Interventions
from experiments.execution import run_directory
from experiments.execution.results import Results
from experiments.execution.run import Progress, run
from reports.batches import GameBatches
from reports.statistics import multiple_comparisons, paired_estimates
from sim.parameters import Rules
from strategies.base import Strategy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = 16_384
"""Games, by default."""
MOST = 1_000_000  # games for a wanted precision
_BLOCK = 4_096  # games, at most
_BY = ("decision", "option")
_DRAWN = 40  # rows in the figure, at most


@dataclass(frozen=True)
class Knockout:
    """The options that were knocked out, and what each cost.

    ``rows``, costliest first: decision, option, kept (how the player was restricted:
    "without", "declined", or "at random" for a decision that cannot be declined), taken
    (how often it is taken when it can be), used (share of games with it), lost (win
    share, from 0 to 1), low, high (simultaneous for all rows), p_adjusted, verdict
    ("loses", "gains" or "undecided"). ``unused`` has the options that were never taken
    anyway: decision, option, why ("never available", "never taken").
    """

    cell: Cell
    rows: pl.DataFrame
    unused: pl.DataFrame
    results: Results

    @property
    def games(self) -> int:
        """The number of deals, each replayed without each option taken in it."""
        return self.results.played[0]

    @property
    def strategy(self) -> str:
        """The strategy of all players, one of whom is restricted."""
        return self.cell.strategies()[0].title

    @property
    def width(self) -> float:
        """Half the width of the widest interval, as a share of wins."""
        half = ((self.rows["high"] - self.rows["low"]) / 2).max()
        return float(half) if isinstance(half, float) else math.nan

    def games_for(self, precision: float) -> int:
        """Return about how many games give all intervals this half width."""
        return math.ceil(self.games * (self.width / precision) ** 2)

    def ends(self, most: int) -> pl.DataFrame:
        """Return at most this many rows: a quarter of them from the cheap end."""
        if self.rows.height <= most:
            return self.rows
        return pl.concat([self.rows.head(most - most // 4), self.rows.tail(most // 4)])

    def plot(self) -> "Figure":
        """Draw the win share lost without each option, costliest first; both ends."""
        from reports import figures  # slow to import
        from reports.figure_style import footnote

        rows = self.ends(_DRAWN)
        rows = rows.with_columns(label=label(rows))
        more = self.rows.height - rows.height
        figure = figures.dots(
            rows,
            "label",
            "lost",
            "low",
            "high",
            title=f"What {self.strategy} loses without it"
            + (f" (both ends of {self.rows.height} rows)" if more else ""),
            xlabel="win share lost, %",
            reference=0.0,
        )
        unit = "unit of resampling: game"
        footnote(figure, f"bars: 95 % intervals that hold for all rows at once, {unit}")
        return figure

    def __repr__(self) -> str:
        """Name the restricted strategy, and the costliest option."""
        first = self.rows.head(1)
        costs = [
            f"costliest: {name} loses {100 * lost:.1f} points of wins "
            f"[{100 * low:.1f}, {100 * high:.1f}]"
            for name, lost, low, high in zip(
                label(first), *first["lost", "low", "high"], strict=True
            )
        ]
        return "\n".join(
            [
                f"{self.cell.game}, {self.cell.players} players, {self.strategy}: "
                f"{self.games:,} deals",
                *costs,
                f"{self.rows.height} rows: see .rows, .unused, .plot()",
            ]
        )

    def _repr_html_(self) -> str:
        return str(self.rows._repr_html_())


def label(rows: pl.DataFrame) -> pl.Series:
    """Return what each row knocks out, in words."""
    whole = pl.format("{} ({})", "decision", "kept")
    single = pl.format("{}: {}", "decision", "option")
    words = pl.when(pl.col("option") == WHOLE).then(whole).otherwise(single)
    return rows.select(label=words)["label"]


def knockout(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategy: str | Strategy = "allround",
    *,
    players: int = 4,
    games: int = GAMES,
    precision: float | None = None,
    rules: Rules | Mapping[str, Any] | None = None,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Knockout:
    """Forbid one player each decision and option in turn.

    precision: half the width of the widest interval, as a share of wins; ``games`` are
    then a pilot whose variances determine the number of games, at most ``MOST``.
    ``how`` goes to ``run``. Raises ``UsageError``, ``UnknownStrategy`` or ``RuleError``
    before anything is played.
    """
    if not isinstance(rules, Rules):
        rules = sim.games.load(game).rules.of(rules)
    cell = Cell(game, rules, players, (strategy,), True, seed)
    if precision is not None:
        if out is not None:
            run_directory.check_same_cells(out, [_forbidding(cell)])
        pilot = knockout_of(cell, games, jobs=jobs, **how)
        games = min(max(pilot.games_for(precision), games), MOST)
    return knockout_of(cell, games, jobs=jobs, out=out, progress=progress, **how)


def knockout_of(cell: Cell, games: int, **how: Any) -> Knockout:
    """Forbid the first player of a cell each decision and option in turn.

    ``how`` goes to ``run``.
    """
    size = min(block_size([cell], games, False, False), _BLOCK)
    forbidding = _forbidding(cell)
    results = run([forbidding], games, play=play_block, block=size, **how)
    return _tables_of(cell, results, forbidding.interventions.every)


def _forbidding(cell: Cell) -> Cell:
    """Return the cell that forbids one thing after another."""
    return replace(cell, interventions=Interventions(tuple(whole_or_options(cell))))


def _tables_of(
    cell: Cell, results: Results, every: Sequence[Intervention[Forbid]]
) -> Knockout:
    """Make the tables of a run."""
    rows = knocked_out(cell, results.sums, results.played[0], every)
    never = pl.when(pl.col("taken").is_null()).then(pl.lit("never available"))
    unused = rows.filter(pl.col("used") == 0).select(
        *_BY, why=never.otherwise(pl.lit("never taken"))
    )
    tested = rows_of(rows.filter(pl.col("used") > 0)).drop("se")
    tested = tested.sort("lost", *_BY, descending=[True, False, False])
    return Knockout(cell, tested, unused, results)


def knocked_out(
    cell: Cell, sums: pl.DataFrame, games: int, every: Sequence[Intervention[Any]]
) -> pl.DataFrame:
    """Return a row for each thing that is forbidden or forced, from its sums.

    Columns: decision, option, those of ``paired_estimates.differences`` (wins as played
    less wins when changed), used, taken and kept (as in ``Knockout``).
    """
    knocked = sums.filter(measure="knocked out")
    one, other = (knocked.filter(side=side) for side in ("one", "other"))
    batches = GameBatches(cell.players)
    rows = paired_estimates.differences(
        one, other, _BY, games, "share", batches=batches
    )
    share = pl.col("y") / pl.col("x")
    used = sums.filter(measure="used").select(*_BY, used=share)
    taken = sums.filter(measure=TAKEN_COUNTS).select(*_BY, taken=share)
    kept = {
        (each.when.decisions[0], each.do.option): way(cell.game, each) for each in every
    }
    ways = pl.DataFrame({**key_columns(kept), "kept": list(kept.values())})
    return rows.join(used, _BY, "left").join(taken, _BY, "left").join(ways, _BY, "left")


def rows_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of ``knocked_out`` with verdicts, as a family (``Knockout``).

    ``se`` is the standard error of ``lost``.
    """
    p = rows["p"].to_numpy()
    levels = multiple_comparisons.levels(p)
    low, high = paired_estimates.limits(rows, levels, share=True)
    sure = multiple_comparisons.different(p)
    lost = pl.col("difference")
    sign = pl.when(lost > 0).then(pl.lit("loses")).otherwise(pl.lit("gains"))
    verdict = pl.when("sure").then(sign).otherwise(pl.lit("undecided"))
    columns = ("low", "high", "p_adjusted", "verdict")
    return (
        rows.with_columns(
            low=pl.Series(low, dtype=pl.Float64),
            high=pl.Series(high, dtype=pl.Float64),
            p_adjusted=pl.Series(multiple_comparisons.adjust(p), dtype=pl.Float64),
            sure=pl.Series(sure, dtype=pl.Boolean),
            lost=lost,
        )
        .with_columns(verdict=verdict)
        .select(*_BY, "kept", "taken", "used", "lost", "se", *columns)
    )
