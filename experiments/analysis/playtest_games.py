"""Simulated games as a playtest has them, and how alike results are to strategies.

Simulated are games of every company of strategies that can sit at a table, seated by
chance; sessions and games are told in the order of positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from experiments.analysis.sessions import Session
from experiments.core.cells import UsageError
from sim import games as registry
from sim.parameters import Rules
from sim.recorder import Recorder
from sim.table import Table
from strategies.base import Strategy

Array = NDArray[np.float64]
_MOST = 1_024  # companies of strategies
_BINS = 8  # sorts of scores
_BLOCK = 8_192


@dataclass(frozen=True)
class Pool:
    """Simulated games: what players at each position had, and who they were.

    ``scores`` and ``won`` are (games, players), in the order of positions; ``company``
    (games,) numbers rows of ``counts`` (companies, strategies).
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
) -> Pool:
    """Play games of all companies of these strategies, seated by chance."""
    known, sorts = registry.load(game), len(lineup)
    companies = np.array(
        list(combinations_with_replacement(range(sorts), players)), dtype=np.intp
    )
    if len(companies) > _MOST:
        raise UsageError(
            f"strategies: {sorts} can sit {players} to a table in {len(companies):,} "
            f"ways. Name fewer with --strategies (at most {_MOST:,} ways)."
        )
    rng = np.random.default_rng([seed, players])
    company = np.arange(games) % len(companies)
    sits = rng.permuted(companies[company], axis=1)
    field_ = known.narrator.score
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
        told = recorder.table("result")
        at = told["game"].astype(np.intp)
        seat = told["seat"].astype(np.intp)
        position = (seat - begins[at - first]) % players
        won[at, position] = told["winner"] == told["seat"]
        places[at, position] = sits[at, seat]
        if field_:
            scores[at, position] = told[field_]
    counts = np.stack([np.bincount(row, minlength=sorts) for row in companies])
    return Pool(
        scores if field_ else None, won, places, company, counts.astype(np.float64)
    )


@dataclass(frozen=True)
class SessionTable:
    """The sessions of one number of players, as arrays in the order of positions."""

    players: int
    scores: Array | None  # (sessions, players)
    won: NDArray[np.bool_]
    placed: bool
    names: list[list[str]]

    @staticmethod
    def of(found: Sequence[Session], scored: bool) -> "SessionTable":
        """These sessions, all of as many players."""
        scored = scored and all(one.scored for one in found)
        return SessionTable(
            len(found[0].seats),
            np.array([[s.score for s in one.seats] for one in found], dtype=np.float64)
            if scored
            else None,
            np.array([[bool(s.won) for s in one.seats] for one in found]),
            all(one.placed for one in found),
            [[s.player for s in one.seats] for one in found],
        )


class Likeness:
    """How much a player's result speaks for each strategy, by simulated games."""

    def __init__(self, pool: Pool, scored: bool, placed: bool) -> None:
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
        """(games, players) the sort of each result."""
        cell = won.astype(np.intp)
        if self.scored and scores is not None:
            cell += 2 * np.searchsorted(self.edges, scores, side="right")
        if self.placed:
            cell = cell * won.shape[1] + np.arange(won.shape[1])
        return cell

    def vectors(self, scores: Array | None, won: NDArray[np.bool_]) -> Array:
        """(games, strategies - 1) a vector for each session."""
        cells = np.minimum(self.cells(scores, won), len(self.seen) - 1)
        return np.asarray(self.seen[cells].mean(axis=1)[:, :-1], dtype=np.float64)
