"""How many sessions would tell what those that there are leave open."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import stats

from experiments.analysis.playtest_games import Array, Pool, SessionTable
from reports.statistics import power, synthetic
from reports.statistics.synthetic import Companies

_POWER = 0.80
_FAR = 100_000  # sessions that nobody will have


def more(
    tables: Sequence[SessionTable],
    pools: Sequence[Pool],
    likes: Sequence[Companies],
    drawn: Array,
    mix: pl.DataFrame,
    seed: int,
) -> tuple[pl.DataFrame, list[str]]:
    """How many sessions would tell what these leave open."""
    big = max(range(len(tables)), key=lambda n: len(tables[n].won))
    table, pool, companies = tables[big], pools[big], likes[big]
    here, players = len(table.won), table.players
    even = 1 / players
    clear = np.sqrt(even * (1 - even))
    rows = [
        ("positions, as the simulation has them", _to_see(pool, companies, drawn)),
        (
            "a player who wins 10 points of 100 more than an even share",
            _round(int(power.games_to_detect(0.1, clear))),
        ),
    ]
    if mix.height > 1:
        half = "the mix, with intervals half as wide as without any session"
        rows.append((half, _to_tell(companies, drawn, here, seed)))
    frame = pl.DataFrame(
        [{"to tell": what, "sessions": None if n < 0 else n} for what, n in rows],
        schema={"to tell": pl.String, "sessions": pl.Int64},
    )
    told = "; ".join(
        f"{what}: {f'about {n:,}' if n >= 0 else f'more than {_FAR:,}'}"
        for what, n in rows
    )
    start = f"Sessions of {players} players that would tell (you have {here})"
    return frame, [f"{start}: {told}."]


def _to_see(pool: Pool, companies: Companies, drawn: Array) -> int:
    """Sessions with which a chi-square test of the wins shows the positions, at 80 %.

    The luck of the simulated games is taken off what they show.
    """
    players = pool.won.shape[1]
    many = np.bincount(pool.company, minlength=len(pool.counts))
    weight = (companies.chances(drawn).mean(axis=0) / many)[pool.company]
    wins = (weight[:, None] * pool.won).sum(axis=0)
    shares = wins / wins.sum()
    luck = (players - 1) * float((weight**2).sum() / weight.sum() ** 2)
    effect = float(((shares - 1 / players) ** 2 * players).sum()) - luck
    bound = stats.chi2(players - 1).ppf(0.95)
    for n in np.geomspace(10, _FAR, 200).astype(int):
        if stats.ncx2(players - 1, max(effect * n, 1e-12)).sf(bound) >= _POWER:
            return _round(int(n))
    return -1


def _to_tell(companies: Companies, drawn: Array, sessions: int, seed: int) -> int:
    """Sessions like these that make the intervals of the mix half as wide."""
    middle = drawn.mean(axis=0, keepdims=True)
    seen = (companies.chances(middle) @ companies.mean)[0]
    wide = prior_width(drawn.shape[1]) / 2
    n = max(sessions, 10)
    while n < _FAR:
        some = synthetic.posterior([(companies, seen, n)], seed, steps=200)
        low, high = np.quantile(some, (0.025, 0.975), axis=0)
        if (high - low).mean() <= wide:
            return _round(n)
        n = n * 3 // 2
    return -1


def _round(n: int) -> int:
    """A number of which two digits matter."""
    digits = max(0, len(str(n)) - 2)
    return int(round(n, -digits))


def prior_width(sorts: int) -> float:
    """How wide an interval is without any session."""
    return float(np.ptp(stats.beta(1, sorts - 1).ppf((0.025, 0.975))))
