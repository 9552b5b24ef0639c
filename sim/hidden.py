"""Drawing hidden cards anew: what the games share."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Masks


def draw(pool: Masks, like: Masks, order: NDArray[np.uint16]) -> Masks:
    """(games,) as many members of each pool as ``like`` has, in a random order of bits.

    ``order`` (bits, games) are the numbers of all bits, shuffled.
    """
    taken, size = np.zeros_like(pool), masks.count(like)
    for number in order:
        card = masks.ONE << number.astype(np.uint64)
        wanted = ((pool & card) != 0) & (masks.count(taken) < size)
        taken |= masks.where(wanted, card)
    return taken
