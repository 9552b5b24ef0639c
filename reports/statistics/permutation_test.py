"""Permutation tests within blocks: whether groups score differently beyond chance.

The scores of a session are permuted at random among its players, many times; the
p-value is how often groups then differ at least as much as observed (Fisher 1935; the
observed order counts, too: Phipson and Smyth 2010, Stat. Appl. Genet. Mol. Biol. 9:39).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_ALL_ORDERS = 6  # the largest size of which all orders (720) are kept


@dataclass(frozen=True)
class Explained:
    """How much of the variance within blocks is between groups.

    ``share``: in the data; ``chance``, ``low``, ``high``: the mean and 95 % range under
    permutation. ``p``: how often permutations have as much.
    """

    share: float
    chance: float
    low: float
    high: float
    p: float


def between(
    values: Sequence[Array],
    groups: Sequence[NDArray[np.intp]],
    draws: int = 9_999,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Explained | None:
    """Test whether groups differ; ``values`` and ``groups`` are (size,) for each block.

    None if nothing can differ: one group, or equal values in every block. ``progress``
    is called with the blocks done and the blocks in all.
    """
    count = 1 + max((int(g.max()) for g in groups), default=0)
    sizes = np.bincount(np.concatenate(groups), minlength=count)
    centred = [v - v.mean() for v in values]
    total = sum(float((v**2).sum()) for v in centred)
    if count < 2 or total <= 0:
        return None
    rng = np.random.default_rng(seed)
    sums = np.zeros((count, draws + 1))
    for done, (v, group) in enumerate(zip(centred, groups, strict=True), 1):
        order = _orders(rng, len(v), draws + 1)
        order[:, 0] = np.arange(len(v))  # as observed
        for at, of in zip(order, group, strict=True):
            sums[of] += v[at]
        if progress is not None:
            progress(done, len(centred))
    shares = (sums**2 / np.maximum(sizes, 1)[:, None]).sum(axis=0) / total
    observed = float(shares[0])
    low, high = np.quantile(shares[1:], (0.025, 0.975))
    p = float((shares >= observed * (1 - 1e-12)).mean())
    return Explained(observed, float(shares[1:].mean()), float(low), float(high), p)


def _orders(rng: np.random.Generator, size: int, draws: int) -> NDArray[np.intp]:
    """Return random orders, (size, draws)."""
    if size > _ALL_ORDERS:
        return rng.random((draws, size)).argsort(axis=1).T.copy()
    orders = _every_order(size)  # a lookup is faster than sorting
    return orders.take(rng.integers(orders.shape[1], size=draws), axis=1)


@cache
def _every_order(size: int) -> NDArray[np.intp]:
    """Return all orders, (size, orders)."""
    return np.array(list(permutations(range(size))), dtype=np.intp).T.copy()
