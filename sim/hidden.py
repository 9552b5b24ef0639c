"""Drawing hidden cards anew: what the games share."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Chance, Purpose
from sim.masks import Counts, Masks

_AT_ONCE = 1_024  # games: their keys stay in cache


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


def deal(pool: Masks, sizes: Counts, chance: Chance, counter: int) -> Masks:
    """(places, games) so many members of each pool for each place, at random.

    sizes: (places, games), together no more than the pool has.
    """
    dealt = np.empty(sizes.shape, dtype=np.uint64)
    ends = np.cumsum(sizes, axis=0, dtype=np.int64)
    for first in range(0, len(pool), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        keys = chance.orders(Purpose.HIDDEN, counter, some)
        members = np.unpackbits(
            pool[some, None].view(np.uint8), axis=1, bitorder="little"
        )
        keys |= members.astype(np.uint32) - np.uint32(
            1
        )  # those that are none come last
        keys.sort(axis=1)
        keys &= np.uint32(63)
        taken = np.zeros((len(keys), 65), dtype=np.uint64)
        np.left_shift(masks.ONE, keys, out=taken[:, 1:], dtype=np.uint64)
        np.bitwise_xor.accumulate(taken, axis=1, out=taken)
        until = np.take_along_axis(taken, ends[:, some].T, axis=1).T
        dealt[:, some] = until
        dealt[1:, some] ^= until[:-1]
    return dealt


def deal_without(
    pool: Masks, sizes: Counts, lacks: Masks, chance: Chance, counter: int
) -> Masks:
    """Deal as ``deal`` does, but give no place what it ``lacks``, (places, games).

    Those that lack most are dealt to first. Where too few cards are left that a place
    may have, which is rare, it has the others too. Uses so many counters as places.
    """
    dealt = np.zeros_like(lacks)
    left = pool.copy()
    order = np.argsort(-masks.count(lacks).astype(np.int8), axis=0, kind="stable")
    for number, place in enumerate(order):
        here = place[None]
        size = np.take_along_axis(sizes, here, axis=0)
        if not size.any():
            continue
        without = np.take_along_axis(lacks, here, axis=0)[0]
        fine = left & ~without
        first = np.minimum(size, masks.count(fine)[None])
        hand = deal(fine, first, chance, counter + number)[0]
        short = np.flatnonzero(first[0] < size[0])
        if len(short):
            more = (size - first)[:, short]
            rest = deal(left[short] & ~hand[short], more, chance.some(short), counter)
            hand[short] |= rest[0]
        left &= ~hand
        np.put_along_axis(dealt, here, hand[None], axis=0)
    return dealt
