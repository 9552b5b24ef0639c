"""Permutation tests within blocks: whether it is more than chance who scores well.

What was scored in a session is dealt anew among those who sat there, as often as asked;
the p-value counts how often groups then differ at least as much as they did
(Fisher 1935; with the observed one among them: Phipson and Smyth 2010, Stat. Appl.
Genet. Mol. Biol. 9:39).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_FEW = 6  # of which all 720 orders are kept


@dataclass(frozen=True)
class Explained:
    """How much of the spread within blocks lies between groups.

    ``share`` of it in the data; ``chance``, ``low``, ``high``: mean and 95 % of what it
    is where chance deals. ``p``: how often chance gives as much.
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
    """Test whether groups differ; ``values`` and ``groups`` are (size,) a block.

    None where nothing can differ: one group, or values that are equal in every block.
    ``progress`` is told blocks done, and blocks in all.
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
        order[:, 0] = np.arange(len(v))  # as it was
        for at, mine in zip(order, group, strict=True):
            sums[mine] += v[at]
        if progress is not None:
            progress(done, len(centred))
    shares = (sums**2 / np.maximum(sizes, 1)[:, None]).sum(axis=0) / total
    found = float(shares[0])
    low, high = np.quantile(shares[1:], (0.025, 0.975))
    p = float((shares >= found * (1 - 1e-12)).mean())
    return Explained(found, float(shares[1:].mean()), float(low), float(high), p)


def _orders(rng: np.random.Generator, size: int, draws: int) -> NDArray[np.intp]:
    """(size, draws) orders, any as probable: looked up, where they are few."""
    if size > _FEW:
        return rng.random((draws, size)).argsort(axis=1).T.copy()
    every = _every_order(size)
    return every.take(rng.integers(every.shape[1], size=draws), axis=1)


@cache
def _every_order(size: int) -> NDArray[np.intp]:
    """(size, orders) all that there are."""
    return np.array(list(permutations(range(size))), dtype=np.intp).T.copy()
