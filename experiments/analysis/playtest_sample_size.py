"""How many playtest sessions would settle what the given ones leave open."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from scipy import special, stats

from experiments.analysis.playtest_games import Array, SessionTable, SimulatedPool
from reports.statistics import power, roots
from reports.statistics.synthetic_likelihood import CompanyModel

_POWER = 0.80
_LEVEL = 0.95
_MOST_SESSIONS = 100_000  # more than anybody will have
_MIXES = 64  # drawn mixes to average over
_PERSON = "a player who wins 10 points of 100 more than an even share"
_POSITIONS = "positions, as the simulation has them"


def sessions_needed(
    tables: Sequence[SessionTable],
    pools: Sequence[SimulatedPool],
    likes: Sequence[CompanyModel],
    drawn: Array,
) -> tuple[pl.DataFrame, list[str]]:
    """Return how many sessions would settle what these leave open, and a sentence.

    The table has a row per question and the range of sessions, ``low`` to ``high``; a
    high of None means that there is no upper limit.
    """
    big = max(range(len(tables)), key=lambda n: len(tables[n].won))
    table, pool = tables[big], pools[big]
    players = table.players
    even = 1 / players
    person = int(power.games_to_detect(0.1, np.sqrt(even * (1 - even))))
    low, high = sessions_to_see(*position_effect(pool, likes[big], drawn), players)
    frame = pl.DataFrame(
        {
            "to tell": [_POSITIONS, _PERSON],
            "low": [low, _round(person)],
            "high": [high, _round(person)],
        },
        schema={"to tell": pl.String, "low": pl.Int64, "high": pl.Int64},
    )
    text = (
        f"Sessions of {players} players needed to detect (you have "
        f"{len(table.won):,}): {_PERSON}: about {_round(person):,}; {_POSITIONS}: "
    )
    if high is None:
        games, least = len(pool.won), min(low, _MOST_SESSIONS)
        return frame, [
            f"{text}unknown, because {games:,} simulated games do not show that "
            f"positions differ; if they do, it takes more than {least:,}."
        ]
    return frame, [f"{text}{low:,} to {high:,}."]


def position_effect(
    pool: SimulatedPool, companies: CompanyModel, drawn: Array
) -> tuple[float, float]:
    """Return 95 % limits of how far the positions' shares of wins lie from even.

    The effect is the noncentrality per session of a chi-square test of the wins. For
    each mix that fits the sessions, the simulated games estimate it with an error that
    follows from their effective number (Kish 1965, Survey Sampling, ch. 11.7). The
    confidence distributions of the effect (Xie and Singh 2013, Int. Stat. Rev. 81:3)
    are averaged over mixes drawn by their probability. If positions differ less than
    chance makes them, the upper limit is that of a difference by chance.
    """
    players = pool.won.shape[1]
    sizes = np.bincount(pool.company, minlength=len(pool.counts))
    wins = np.stack(
        [np.bincount(pool.company, won, len(sizes)) for won in pool.won.T], axis=1
    )
    if not wins.any():
        return 0.0, float(players - 1)  # the largest possible effect
    mixes = drawn[np.linspace(0, len(drawn) - 1, min(_MIXES, len(drawn))).astype(int)]
    weights = companies.chances(mixes) / sizes  # (mixes, companies), a game
    won = weights @ wins
    games = won.sum(axis=1) ** 2 / (weights**2 @ wins.sum(axis=1))
    shares = won / won.sum(axis=1, keepdims=True)
    value = games * ((shares - 1 / players) ** 2 * players).sum(axis=1)

    def limit(value: Array, chance: float) -> float:
        return _crossing(
            lambda effect: 1 - float(_below(value, players, games * effect).mean()),
            chance,
        )

    tail = (1 - _LEVEL) / 2
    return limit(value, tail), limit(np.maximum(value, players - 1), 1 - tail)


def _below(value: Array, players: int, noncentrality: Array) -> Array:
    """Return the probability that a test of wins by position is below a value."""
    return np.asarray(special.chndtr(value, players - 1, noncentrality))


def _crossing(rises: Callable[[float], float], value: float) -> float:
    """Return where a function that rises from 0 on reaches a value, at least 0."""
    if rises(0.0) >= value:
        return 0.0
    high = 1e-6
    while rises(high) < value:
        high *= 2
    return roots.root(lambda at: rises(at) - value, 0.0, high)


def sessions_to_see(low: float, high: float, players: int) -> tuple[int, int | None]:
    """Return the fewest and the most sessions that show an effect between two limits.

    A chi-square test (5 %) then shows it with a power of 80 %. The most is None if the
    effect may be zero, or it takes more sessions than anybody has.
    """
    bound = stats.chi2(players - 1).ppf(_LEVEL)
    needed = _crossing(
        lambda far: 1 - float(_below(np.array(bound), players, np.array(far))), _POWER
    )
    fewest = _round(math.ceil(needed / high))
    most = needed / low if low else math.inf
    return fewest, _round(math.ceil(most)) if most <= _MOST_SESSIONS else None


def _round(n: int) -> int:
    """Round a number to two digits."""
    digits = max(0, len(str(n)) - 2)
    return int(round(n, -digits))


def prior_width(sorts: int) -> float:
    """Return the width of an interval without any session."""
    return float(np.ptp(stats.beta(1, sorts - 1).ppf((0.025, 0.975))))
