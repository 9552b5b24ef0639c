"""Whether sessions contradict the simulation: a posterior predictive check.

Compared are the sessions with sets that the simulation makes itself, of companies that
the mix of strategies would seat.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.playtest_games import Array, Pool, SessionTable
from reports.statistics.synthetic import Companies

LEVEL = 0.05
"""Sessions that the simulation itself made are called contradictory this often."""
_REPLICAS = 1_000  # sets of sessions, as the simulation would have them
FEW = 30
"""Sessions with which little is seen."""
_CHECKS = {
    "mean score": "the mean score",
    "spread of scores": "the spread of scores",
    "margin": "the margin between the best two",
    "wins by position": "the wins by position",
    "no single winner": "the sessions without a single winner",
}


def _of_scores(sets: Iterable[Array], least: bool) -> dict[str, Array]:
    """What is compared of the scores (sessions, players) of sets of sessions.

    Sets come one by one: of all at once the scores fill the memory.
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
    """What is compared of who won (sets, sessions, players)."""
    found: dict[str, Array] = {}
    if placed:
        expected = np.maximum(even * won.shape[1], 1e-9)
        found["wins by position"] = ((won.sum(axis=1) - expected) ** 2 / expected).sum(
            axis=1
        )
    found["no single winner"] = (~won.any(axis=2)).mean(axis=1)
    return found


def checks(
    tables: Sequence[SessionTable],
    pools: Sequence[Pool],
    drawn: Array,
    least: bool,
    seed: int,
) -> tuple[pl.DataFrame, float]:
    """Compare the sessions with such as the simulation would have, by what fits them.

    A posterior predictive check (Gelman, Meng and Stern 1996, Stat. Sin. 6:733); the
    least p of several is judged by how often such sets have one as small. Sets have the
    luck of the simulated games in them, which counts where there are many sessions.
    """
    rng = np.random.default_rng([seed, 1])
    mixes = drawn[rng.integers(len(drawn), size=_REPLICAS)]
    rows, ranks = [], []
    for table, pool in zip(tables, pools, strict=True):
        index = replicas(pool, mixes, len(table.won), rng, anew=True)
        here: dict[str, Array] = {}
        there: dict[str, Array] = {}
        if table.scores is not None and pool.scores is not None:
            here = _of_scores([table.scores], least)
            there = _of_scores((pool.scores[one] for one in index), least)
        won = pool.won[index]
        even = won.mean(axis=(0, 1))
        here |= _of_wins(table.won[None], even, table.placed)
        there |= _of_wins(won, even, table.placed)
        for name, values in there.items():
            every = np.concatenate([here[name], values])
            if every.min() == every.max():
                continue
            ends = _two_sided(every, upper=name == "wins by position")
            low, middle, high = np.quantile(values, (0.025, 0.5, 0.975))
            rows.append(
                {
                    "players": table.players,
                    "what": name,
                    "found": float(every[0]),
                    "expected": float(middle),
                    "low": float(low),
                    "high": float(high),
                    "p": float(ends[0]),
                }
            )
            ranks.append(ends)
    numbers = dict.fromkeys(("found", "expected", "low", "high", "p"), pl.Float64)
    schema = {"players": pl.Int64, "what": pl.String} | numbers
    frame = pl.DataFrame(rows, schema=schema)
    if not ranks:
        return frame, 1.0
    smallest = np.min(ranks, axis=0)
    return frame, float((smallest <= smallest[0]).mean())


def replicas(
    pool: Pool,
    mixes: Array,
    sessions: int,
    rng: np.random.Generator,
    *,
    anew: bool = False,
) -> NDArray[np.intp]:
    """(mixes, sessions) simulated games, each of a company that the mix would seat.

    With ``anew`` every set comes from games that are drawn anew among those of their
    company (a bootstrap), so sets differ by the luck of the simulated games, too.
    """
    zero = np.zeros(1)
    companies = Companies(pool.counts, zero, zero, zero)
    chances = companies.chances(mixes).cumsum(axis=1)
    chances /= chances[:, -1:]
    drawn = rng.random((len(mixes), sessions))
    order = np.argsort(pool.company, kind="stable")
    many = np.bincount(pool.company, minlength=len(pool.counts))
    starts = np.concatenate([[0], many.cumsum()[:-1]])
    sets = np.empty(drawn.shape, dtype=np.intp)
    for one, row, values in zip(sets, chances, drawn, strict=True):
        company = np.searchsorted(row, values)
        one[:] = starts[company] + rng.integers(many[company])
        if anew:
            of = pool.company[order]
            one[:] = (starts[of] + rng.integers(many[of]))[one]
    return order[sets]


def _two_sided(values: Array, upper: bool) -> Array:
    """The p-value of each among all of them, itself included."""
    ordered = np.sort(values)
    above = (len(values) - np.searchsorted(ordered, values, "left")) / len(values)
    if upper:
        return np.asarray(above, dtype=np.float64)
    below = np.searchsorted(ordered, values, "right") / len(values)
    return np.asarray(np.minimum(1.0, 2 * np.minimum(above, below)), dtype=np.float64)


def words(found: pl.DataFrame, p: float, sessions: int) -> list[str]:
    """Whether they contradict the simulation."""
    if p >= LEVEL:
        odd = f"of sets that it makes itself {100 * p:.0f} of 100 look as odd"
        said = f"The sessions do not contradict the simulation (p {p_value(p)}: {odd})."
        few = " So few sessions would show only a great difference."
        return [said + few * (sessions < FEW)]
    row = found.sort("p").row(0, named=True)
    what = f"{_CHECKS[row['what']]}: {row['found']:.3g} in the sessions"
    if row["what"] == "wins by position":
        what = f"the wins by position: {row['found']:.3g} from even as simulated"
    expected = f"{row['low']:.3g} to {row['high']:.3g} by any mix that fits"
    return [
        f"The sessions contradict the simulation (p {p_value(p)}), most of all in "
        f"{what}, {expected}. People play otherwise than these strategies, or by "
        "other rules."
    ]


def p_value(value: float) -> str:
    """A p-value in words."""
    return f"below {0.001}" if value < 0.001 else f"{value:.2g}"
