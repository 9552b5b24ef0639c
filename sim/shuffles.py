"""Shuffling many decks at once, by sorting random keys with a network.

A key has 10 random bits above the 6 of the card's number. Two cards of a deck get equal
random bits once in 1,024. So that the lower number gains nothing by it, all numbers of
a deck are flipped (exclusive or) by 6 random bits of its own; which of two cards is
lower is then a fair coin. What remains is that the ties of one deck share a coin, which
shows in no marginal distribution and in no pair of cards.

The network is Batcher's merge exchange (Knuth, TAOCP 3, 5.2.2, algorithm M): the
same comparisons for every deck, so whole arrays are compared at once.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_NUMBER = np.uint16(0x3F)
_RANDOM = np.uint16(0xFFC0)
FEW_DECKS = 1_024  # up to so many decks are sorted one by one, which is quicker


def shuffle_by_keys(
    cards: Sequence[int],
    keys: NDArray[np.uint16],
    flip: NDArray[np.uint16],
    piles: tuple[int, ...] = (),
) -> NDArray[np.uint16]:
    """The cards (different numbers below 64) in random order, shape (cards, games).

    ``keys`` (at least as many rows as cards) has 10 random bits above the low six, and
    is overwritten; ``flip`` (games,) has six low random bits. ``piles`` are sizes, for
    decks of which only the contents of piles matter: the cards of a pile come in no
    particular order, and cards of no pile are left out.
    """
    size = len(cards)
    flip &= _NUMBER
    keys = keys[:size]
    keys &= _RANDOM
    if not piles and len(flip) <= FEW_DECKS:
        return _sort_decks(cards, keys, flip)
    lines = list(keys)
    for card, line in zip(cards, lines, strict=True):
        np.bitwise_or(line, flip ^ np.uint16(card), out=line)
    spare = np.empty_like(flip)
    for low, high in network(size, piles):
        one, other = lines[low], lines[high]
        np.minimum(one, other, out=spare)
        np.maximum(one, other, out=other)
        lines[low], spare = spare, one
    dealt = lines[: sum(piles)] if piles else lines
    order = np.empty((len(dealt), len(flip)), dtype=np.uint16)
    for place, line in enumerate(dealt):
        np.bitwise_and(line, _NUMBER, out=order[place])
    order ^= flip
    return order


def _sort_decks(
    cards: Sequence[int], keys: NDArray[np.uint16], flip: NDArray[np.uint16]
) -> NDArray[np.uint16]:
    """Sort deck by deck: for few decks this takes fewer numpy calls than a network."""
    keys |= np.array(cards, dtype=np.uint16)[:, None] ^ flip
    decks = np.ascontiguousarray(keys.T)
    decks.sort(axis=1)
    order = np.ascontiguousarray(decks.T)
    order &= _NUMBER
    order ^= flip
    return order


def deal_by_keys(
    cards: Sequence[int],
    keys: NDArray[np.uint16],
    flip: NDArray[np.uint16],
    piles: tuple[int, ...],
    dealt: NDArray[np.uint64],
) -> None:
    """Write the piles of ``shuffle_by_keys`` into ``dealt`` (piles, games), as sets.

    ``keys`` are (games, cards or more); each deck is sorted on its own.
    """
    flip &= _NUMBER
    keys = keys[:, : len(cards)] & _RANDOM
    keys |= np.array(cards, dtype=np.uint16) ^ flip[:, None]
    keys.sort(axis=1)
    order = np.ascontiguousarray(keys.T[: sum(piles)])
    order &= _NUMBER
    order ^= flip
    lone = np.left_shift(np.uint64(1), order, dtype=np.uint64)
    first = 0
    for size, pile in zip(piles, dealt, strict=True):
        np.bitwise_or.reduce(lone[first : first + size], axis=0, out=pile)
        first += size


@lru_cache(maxsize=64)
def network(size: int, piles: tuple[int, ...] = ()) -> tuple[tuple[int, int], ...]:
    """The comparisons (lower, higher line) that sort ``size`` lines, in order.

    A comparison that only orders two numbers of the same pile is left out.
    """
    wanted = []
    pile: list[int | None] = [
        number for number, cards in enumerate(piles) for _ in range(cards)
    ]
    rest = size - len(pile)
    pile += [len(piles)] * rest if piles else list(range(size))
    for low, high in reversed(_merge_exchange(size)):
        if pile[low] is None or pile[low] != pile[high]:
            wanted.append((low, high))
            pile[low] = pile[high] = None
    return tuple(reversed(wanted))


def _merge_exchange(size: int) -> list[tuple[int, int]]:
    """Batcher's comparisons, by Knuth's algorithm M."""
    comparisons = []
    top = 1 << max(size - 1, 0).bit_length() >> 1
    step = top
    while step:
        width, residue, distance = top, 0, step
        while True:
            comparisons += [
                (line, line + distance)
                for line in range(size - distance)
                if line & step == residue
            ]
            if width == step:
                break
            distance, width, residue = width - step, width >> 1, step
        step >>= 1
    return comparisons
