"""Simulated games for a playtest, and how likely each strategy is, given a result.

Games are simulated with every company (combination of strategies at a table), seated at
random; arrays of sessions and games are in the order of positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

import sim.games
from experiments.analysis.play_log import TableSession
from experiments.core.cells import UsageError
from experiments.execution.run import Progress
from sim.parameters import Rules
from sim.recorder import Recorder
from sim.table import Table
from strategies.base import Strategy

Array = NDArray[np.float64]
_MOST_COMPANIES = 1_024
_BINS = 8  # of scores
_BLOCK = 8_192  # games at once, to bound memory


@dataclass(frozen=True)
class SimulatedPool:
    """Simulated games: the result at each position, and the strategy there.

    ``scores``, ``won`` and ``sits`` (strategies) are (games, players) in position
    order; ``company`` (games,) numbers rows of ``counts`` (companies, strategies).
    """

    scores: Array | None
    won: NDArray[np.bool_]
    sits: NDArray[np.intp]
    company: NDArray[np.intp]
    counts: Array


def simulate(
    game: str,
    rules: Rules,
    players: int,
    lineup: Sequence[Strategy],
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> SimulatedPool:
    """Play games of all companies of these strategies; raises ``UsageError``."""
    known, sorts = sim.games.load(game), len(lineup)
    companies = np.array(
        list(combinations_with_replacement(range(sorts), players)), dtype=np.intp
    )
    if len(companies) > _MOST_COMPANIES:
        raise UsageError(
            f"strategies: {sorts} fill {players} seats in {len(companies):,} ways. "
            f"Name fewer with --strategies (at most {_MOST_COMPANIES:,} ways)."
        )
    rng = np.random.default_rng([seed, players])
    company = np.arange(games) % len(companies)
    sits = rng.permuted(companies[company], axis=1)
    score = known.score
    scores, won = np.zeros((games, players)), np.zeros((games, players), dtype=np.bool_)
    places = np.empty_like(sits)
    for first in range(0, games, _BLOCK):
        rows = np.arange(first, min(first + _BLOCK, games))
        state = known.start(rules, players, seed, rows.astype(np.uint64))
        begins = known.first(state).astype(np.intp)
        recorder = Recorder(["result"])
        seated = sits[rows].T.astype(np.uint8)
        table = Table(list(lineup), seated, known.view, known.kinds, [recorder])
        known.play(state, table)
        results = recorder.table("result")
        game_rows = results["game"].astype(np.intp)
        seat = results["seat"].astype(np.intp)
        position = (seat - begins[game_rows - first]) % players
        won[game_rows, position] = results["winner"] == results["seat"]
        places[game_rows, position] = sits[game_rows, seat]
        if score is not None:
            scores[game_rows, position] = results[score.field]
        if progress is not None:
            progress(int(rows[-1]) + 1, games)
    counts = np.stack([np.bincount(row, minlength=sorts) for row in companies])
    had = None if score is None else scores
    return SimulatedPool(had, won, places, company, counts.astype(np.float64))


@dataclass(frozen=True)
class SessionTable:
    """Sessions with the same number of players, as arrays in position order."""

    players: int
    scores: Array | None  # (sessions, players)
    won: NDArray[np.bool_]
    placed: bool
    names: list[list[str]]

    @staticmethod
    def of(sessions: Sequence[TableSession], scored: bool) -> "SessionTable":
        """Make the table of sessions that all have the same number of players."""
        seats = [session.seats for session in sessions]
        scored = scored and all(session.scored for session in sessions)
        scores = [[seat.score for seat in row] for row in seats]
        return SessionTable(
            len(seats[0]),
            np.array(scores, dtype=np.float64) if scored else None,
            np.array([[bool(seat.won) for seat in row] for row in seats]),
            all(session.placed for session in sessions),
            [[seat.player for seat in row] for row in seats],
        )


class Likeness:
    """The probability of each strategy given a player's result, by simulation."""

    def __init__(self, pool: SimulatedPool, scored: bool, placed: bool) -> None:
        self.scored, self.placed = scored and pool.scores is not None, placed
        inner = np.linspace(0, 1, _BINS + 1)[1:-1]
        self.edges = (
            np.unique(np.quantile(pool.scores, inner))
            if self.scored and pool.scores is not None
            else np.zeros(0)
        )
        sorts = pool.counts.shape[1]
        cells = self.cells(pool.scores, pool.won)
        self.seen = np.ones((int(cells.max()) + 2, sorts)) / sorts
        np.add.at(self.seen, (cells.ravel(), pool.sits.ravel()), 1.0)
        per_sort = self.seen.sum(axis=0, keepdims=True)
        self.seen = self.seen / per_sort
        self.seen /= self.seen.sum(axis=1, keepdims=True)

    def cells(self, scores: Array | None, won: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return (games, players): the class of each result."""
        cell = won.astype(np.intp)
        if self.scored and scores is not None:
            cell += 2 * np.searchsorted(self.edges, scores, side="right")
        if self.placed:
            cell = cell * won.shape[1] + np.arange(won.shape[1])
        return cell

    def vectors(self, scores: Array | None, won: NDArray[np.bool_]) -> Array:
        """Return (games, strategies - 1): the mean probabilities of each session."""
        cells = np.minimum(self.cells(scores, won), len(self.seen) - 1)
        return np.asarray(self.seen[cells].mean(axis=1)[:, :-1], dtype=np.float64)
