"""How many sessions would tell what those that there are leave open."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from scipy import special, stats

from experiments.analysis.playtest_games import Array, Pool, SessionTable
from reports.statistics import power, roots
from reports.statistics.synthetic import Companies

_POWER = 0.80
_LEVEL = 0.95
_FAR = 100_000  # sessions that nobody will have
_MIXES = 64  # of those that fit the sessions
_PERSON = "a player who wins 10 points of 100 more than an even share"
_POSITIONS = "positions, as the simulation has them"


def more(
    tables: Sequence[SessionTable],
    pools: Sequence[Pool],
    likes: Sequence[Companies],
    drawn: Array,
) -> tuple[pl.DataFrame, list[str]]:
    """How many sessions would tell what these leave open.

    A table of what is to tell and of the range of sessions, ``low`` to ``high``; a high
    of None is without an end.
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
    said = (
        f"Sessions of {players} players that would tell (you have {len(table.won):,}): "
        f"{_PERSON}: about {_round(person):,}; {_POSITIONS}: "
    )
    if high is None:
        games = len(pool.won)
        return frame, [
            f"{said}cannot be said, as {games:,} simulated games do not show that "
            f"positions differ; if they do, it takes more than {min(low, _FAR):,}."
        ]
    return frame, [f"{said}{low:,} to {high:,}."]


def position_effect(
    pool: Pool, companies: Companies, drawn: Array
) -> tuple[float, float]:
    """Limits (95 %) of how far the positions' shares of wins lie from even.

    The effect is the noncentrality of a chi-square test of the wins, a session. Of each
    mix that fits the sessions the simulated games tell it with an error, whose size is
    that of so many games of equal weight (Kish 1965, Survey Sampling, ch. 11.7); the
    confidence distributions of the effect (Xie and Singh 2013, Int. Stat. Rev. 81:3)
    are averaged over mixes, as these are drawn as probable as they are. The upper limit
    is that of games whose positions differ as chance makes them, if they differ less.
    """
    players = pool.won.shape[1]
    many = np.bincount(pool.company, minlength=len(pool.counts))
    wins = np.stack(
        [np.bincount(pool.company, won, len(many)) for won in pool.won.T], axis=1
    )
    if not wins.any():
        return 0.0, float(players - 1)  # the largest that there is
    some = drawn[np.linspace(0, len(drawn) - 1, min(_MIXES, len(drawn))).astype(int)]
    weights = companies.chances(some) / many  # (mixes, companies), a game
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
    """How sure it is that a test of wins by position is below a value."""
    return np.asarray(special.chndtr(value, players - 1, noncentrality))


def _crossing(rises: Callable[[float], float], value: float) -> float:
    """Where a function that rises from 0 on has a value; 0 where it begins above."""
    if rises(0.0) >= value:
        return 0.0
    high = 1e-6
    while rises(high) < value:
        high *= 2
    return roots.root(lambda at: rises(at) - value, 0.0, high)


def sessions_to_see(low: float, high: float, players: int) -> tuple[int, int | None]:
    """The sessions that show an effect between two limits, the fewest first.

    So many that a chi-square test (5 %) shows it in 80 of 100 cases; None where the
    limits include none, or it would take more than anybody has.
    """
    bound = stats.chi2(players - 1).ppf(_LEVEL)

    needed = _crossing(
        lambda far: 1 - float(_below(np.array(bound), players, np.array(far))), _POWER
    )
    fewest = _round(math.ceil(needed / high))
    most = needed / low if low else math.inf
    return fewest, _round(math.ceil(most)) if most <= _FAR else None


def _round(n: int) -> int:
    """A number of which two digits matter."""
    digits = max(0, len(str(n)) - 2)
    return int(round(n, -digits))


def prior_width(sorts: int) -> float:
    """How wide an interval is without any session."""
    return float(np.ptp(stats.beta(1, sorts - 1).ppf((0.025, 0.975))))
