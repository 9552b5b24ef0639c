"""Play every lineup of some strategies: which is strong, and which beats which.

    tournament("kunitame", games=2_000).ratings

A lineup chooses strategies with repetition, so that a strategy meets every mixture of
the others: three planners and one greedy, two and two, one and three. The lineup
rotates by one seat from game to game, so that the effects of seat and strategy are not
confounded; neighbours stay the same. Each lineup has its own seed, because ratings and
evolution take lineups as independent.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

import sim.games
from experiments.analysis.tournament_lineups import count_lineups, lineup_words, lineups
from experiments.core.cells import Cell, UsageError
from experiments.execution.results import Results
from experiments.execution.run import Progress, RunFailed, run
from reports.statistics import dominance, evolution
from reports.statistics.ratings import Fit, lack_of_fit, plackett_luce
from sim.parameters import Rules
from strategies import registry
from strategies.strength_levels import plays_as

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES = 2_000
"""Games of each lineup, by default."""
MANY = 500
"""With more lineups than this, only those of two strategies are played by default."""
MOST = 10_000  # lineups that may be played
_COUNTS: dict[str, Any] = {
    "lineup": pl.List(pl.String),
    "winner": pl.String,
    "games": pl.Int64,
}


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament; tables are computed when they are first read."""

    strategies: tuple[str, ...]
    players: int
    results: Results
    whole: bool  # every lineup was played, not only those of two strategies
    seed: int
    failed: Mapping[str, str] = field(default_factory=dict)  # strategy -> why it is out
    draws: int = field(default=1_000, kw_only=True)  # of bootstraps

    @property
    def lineups(self) -> int:
        """How many lineups were played."""
        return len(self.results.cells)

    @cached_property
    def counts(self) -> pl.DataFrame:
        """Games that each winner won: lineup (list of titles), winner, games."""
        wins = self.results.sums.filter(pl.col("measure") == "won by strategy")
        rows = []
        for number, cell in enumerate(self.results.cells):
            lineup = [strategy.title for strategy in cell.strategies()]
            here = wins.filter(pl.col("cell") == number)
            won = here.select("strategy", pl.col("y").cast(pl.Int64)).rows()
            rows += [
                {"lineup": lineup, "winner": winner, "games": games}
                for winner, games in won
            ]
        return pl.DataFrame(rows, schema=_COUNTS)

    @property
    def unwon(self) -> int:
        """Games that nobody won."""
        return sum(self.results.played) - int(self.counts["games"].sum())

    @cached_property
    def shares(self) -> pl.DataFrame:
        """Win share of a seat of each strategy in each lineup, with intervals.

        Columns: lineup (in words), strategy, seats, others (names of the other
        strategies), estimate, low, high, games.
        """
        rows = self.results.estimates("won by strategy")
        seated = [
            [strategy.title for strategy in cell.strategies()]
            for cell in self.results.cells
        ]
        pairs = rows.select("cell", "strategy").rows()
        others = [[n for n in dict.fromkeys(seated[c]) if n != s] for c, s in pairs]
        return rows.select(
            "lineup",
            "strategy",
            pl.Series("seats", [seated[c].count(s) for c, s in pairs], dtype=pl.Int64),
            pl.Series("others", others, dtype=pl.List(pl.String)),
            "estimate",
            "low",
            "high",
            games=pl.col("games").cast(pl.Int64),
        )

    @cached_property
    def matrix(self) -> pl.DataFrame:
        """Win share of one seat of a strategy when all other seats play another.

        One row per pair: strategy, others, estimate, low, high, games. An even share
        is one over the number of players.
        """
        lone = (pl.col("seats") == 1) & (pl.col("others").list.len() == 1)
        return self.shares.filter(lone).select(
            "strategy",
            pl.col("others").list.first(),
            "estimate",
            "low",
            "high",
            "games",
        )

    @cached_property
    def ratings(self) -> pl.DataFrame:
        """Plackett-Luce ratings, best first (``reports.statistics.ratings``)."""
        return plackett_luce(self.counts, draws=self.draws, seed=self.seed)

    @cached_property
    def levels(self) -> Mapping[str, str]:
        """Who plays as those strategies that are levels of strength, as specs."""
        cell = self.results.cells[0]
        return plays_as(self.strategies, cell.game, cell.rules, self.players)

    @cached_property
    def fit(self) -> Fit:
        """Test whether one rating per strategy explains the results."""
        return lack_of_fit(self.counts)

    @cached_property
    def payoffs(self) -> evolution.Payoffs:
        """Win shares in all lineups, for ``reports.statistics.evolution``."""
        return evolution.payoffs(self.counts)

    @cached_property
    def duels(self) -> pl.DataFrame:
        """Which strategy beats which in lineups of both; Holm over all pairs."""
        return dominance.duels(self.payoffs)

    @cached_property
    def cycles(self) -> pl.DataFrame:
        """Cycles of strategies, each of which beats the next."""
        return dominance.cycles(self.duels)

    @cached_property
    def dominated(self) -> pl.DataFrame:
        """Strategies that another strategy could always replace with advantage."""
        return dominance.dominated(self.payoffs)

    @cached_property
    def alpha_rank(self) -> pl.DataFrame:
        """Share of time for which an evolving population plays each strategy."""
        return evolution.alpha_rank(self.payoffs, seed=self.seed)

    @cached_property
    def replicator(self) -> pl.DataFrame | None:
        """Final shares of a population that starts with equal shares.

        Columns: strategy, share, largest first; None unless every lineup was played.
        """
        if not self.whole:
            return None
        path = evolution.replicator(self.payoffs)
        columns = {"strategy": self.payoffs.strategies, "share": path[-1]}
        order = ["share", "strategy"]
        return pl.DataFrame(columns).sort(order, descending=[True, False])

    def plot(self) -> "Figure":
        """Draw the ratings with their intervals, best first."""
        from reports import figures  # slow to import

        return figures.dots(
            self.ratings,
            "strategy",
            "rating",
            "low",
            "high",
            title="Ratings",
            xlabel="rating (Plackett-Luce)",
            reference=0.0,
        )

    def __repr__(self) -> str:
        """Summarize what was played, and name the strategies, strongest first."""
        cell = self.results.cells[0]
        return (
            f"{cell.game}, {self.players} players: {self.lineups:,} lineups, "
            f"{sum(self.results.played):,} games, seed {self.seed}\n"
            f"strongest first: {', '.join(self.ratings['strategy'])}\n"
            "see .ratings, .matrix, .shares, .plot()"
        )

    def _repr_html_(self) -> str:
        return str(self.ratings._repr_html_())


