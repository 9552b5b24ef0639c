"""Counts of bits in planes are those of counting bit by bit."""

import numpy as np
import pytest

from experiments.core.bit_counter import BitCounter

GAMES = 50


@pytest.mark.parametrize("times", [0, 1, 2, 7, 64])
def test_counts_are_those_of_counting_bit_by_bit(times):
    random = np.random.default_rng(times)
    tally, by_hand = BitCounter(GAMES), np.zeros((GAMES, 64), dtype=int)
    for _ in range(times):
        rows = np.flatnonzero(random.random(GAMES) < 0.6)
        sets = random.integers(0, 2**64, len(rows), dtype=np.uint64, endpoint=False)
        sets |= np.uint64(1 << 63 | 1)  # bits that are always set
        tally.add(rows, sets)
        for row, one in zip(rows.tolist(), sets.tolist(), strict=True):
            by_hand[row] += [one >> bit & 1 for bit in range(64)]
    assert (tally.counts() == by_hand).all()
    assert (tally.counts(slice(10, 20)) == by_hand[10:20]).all()


def test_masks_without_bits_count_nothing():
    tally = BitCounter(3)
    tally.add(np.arange(3), np.zeros(3, dtype=np.uint64))
    assert not tally.counts().any()
