"""Dealing hidden cards anew: what the redeals of all games share."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Chance, Purpose
from sim.masks import Counts, Masks

_DRAWS = 3 * 64  # counters reserved for a place: more than a pool may have cards
_GAMES_IN_CACHE = 512
_SECOND_DEAL = 1 << 20  # added to the counter of a place that is dealt to twice


def draw(pool: Masks, like: Masks, order: NDArray[np.uint16]) -> Masks:
    """(games,) draw as many members of each pool as ``like`` has.

    ``order`` (bits, games) are the numbers of all bits, shuffled; the first that are in
    the pool are drawn.
    """
    taken, left = np.zeros_like(pool), masks.count(like)
    for number in order:
        if not left.any():
            break
        card = masks.ONE << number.astype(np.uint64)
        card &= pool
        card *= left != 0
        taken |= card
        left -= card != masks.NOTHING
    return taken


def draw_each(pool: Masks, sizes: Counts, order: NDArray[np.uint16]) -> Masks:
    """(places, games) draw from each pool for one place after another.

    sizes: (places, games), together at most the size of the pool; order: as in
    ``draw``. Works through the games in parts, so that their orders stay in the cache.
    """
    dealt = np.zeros(sizes.shape, dtype=np.uint64)
    if not sizes.any():
        return dealt
    ends = np.cumsum(sizes, axis=0, dtype=np.uint8)
    for first in range(0, len(pool), _GAMES_IN_CACHE):
        part = slice(first, first + _GAMES_IN_CACHE)
        lone = masks.ONE << order[:, part].astype(np.uint64)
        lone &= pool[part]
        rank = np.cumsum(lone != masks.NOTHING, axis=0, dtype=np.uint8)
        for here, end in zip(dealt[:, part], ends[:, part], strict=True):
            here[:] = np.bitwise_or.reduce(masks.where(rank <= end, lone), axis=0)
    dealt[1:] ^= dealt[:-1].copy()
    return dealt


def deal(pool: Masks, sizes: Counts, chance: Chance, counter: int) -> Masks:
    """(places, games) deal random members of each pool to each place.

    sizes: (places, games), together at most the size of the pool. Uses one counter for
    each place, from ``counter``.
    """
    dealt, left = np.zeros(sizes.shape, dtype=np.uint64), pool.copy()
    for place, size in enumerate(sizes):
        for number in range(int(size.max(initial=0))):
            draw = (counter + place) * _DRAWS + number
            bits = chance.short_bits(Purpose.HIDDEN, draw)
            card = masks.pick(masks.where(size > number, left), bits)
            dealt[place] |= card
            left ^= card
    return dealt


def deal_without(
    pool: Masks, sizes: Counts, lacks: Masks, chance: Chance, counter: int
) -> Masks:
    """Deal as ``deal`` does, but give no place what it ``lacks``, (places, games).

    Places that lack most are dealt to first. Where too few cards are left that a place
    may hold, which is rare, it gets others too. Uses one counter for each place.
    """
    if not lacks.any():
        return deal(pool, sizes, chance, counter)
    left = pool.copy()
    order = np.argsort(-masks.count(lacks).astype(np.int8), axis=0, kind="stable")
    at = order * len(left) + np.arange(len(left))  # in a flat field of places
    hands, may = np.zeros(lacks.shape, dtype=np.uint64), ~lacks.reshape(-1).take(at)
    for number, size in enumerate(sizes.reshape(-1).take(at)):
        if not size.any():
            continue
        fine = may[number]
        fine &= left
        first = np.minimum(size, masks.count(fine))
        hand = deal(fine, first[None], chance, counter + number)[0]
        short = (first < size).nonzero()[0]
        if len(short):
            more = (size - first)[None, short]
            rest = left[short] & ~hand[short]
            again = counter + number + _SECOND_DEAL
            hand[short] |= deal(rest, more, chance.take(short), again)[0]
        left &= ~hand
        hands[number] = hand
    dealt = np.empty(hands.size, dtype=np.uint64)
    dealt[at] = hands
    return dealt.reshape(lacks.shape)
