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

Array = NDArray[np.float64]
_WALKERS = 128
_STEPS = 500  # half of them are the way there
_STRETCH = 2.0


@dataclass(frozen=True)
class Companies:
    """What sessions of each company look like.

    ``counts`` (companies, sorts): how many seats of each sort; ``mean``
    (companies, size) and ``square`` (companies, size, size) of the vectors.
    """

    counts: Array
    mean: Array
    square: Array

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
        return Companies(counts, mean / many[:, None], square / many[:, None, None])

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
        """(mixes,) of the mean vector that was ``seen`` in so many sessions."""
        chance = self.chances(mixes)
        mean = chance @ self.mean
        square = np.tensordot(chance, self.square, axes=1)
        spread = square - mean[:, :, None] * mean[:, None, :]
        spread += 1e-6 * np.eye(len(seen))
        off = (seen - mean)[:, :, None]
        whole = (off * np.linalg.solve(spread, off)).sum(axis=(1, 2))
        _, volume = np.linalg.slogdet(spread)
        return np.asarray(-0.5 * (sessions * whole + volume), dtype=np.float64)


def posterior(
    tables: list[tuple[Companies, Array, int]], seed: int = 0, steps: int = _STEPS
) -> Array:
    """(draws, sorts) mixes, drawn as probable as they are.

    ``tables``: companies, the mean vector that was seen and the number of sessions, for
    each number of players.
    """
    sorts = tables[0][0].counts.shape[1]
    if sorts == 1:
        return np.ones((_WALKERS, 1))
    rng = np.random.default_rng(seed)
    prior = rng.dirichlet(np.ones(sorts), _WALKERS)
    places = np.log(prior[:, :-1] / prior[:, -1:])

    def density(at: Array) -> tuple[Array, Array]:
        mixes = _mixes(at)
        value = np.log(mixes).sum(axis=1)  # uniform over mixes, as seen from here
        for companies, seen, sessions in tables:
            value = value + companies.loglikelihood(mixes, seen, sessions)
        return value, mixes

    value, mixes = density(places)
    half, kept = _WALKERS // 2, []
    one, two = slice(half), slice(half, None)
    for step in range(steps):
        for mine, others in ((one, two), (two, one)):
            z = ((_STRETCH - 1) * rng.random(half) + 1) ** 2 / _STRETCH
            towards = places[others][rng.integers(half, size=half)]
            tried = towards + z[:, None] * (places[mine] - towards)
            new, there = density(tried)
            gain = (sorts - 2) * np.log(z) + new - value[mine]
            go = np.log(rng.random(half)) < gain
            places[mine] = np.where(go[:, None], tried, places[mine])
            value[mine] = np.where(go, new, value[mine])
            mixes[mine] = np.where(go[:, None], there, mixes[mine])
        if step >= steps // 2 and step % 5 == 0:
            kept.append(mixes.copy())
    return np.concatenate(kept)


def _mixes(places: Array) -> Array:
    """Mixes of logarithms of ratios to the last sort."""
    whole = np.concatenate([places, np.zeros((len(places), 1))], axis=1)
    whole = np.exp(np.clip(whole - whole.max(axis=1, keepdims=True), -60, 0))
    return np.asarray(whole / whole.sum(axis=1, keepdims=True), dtype=np.float64)
