"""Test whether sessions contradict the simulation: a posterior predictive check.

The sessions are compared with replicated sets of simulated games, whose companies are
drawn from the mix of strategies.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.playtest_games import Array, SessionTable, SimulatedPool
from reports.statistics.synthetic_likelihood import CompanyModel

LEVEL = 0.05
"""Sessions that the simulation itself made are called contradictory this often."""
_REPLICAS = 1_000  # simulated sets of sessions
FEW = 30
"""With fewer sessions, only large differences show."""
_CHECKS = {
    "mean score": "the mean score",
    "spread of scores": "the spread of scores",
    "margin": "the margin between the best two",
    "wins by position": "the wins by position",
    "no single winner": "the sessions without a single winner",
}


def _of_scores(sets: Iterable[Array], least: bool) -> dict[str, Array]:
    """Return statistics of the scores (sessions, players) of each set of sessions.

    Sets are handled one by one: the scores of all at once would fill the memory.
    """
    rows = []
    for scores in sets:
        best = np.sort(scores, axis=1)
        best = best if least else best[:, ::-1]
        margin = np.abs(best[:, 0] - best[:, 1]).mean()
        rows.append((scores.mean(), scores.std(), margin))
    names = ("mean score", "spread of scores", "margin")
    return dict(zip(names, np.array(rows).T, strict=True))


def _of_wins(won: NDArray[np.bool_], even: Array, placed: bool) -> dict[str, Array]:
    """Return statistics of the winners (sets, sessions, players) of each set."""
    statistics: dict[str, Array] = {}
    if placed:
        expected = np.maximum(even * won.shape[1], 1e-9)
        squares = (won.sum(axis=1) - expected) ** 2 / expected
        statistics["wins by position"] = squares.sum(axis=1)
    statistics["no single winner"] = (~won.any(axis=2)).mean(axis=1)
    return statistics


def checks(
    tables: Sequence[SessionTable],
    pools: Sequence[SimulatedPool],
    drawn: Array,
    least: bool,
    seed: int,
) -> tuple[pl.DataFrame, float]:
    """Compare the sessions with sets simulated by mixes that fit them.

    A posterior predictive check (Gelman, Meng and Stern 1996, Stat. Sin. 6:733): the
    smallest of several p-values is judged by how often simulated sets have one as
    small. The sets include the sampling error of the simulation, which matters if there
    are many sessions.
    """
    rng = np.random.default_rng([seed, 1])
    mixes = drawn[rng.integers(len(drawn), size=_REPLICAS)]
    rows, ranks = [], []
    for table, pool in zip(tables, pools, strict=True):
        index = replicas(pool, mixes, len(table.won), rng, anew=True)
        observed: dict[str, Array] = {}
        simulated: dict[str, Array] = {}
        if table.scores is not None and pool.scores is not None:
            observed = _of_scores([table.scores], least)
            simulated = _of_scores((pool.scores[games] for games in index), least)
        won = pool.won[index]
        even = won.mean(axis=(0, 1))
        observed |= _of_wins(table.won[None], even, table.placed)
        simulated |= _of_wins(won, even, table.placed)
        for name, values in simulated.items():
            pooled = np.concatenate([observed[name], values])
            if pooled.min() == pooled.max():
                continue
            p_values = _two_sided(pooled, upper=name == "wins by position")
            low, middle, high = np.quantile(values, (0.025, 0.5, 0.975))
            rows.append(
                {
                    "players": table.players,
                    "what": name,
                    "found": float(pooled[0]),
                    "expected": float(middle),
                    "low": float(low),
                    "high": float(high),
                    "p": float(p_values[0]),
                }
            )
            ranks.append(p_values)
    numbers = dict.fromkeys(("found", "expected", "low", "high", "p"), pl.Float64)
    schema = {"players": pl.Int64, "what": pl.String} | numbers
    frame = pl.DataFrame(rows, schema=schema)
    if not ranks:
        return frame, 1.0
    smallest = np.min(ranks, axis=0)
    return frame, float((smallest <= smallest[0]).mean())


def replicas(
    pool: SimulatedPool,
    mixes: Array,
    sessions: int,
    rng: np.random.Generator,
    *,
    anew: bool = False,
) -> NDArray[np.intp]:
    """Return (mixes, sessions): simulated games with companies drawn from each mix.

    With ``anew``, each set resamples the games of every company (a bootstrap), so that
    sets include the sampling error of the simulation.
    """
    zero = np.zeros(1)
    companies = CompanyModel(pool.counts, zero, zero, zero)
    chances = companies.chances(mixes).cumsum(axis=1)
    chances /= chances[:, -1:]
    drawn = rng.random((len(mixes), sessions))
    order = np.argsort(pool.company, kind="stable")
    sizes = np.bincount(pool.company, minlength=len(pool.counts))
    starts = np.concatenate([[0], sizes.cumsum()[:-1]])
    sets = np.empty(drawn.shape, dtype=np.intp)
    for games, row, values in zip(sets, chances, drawn, strict=True):
        company = np.searchsorted(row, values)
        games[:] = starts[company] + rng.integers(sizes[company])
        if anew:
            company = pool.company[order]
            games[:] = (starts[company] + rng.integers(sizes[company]))[games]
    return order[sets]


def _two_sided(values: Array, upper: bool) -> Array:
    """Return the p-value of each value among all of them, itself included."""
    ordered = np.sort(values)
    above = (len(values) - np.searchsorted(ordered, values, "left")) / len(values)
    if upper:
        return np.asarray(above, dtype=np.float64)
    below = np.searchsorted(ordered, values, "right") / len(values)
    return np.asarray(np.minimum(1.0, 2 * np.minimum(above, below)), dtype=np.float64)


def check_words(rows: pl.DataFrame, p: float, sessions: int) -> list[str]:
    """Say whether the sessions contradict the simulation."""
    if p >= LEVEL:
        odd = f"of 100 simulated sets of sessions, {100 * p:.0f} look as odd"
        text = f"The sessions do not contradict the simulation (p {p_value(p)}: {odd})."
        few = " So few sessions would show only a large difference."
        return [text + few * (sessions < FEW)]
    row = rows.sort("p").row(0, named=True)
    what = f"{_CHECKS[row['what']]}: {row['found']:.3g} in the sessions"
    if row["what"] == "wins by position":
        what = f"the wins by position: {row['found']:.3g} (chi-square) in the sessions"
    expected = f"{row['low']:.3g} to {row['high']:.3g} in simulated ones"
    return [
        f"The sessions contradict the simulation (p {p_value(p)}), most clearly in "
        f"{what}, {expected}. People play differently from these strategies, or by "
        "other rules."
    ]


def p_value(value: float) -> str:
    """Return a p-value in words."""
    return "below 0.001" if value < 0.001 else f"{value:.2g}"
