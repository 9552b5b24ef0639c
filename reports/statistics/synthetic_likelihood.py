"""The mix of player types behind sessions, from simulated games: synthetic likelihood.

Every seat of a session has one of m types ("sorts"), drawn from a mix w. A session is
summarised by a vector. The mean over n sessions is nearly normal, with a mean and
covariance that follow, for any mix, from games simulated for every combination of types
at a table, a "company" (Wood 2010, Nature 466:1102; Price et al. 2018, J. Comput.
Graph. Stat. 27:1). The prior is uniform over mixes. The posterior is sampled by an
ensemble of walkers with stretch moves (Goodman and Weare 2010, Commun. Appl. Math.
Comput. Sci. 5:65).
"""

from dataclasses import dataclass
from functools import cached_property
from math import lgamma

import numpy as np
from numpy.typing import NDArray

from reports.statistics import roots

Array = NDArray[np.float64]
_WALKERS = 128
_STEPS = 500  # half of them are burn-in
_STRETCH = 2.0
_MOVES = 10  # of the walkers, after each rise of the likelihood's power


@dataclass(frozen=True)
class CompanyModel:
    """The moments of sessions of each company.

    ``counts`` (companies, sorts): the seats of each sort; ``mean`` (companies, size)
    and ``square`` (companies, size, size) of the vectors of ``many`` (companies,)
    games.
    """

    counts: Array
    mean: Array
    square: Array
    many: Array

    @staticmethod
    def of(company: NDArray[np.intp], counts: Array, vectors: Array) -> "CompanyModel":
        """Return the moments from simulated games: the company and vector of each."""
        size = vectors.shape[1]
        many = np.bincount(company, minlength=len(counts)).astype(np.float64)
        mean = np.zeros((len(counts), size))
        square = np.zeros((len(counts), size, size))
        np.add.at(mean, company, vectors)
        np.add.at(square, company, vectors[:, :, None] * vectors[:, None, :])
        return CompanyModel(
            counts, mean / many[:, None], square / many[:, None, None], many
        )

    @cached_property
    def ways(self) -> Array:
        """Logarithm of the number of seatings of each company, (companies,)."""
        return np.array(
            [
                lgamma(row.sum() + 1) - sum(lgamma(c + 1) for c in row)
                for row in self.counts
            ]
        )

    def chances(self, mixes: Array) -> Array:
        """Return the probability of each company, (mixes, companies); multinomial."""
        logs = np.log(np.maximum(mixes, 1e-12)) @ self.counts.T
        return np.asarray(np.exp(logs + self.ways), dtype=np.float64)

    def loglikelihood(self, mixes: Array, seen: Array, sessions: int) -> Array:
        """Return (mixes,) the log-likelihood of the mean vector ``seen`` in sessions.

        The means of companies are estimates from games, so the difference has the error
        of both; that counts as fewer sessions, compared with known means.
        """
        chance = self.chances(mixes)
        mean = chance @ self.mean
        square = np.tensordot(chance, self.square, axes=1)
        covariance = square - mean[:, :, None] * mean[:, None, :]
        covariance += 1e-6 * np.eye(len(seen))
        off = (seen - mean)[:, :, None]
        distance = (off * np.linalg.solve(covariance, off)).sum(axis=(1, 2))
        _, volume = np.linalg.slogdet(covariance)
        part = sessions * (chance**2 / self.many).sum(axis=1)
        volume += len(seen) * np.log1p(part)
        return np.asarray(
            -0.5 * (sessions / (1 + part) * distance + volume), dtype=np.float64
        )


Tables = list[tuple[CompanyModel, Array, int]]


def posterior(tables: Tables, seed: int = 0, steps: int = _STEPS) -> Array:
    """Return mixes drawn from the posterior, (draws, sorts).

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
    """Walkers in the space of mixes, with density prior times likelihood to a power.

    The power rises from 0 to 1, and walkers in improbable places are replaced by copies
    of others (annealing; Neal 2001, Stat. Comput. 11:125).
    """

    def __init__(self, tables: Tables, places: Array) -> None:
        self._tables, self.power = tables, 0.0
        self.places = places
        self.prior, self.like, self.mixes = self._density(places)

    def _density(self, places: Array) -> tuple[Array, Array, Array]:
        """Return the logarithms of prior and likelihood at places, and the mixes."""
        mixes = _mixes(places)
        prior = np.log(mixes).sum(axis=1)  # uniform over mixes, in these coordinates
        like = np.zeros(len(mixes))
        for companies, seen, sessions in self._tables:
            like += companies.loglikelihood(mixes, seen, sessions)
        return prior, like, mixes

    def rise(self, rng: np.random.Generator) -> None:
        """Raise the power until the effective number of walkers is half of all."""
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
        first, second = slice(half), slice(half, None)
        for moved, others in ((first, second), (second, first)):
            z = ((_STRETCH - 1) * rng.random(half) + 1) ** 2 / _STRETCH
            towards = self.places[others][rng.integers(half, size=half)]
            proposed = towards + z[:, None] * (self.places[moved] - towards)
            prior, like, mixes = self._density(proposed)
            gain = (size - 1) * np.log(z) + prior - self.prior[moved]
            gain += self.power * (like - self.like[moved])
            accepted = np.log(rng.random(half)) < gain
            self.places[moved][accepted] = proposed[accepted]
            self.mixes[moved][accepted] = mixes[accepted]
            self.prior[moved][accepted] = prior[accepted]
            self.like[moved][accepted] = like[accepted]


def _mixes(places: Array) -> Array:
    """Return mixes, given the logarithms of their ratios to the last sort."""
    logs = np.concatenate([places, np.zeros((len(places), 1))], axis=1)
    mixes = np.exp(np.clip(logs - logs.max(axis=1, keepdims=True), -60, 0))
    return np.asarray(mixes / mixes.sum(axis=1, keepdims=True), dtype=np.float64)
