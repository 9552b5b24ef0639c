"""Which strategies survive: alpha-rank and replicator dynamics over win shares.

The players of a population pick strategies, sit down at tables of ``players`` seats,
and copy what wins. If one strategy is best, the population ends there. If strategies
beat each other in turn, it wanders, and the share of time that it spends with each is
alpha-rank's answer. (Who beats whom: ``reports.statistics.dominance``.)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial

import numpy as np
import polars as pl

from reports.statistics import moran
from reports.statistics.intervals import Array
from reports.statistics.tournament_results import TournamentResults, tournament_results


@dataclass(frozen=True, eq=False)
class Payoffs:
    """What a seat of each strategy gets in each lineup, on average.

    A lineup is the number of seats of each strategy; all have ``players`` seats.
    """

    strategies: tuple[str, ...]
    players: int
    seats: Array  # (lineups, strategies)
    value: Array  # (lineups, strategies) nan if a strategy has no seat
    tally: TournamentResults | None = None  # the results behind win shares

    def at(self, lineup: tuple[int, ...]) -> int | None:
        """Return the row of a lineup, given as numbers of strategies, or None."""
        wanted = np.bincount(lineup, minlength=len(self.strategies))
        rows = np.flatnonzero((self.seats == wanted).all(1))
        return int(rows[0]) if len(rows) else None

    def row(self, lineup: tuple[int, ...]) -> int:
        """Return the row of a lineup; raises ValueError with its name if unknown."""
        row = self.at(lineup)
        if row is None:
            names = ", ".join(self.strategies[place] for place in sorted(lineup))
            raise ValueError(f"payoffs: the lineup {names} was not played")
        return row


def payoffs(counts: pl.DataFrame) -> Payoffs:
    """Read results as win shares per seat (see ``tournament_results``).

    A lineup of a single strategy wins 1 / players per seat and need not be played.
    """
    table = tournament_results(counts)
    sizes = np.unique(table.seats.sum(1)).astype(int)
    if len(sizes) > 1:
        raise ValueError(f"payoffs: lineups of {sizes.tolist()} seats; give one size")
    players, count = int(sizes[0]), len(table.strategies)
    alone = np.eye(count) * players
    missing = [row for row in alone if not (table.seats == row).all(1).any()]
    seats = np.vstack([table.seats, *(row[None] for row in missing)])
    wins = np.vstack([table.wins, *(0 * row[None] for row in missing)])
    known = TournamentResults(table.strategies, seats, wins)
    return Payoffs(table.strategies, players, seats, shares(known, wins), known)


def shares(table: TournamentResults, wins: Array) -> Array:
    """Return win shares per seat (..., lineups, strategies), given wins of the lineups.

    nan if a strategy has no seat or a lineup no games; a strategy in all seats has an
    equal share whether it was played or not.
    """
    games = wins.sum(-1, keepdims=True)
    size = table.seats.sum(1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        per_seat = np.where(table.seats > 0, wins / games / table.seats, np.nan)
    return np.where(table.seats == size, 1 / size, per_seat)


def alpha_rank(
    table: Payoffs,
    intensity: float | None = None,
    population: int = 50,
    draws: int = 200,
    seed: int = 0,
    level: float = 0.95,
) -> pl.DataFrame:
    """Return the share of time that an evolving population plays each strategy.

    Alpha-rank for a symmetric game of any number of players (Omidshafiei et al. 2019,
    Sci. Rep. 9:9937): now and then one of ``population`` players tries another
    strategy, which spreads or dies out with chances in proportion to exp(intensity *
    what it gets); tables are drawn from the population (Gokhale & Traulsen 2010, PNAS
    107:5500-5504). Only lineups of one or two strategies matter. intensity None: so
    strong that a better strategy, by however little, all but always spreads. Returns,
    largest first: strategy, mass, low, high (from ``draws`` resamples of games; null if
    payoffs come without results), intensity.
    """
    if population < table.players:
        raise ValueError(f"population: at least {table.players}, not {population}")
    met = moran.meetings(np.array(_mixtures(table)), population)
    gains = met.gains(table.value)
    strength = moran.strongest(gains) if intensity is None else intensity
    mass = moran.stationary(gains, strength)
    ends = np.full((2, len(mass)), np.nan)
    if table.tally is not None and draws > 0:
        resampled = [
            moran.stationary(met.gains(value), strength)
            for wins in table.tally.resampled(draws, seed)
            for value in shares(table.tally, wins)
        ]
        ends = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0)
    rows = pl.DataFrame(
        {
            "strategy": table.strategies,
            "mass": mass,
            "low": np.minimum(ends[0], mass),
            "high": np.maximum(ends[1], mass),
            "intensity": np.full(len(mass), strength),
        }
    ).fill_nan(None)
    return rows.sort("mass", "strategy", descending=[True, False])


def replicator(
    table: Payoffs,
    start: Array | None = None,
    time: float = 1_000.0,
    steps: int = 1_000,
) -> Array:
    """Return shares of a population under the replicator dynamics, by time.

    (steps + 1, strategies). A strategy's share grows at the rate by which it gets more
    than the average (Taylor & Jonker 1978, Math. Biosci. 40:145-156), at tables drawn
    from the population. Without ``start``, shares begin equal. Needs all lineups.
    """
    from scipy.integrate import solve_ivp  # slow to import

    count = len(table.strategies)
    begin = np.full(count, 1 / count) if start is None else np.asarray(start, float)
    if begin.shape != (count,) or np.any(begin < 0) or abs(begin.sum() - 1) > 1e-9:
        raise ValueError(f"start: {count} shares that add up to 1")
    others, ways, gets = _tables(table)

    def change(_: float, share: Array) -> Array:
        chance = ways * np.prod(share**others, axis=1)
        gain = chance @ gets
        growth: Array = share * (gain - share @ gain)
        return growth

    moments = np.linspace(0.0, time, steps + 1)
    solved = solve_ivp(
        change, (0.0, time), begin, t_eval=moments, rtol=1e-9, atol=1e-12
    )
    path = np.clip(solved.y.T, 0.0, 1.0)
    normalised: Array = path / path.sum(1, keepdims=True)
    return normalised


def companies(players: int, count: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the sets of others that a player can meet, as sorted numbers."""
    return combinations_with_replacement(range(count), players - 1)


def _tables(table: Payoffs) -> tuple[Array, Array, Array]:
    """Return others at the table (sets, strategies), their orders, and payoffs."""
    count = len(table.strategies)
    sets = list(companies(table.players, count))
    others = np.array([np.bincount(who, minlength=count) for who in sets], dtype=float)
    others = others.reshape(len(sets), count)
    ways = [
        factorial(table.players - 1) / np.prod([factorial(int(n)) for n in row])
        for row in others
    ]
    gets = np.array(
        [
            [table.value[table.row((*who, own)), own] for own in range(count)]
            for who in sets
        ]
    )
    return others, np.array(ways), gets


def _mixtures(table: Payoffs) -> list[list[list[int]]]:
    """Return the rows with 0 to all seats of a new strategy, the rest an old one's."""
    names, seats = range(len(table.strategies)), table.players
    return [
        [
            [table.row((new,) * k + (old,) * (seats - k)) for k in range(seats + 1)]
            for old in names
        ]
        for new in names
    ]
