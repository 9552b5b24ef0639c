"""The results of a tournament: wins of each strategy in each lineup, and resampling."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from reports.statistics.intervals import Array


@dataclass(frozen=True, eq=False)
class TournamentResults:
    """Wins in each lineup; a lineup is the number of seats of each strategy."""

    strategies: tuple[str, ...]
    seats: Array  # (lineups, strategies)
    wins: Array  # (lineups, strategies)

    @property
    def games(self) -> Array:
        """Games of each lineup, (lineups,)."""
        played: Array = self.wins.sum(1)
        return played

    def resampled(self, draws: int, seed: int, batch: int = 100) -> Iterator[Array]:
        """Yield bootstrapped wins, (up to ``batch``, lineups, strategies) at a time.

        As many games of each lineup as were played are drawn from them (Efron &
        Tibshirani 1993, An Introduction to the Bootstrap).
        """
        rng = np.random.default_rng(seed)
        games = self.games
        played = np.where(games > 0, games, 1.0)[:, None]
        chance = np.where(games[:, None] > 0, self.wins, self.seats > 0) / played
        chance = chance / chance.sum(1, keepdims=True)
        for start in range(0, draws, batch):
            size = (min(batch, draws - start), len(games))
            yield rng.multinomial(games.astype(np.int64), chance, size).astype(float)


def tournament_results(counts: pl.DataFrame) -> TournamentResults:
    """Read a table of results: lineup (list of titles, one per seat), winner, games.

    The order of seats does not matter; rows of one lineup and winner are added up.
    Raises ValueError for a winner who did not play, and without games.
    """
    rows = counts.select("lineup", "winner", "games").rows()
    lineups = {tuple(sorted(lineup)): 0 for lineup, _, _ in rows}
    lineups = {lineup: number for number, lineup in enumerate(sorted(lineups))}
    names = sorted({name for lineup in lineups for name in lineup})
    place = {name: number for number, name in enumerate(names)}
    seats = np.zeros((len(lineups), len(names)))
    wins = np.zeros_like(seats)
    for lineup, number in lineups.items():
        for name in lineup:
            seats[number, place[name]] += 1
    for lineup, winner, games in rows:
        if winner not in lineup:
            raise ValueError(f"results: {winner} won among {', '.join(lineup)}")
        if games < 0:
            raise ValueError(f"results: {games} games")
        wins[lineups[tuple(sorted(lineup))], place[winner]] += games
    if not wins.sum() > 0:
        raise ValueError("results: no games")
    return TournamentResults(tuple(names), seats, wins)
