"""Who beats whom: dominance, cycles, and which strategies survive."""

from dataclasses import dataclass

import polars as pl

from reports.intervals import Array


@dataclass(frozen=True)
class Payoffs:
    """Win shares of strategies in the lineups that were played.

    Lineups are sets with repeats: how many seats each strategy holds.
    """

    strategies: tuple[str, ...]
    players: int
    seats: Array  # (lineups, strategies) seats that a strategy holds
    wins: Array  # (lineups, strategies) games won
    games: Array  # (lineups,)


def payoffs(counts: pl.DataFrame) -> Payoffs:
    """Read counts (lineup: list[str], winner: str, games: int) as payoffs."""
    raise NotImplementedError


def duels(table: Payoffs, level: float = 0.95) -> pl.DataFrame:
    """Who beats whom at tables of two strategies only; Holm over all pairs.

    Columns: one, other, advantage (win share of a seat of one less a seat of other,
    mean over the mixtures played), low, high, p, p_adjusted, verdict ("beats",
    "loses", "undecided"), games. A row a pair that met.
    """
    raise NotImplementedError


def cycles(duels: pl.DataFrame) -> pl.DataFrame:
    """Circles of strategies that beat each other in turn: circle (list), sure."""
    raise NotImplementedError


def dominated(table: Payoffs, level: float = 0.95) -> pl.DataFrame:
    """Strategies that another would always replace to advantage, whoever sits there.

    Columns: dominated, by, least (smallest advantage), lineup (where), low, p,
    p_adjusted, compared, possible, verdict ("dominated", "not", "undecided").
    """
    raise NotImplementedError


def alpha_rank(
    table: Payoffs,
    intensity: float | None = None,
    population: int = 50,
    draws: int = 200,
    seed: int = 0,
    level: float = 0.95,
) -> pl.DataFrame:
    """Share of time that an evolving population plays each strategy (alpha-rank).

    Columns: strategy, mass, low, high; the largest first.
    """
    raise NotImplementedError


def replicator(
    table: Payoffs,
    start: Array | None = None,
    time: float = 1_000.0,
    steps: int = 1_000,
) -> Array:
    """Follow the replicator dynamics: (steps + 1, strategies) shares of a population."""
    raise NotImplementedError