def tournament(  # noqa: PLR0913 - all that the command line knows
    game: str,
    strategies: Sequence[str] = (),
    *,
    players: int = 4,
    games: int = GAMES,
    rules: Rules | Mapping[str, Any] | None = None,
    seed: int = 0,
    pairs: bool | None = None,
    jobs: int = 1,
    out: Path | None = None,
    progress: Progress | None = None,
    **how: Any,
) -> Tournament:
    """Play every lineup of these strategies (by default, all of the game).

    ``games`` of each lineup. ``pairs`` plays only lineups of two strategies; None does
    so if there are more than ``MANY`` lineups. ``how`` goes to ``run``. A strategy that
    fails anywhere is out: its lineups are in no table, and ``failed`` says why. Raises
    ``UsageError``, ``UnknownStrategy`` or ``RuleError`` before anything is played, and
    ``RunFailed`` if fewer than two strategies are left.
    """
    known = sim.games.load(game)
    if not isinstance(rules, Rules):
        rules = known.rules.of(rules)
    specs = _specs(game, strategies)
    whole = (
        count_lineups(len(specs), players, True) <= MANY if pairs is None else not pairs
    )
    if (count := count_lineups(len(specs), players, whole)) > MOST:
        raise UsageError(
            f"{count:,} lineups of {len(specs)} strategies are too many; name fewer "
            f"strategies, or play only pairs. Allowed: up to {MOST:,}."
        )
    chosen = lineups(list(specs), players, whole)
    cells = [
        Cell(
            game,
            rules,
            players,
            tuple(specs[name] for name in lineup),
            True,
            seed + number,
            lineup_words(lineup),
        )
        for number, lineup in enumerate(chosen)
    ]
    how = {"fail_fast": False, **how}
    results = run(cells, games, jobs=jobs, out=out, progress=progress, **how)
    failed = dict(_failed(list(specs), results))
    left = tuple(name for name in specs if name not in failed)
    if len(left) < 2:
        reason = next(iter(failed.values()))
        raise RunFailed(f"fewer than two strategies are left. {reason}")
    kept = [n for n, lineup in enumerate(chosen) if failed.keys().isdisjoint(lineup)]
    return Tournament(left, players, _only(results, kept), whole, seed, failed)


def _failed(names: Sequence[str], results: Results) -> Iterator[tuple[str, str]]:
    """Yield the strategies that failed, and why.

    Raises ``RunFailed`` for a failure that names no strategy.
    """
    for why in results.failures.values():
        named = [name for name in names if why.startswith(f"strategy {name!r} ")]
        if not named:
            raise RunFailed(why)
        yield named[0], why


def _only(results: Results, cells: Sequence[int]) -> Results:
    """Return the results of these cells alone, renumbered."""
    numbers = {number: place for place, number in enumerate(cells)}
    cell = pl.col("cell").replace_strict(numbers, return_dtype=pl.Int32)
    return replace(
        results,
        cells=tuple(results.cells[number] for number in cells),
        sums=results.sums.filter(pl.col("cell").is_in(cells)).with_columns(cell),
        played=tuple(results.played[number] for number in cells),
        failures={},
    )


def _specs(game: str, strategies: Sequence[str]) -> dict[str, str]:
    """Map the titles of the competitors to their specs; raises ``UsageError``."""
    specs: dict[str, str] = {}
    for spec in dict.fromkeys(strategies or registry.builtin(game)):
        title = registry.title(game, spec)
        if specs.setdefault(title, spec) != spec:
            raise UsageError(
                f"tournament: {specs[title]!r} and {spec!r} are both called {title!r}."
            )
    if len(specs) < 2:
        raise UsageError("tournament: name at least two different strategies.")
    return specs
