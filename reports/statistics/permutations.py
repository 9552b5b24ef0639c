"""Permutation tests within blocks: whether it is more than chance who scores well.

What was scored in a session is dealt anew among those who sat there, as often as asked;
the p-value counts how often groups then differ at least as much as they did
(Fisher 1935; with the observed one among them: Phipson and Smyth 2010, Stat. Appl.
Genet. Mol. Biol. 9:39).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


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
) -> Explained | None:
    """Test whether groups differ; ``values`` and ``groups`` are (size,) a block.

    None where nothing can differ: one group, or values that are equal in every block.
    """
    count = 1 + max((int(g.max()) for g in groups), default=0)
    sizes = np.bincount(np.concatenate(groups), minlength=count)
    centred = [v - v.mean() for v in values]
    total = sum(float((v**2).sum()) for v in centred)
    if count < 2 or total <= 0:
        return None
    rng = np.random.default_rng(seed)
    sums = np.zeros((draws + 1, count))
    rows = np.arange(draws + 1)[:, None]
    for v, group in zip(centred, groups, strict=True):
        order = rng.random((draws + 1, len(v))).argsort(axis=1)
        order[0] = np.arange(len(v))  # as it was
        np.add.at(sums, (rows, group[None, :]), v[order])
    shares = (sums**2 / np.maximum(sizes, 1)).sum(axis=1) / total
    found = float(shares[0])
    low, high = np.quantile(shares[1:], (0.025, 0.975))
    p = float((shares >= found * (1 - 1e-12)).mean())
    return Explained(found, float(shares[1:].mean()), float(low), float(high), p)
