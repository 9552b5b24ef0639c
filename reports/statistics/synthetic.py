"""The mix of sorts behind sessions, from simulated games: a synthetic likelihood.

Every seat of a session holds one of m sorts, drawn from a mix w. A session is summed up
in a vector; the mean over n sessions is nearly normal, with a mean and covariance that
follow, for any mix, from games that were simulated for every company of sorts (Wood
2010, Nature 466:1102; Price et al. 2018, J. Comput. Graph. Stat. 27:1). The prior is
uniform over mixes. The posterior is sampled by many walkers that stretch towards one
another (Goodman and Weare 2010, Commun. Appl. Math. Comput. Sci. 5:65).
"""

from dataclasses import dataclass
from functools import cached_property
from math import lgamma

import numpy as np
from numpy.typing import NDArray

from reports.statistics import roots

Array = NDArray[np.float64]
_WALKERS = 128
_STEPS = 500  # half of them are the way there
_STRETCH = 2.0
_MOVES = 10  # of the walkers, as the power of the likelihood rises once


@dataclass(frozen=True)
class Companies:
    """What sessions of each company look like.

    ``counts`` (companies, sorts): how many seats of each sort; ``mean``
    (companies, size) and ``square`` (companies, size, size) of the vectors of
    ``many`` (companies,) games.
    """

    counts: Array
    mean: Array
    square: Array
    many: Array

    @staticmethod
    def of(company: NDArray[np.intp], counts: Array, vectors: Array) -> "Companies":
        """From simulated games: the company and the vector of each."""
        size = vectors.shape[1]
        many = np.bincount(company, minlength=len(counts)).astype(np.float64)
        mean, square = (
            np.zeros((len(counts), size)),
            np.zeros((len(counts), size, size)),
        )
        np.add.at(mean, company, vectors)
        np.add.at(square, company, vectors[:, :, None] * vectors[:, None, :])
        return Companies(
            counts, mean / many[:, None], square / many[:, None, None], many
        )

    @cached_property
    def ways(self) -> Array:
        """(companies,) logarithms of how many orders seat each."""
        return np.array(
            [
                lgamma(row.sum() + 1) - sum(lgamma(c + 1) for c in row)
                for row in self.counts
            ]
        )

    def chances(self, mixes: Array) -> Array:
        """(mixes, companies) how probable each company is; multinomial."""
        logs = np.log(np.maximum(mixes, 1e-12)) @ self.counts.T
        return np.asarray(np.exp(logs + self.ways), dtype=np.float64)

    def loglikelihood(self, mixes: Array, seen: Array, sessions: int) -> Array:
        """(mixes,) of the mean vector that was ``seen`` in so many sessions.

        The means of companies are those of games, so the difference has the luck of
        both: as of fewer sessions, compared with means that are known.
        """
        chance = self.chances(mixes)
        mean = chance @ self.mean
        square = np.tensordot(chance, self.square, axes=1)
        spread = square - mean[:, :, None] * mean[:, None, :]
        spread += 1e-6 * np.eye(len(seen))
        off = (seen - mean)[:, :, None]
        whole = (off * np.linalg.solve(spread, off)).sum(axis=(1, 2))
        _, volume = np.linalg.slogdet(spread)
        part = sessions * (chance**2 / self.many).sum(axis=1)
        volume += len(seen) * np.log1p(part)
        return np.asarray(
            -0.5 * (sessions / (1 + part) * whole + volume), dtype=np.float64
        )


Tables = list[tuple[Companies, Array, int]]


def posterior(tables: Tables, seed: int = 0, steps: int = _STEPS) -> Array:
    """(draws, sorts) mixes, drawn as probable as they are.

    ``tables``: companies, the mean vector that was seen and the number of sessions, for
    each number of players.
    """
    sorts = tables[0][0].counts.shape[1]
    if sorts == 1:
        return np.ones((_WALKERS, 1))
    rng = np.random.default_rng(seed)
    prior = rng.dirichlet(np.ones(sorts), _WALKERS)
    walkers = _Walkers(tables, np.log(prior[:, :-1] / prior[:, -1:]))
    while walkers.power < 1:
        walkers.rise(rng)
        for _ in range(_MOVES):
            walkers.move(rng)
    kept = []
    for step in range(steps):
        walkers.move(rng)
        if step >= steps // 2 and step % 5 == 0:
            kept.append(walkers.mixes.copy())
    return np.concatenate(kept)


class _Walkers:
    """Places among the mixes, as probable as prior times likelihood to a power.

    The power rises from 0 to 1, and whoever is left where hardly any draw would be goes
    to one of the others (annealed; Neal 2001, Stat. Comput. 11:125).
    """

    def __init__(self, tables: Tables, places: Array) -> None:
        self._tables, self.power = tables, 0.0
        self.places = places
        self.prior, self.like, self.mixes = self._density(places)

    def _density(self, places: Array) -> tuple[Array, Array, Array]:
        """The logarithms of prior and likelihood at places, and the mixes there."""
        mixes = _mixes(places)
        prior = np.log(mixes).sum(axis=1)  # uniform over mixes, as seen from here
        like = np.zeros(len(mixes))
        for companies, seen, sessions in self._tables:
            like += companies.loglikelihood(mixes, seen, sessions)
        return prior, like, mixes

    def rise(self, rng: np.random.Generator) -> None:
        """Let the power rise until half of the walkers count."""
        below = self.like - self.like.max()

        def spare(more: float) -> float:
            weights = np.exp(more * below)
            return float(weights.sum() ** 2 / (weights**2).sum()) - len(below) / 2

        left = 1 - self.power
        more = left if spare(left) >= 0 else roots.root(spare, 0.0, left)
        self.power = 1.0 if more == left else self.power + more
        weights = np.exp(more * below)
        at = rng.choice(len(below), size=len(below), p=weights / weights.sum())
        self.places, self.mixes = self.places[at], self.mixes[at]
        self.prior, self.like = self.prior[at], self.like[at]

    def move(self, rng: np.random.Generator) -> None:
        """Stretch each half of the walkers towards the other."""
        half, size = len(self.places) // 2, self.places.shape[1]
        one, two = slice(half), slice(half, None)
        for mine, others in ((one, two), (two, one)):
            z = ((_STRETCH - 1) * rng.random(half) + 1) ** 2 / _STRETCH
            towards = self.places[others][rng.integers(half, size=half)]
            tried = towards + z[:, None] * (self.places[mine] - towards)
            prior, like, mixes = self._density(tried)
            gain = (size - 1) * np.log(z) + prior - self.prior[mine]
            gain += self.power * (like - self.like[mine])
            go = np.log(rng.random(half)) < gain
            self.places[mine][go] = tried[go]
            self.mixes[mine][go] = mixes[go]
            self.prior[mine][go] = prior[go]
            self.like[mine][go] = like[go]


def _mixes(places: Array) -> Array:
    """Mixes of logarithms of ratios to the last sort."""
    whole = np.concatenate([places, np.zeros((len(places), 1))], axis=1)
    whole = np.exp(np.clip(whole - whole.max(axis=1, keepdims=True), -60, 0))
    return np.asarray(whole / whole.sum(axis=1, keepdims=True), dtype=np.float64)
