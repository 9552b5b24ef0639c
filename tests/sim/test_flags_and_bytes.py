"""Flags and packed bytes do what sets and small numbers do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import flags, masks, packed_bytes

SMALL = st.integers(0, 127)
EIGHT = st.lists(SMALL, min_size=8, max_size=8)


@pytest.mark.parametrize("kind", [np.uint32, np.uint64])
@pytest.mark.parametrize("rows", [3, 5000])  # few, and many
def test_flags_are_the_members_of_sets(kind: type, rows: int) -> None:
    sets = np.random.default_rng(3).integers(0, 1 << 23, rows).astype(kind)
    found = flags.flags_of(sets, 23)
    some = [masks.members(one) for one in sets[:50]]
    assert [np.flatnonzero(one).tolist() for one in found.T[:50]] == some
    assert (flags.sets_of(found) == sets).all()
    number, row = flags.pairs_of(found)
    pairs = [(n, at) for n in range(23) for at in range(rows) if found[n, at]]
    assert list(zip(number, row, strict=True)) == pairs
    wanted = sets[::-1].astype(np.uint64)
    many = np.stack([sets, sets ^ kind(5), kind(0) * sets])
    met = flags.intersecting(many, wanted)
    right = sum(((one & wanted) != 0).astype(int) << n for n, one in enumerate(many))
    assert (met == right).all()
    by_seat = flags.flags_of(many, 23)
    assert (np.stack([flags.sets_of(one) for one in by_seat]) == many).all()


@pytest.mark.parametrize("size", [1, 24, 25, 33, 53, 54, 64])
def test_sets_of_any_size_are_exact(size: int) -> None:
    numbers = np.random.default_rng(4).integers(0, 1 << 63, 60, dtype=np.uint64)
    full = np.uint64((1 << size) - 1)
    sets = np.append(numbers << masks.ONE & full, [full, masks.NOTHING])
    assert (flags.sets_of(flags.flags_of(sets, size)) == sets).all()


@given(EIGHT, EIGHT, SMALL)
def test_bytes_are_compared_one_by_one(
    one: list[int], other: list[int], needed: int
) -> None:
    two = [np.array([values], "u1").view("<u8")[:, 0] for values in (one, other)]
    enough = masks.union(n for n in range(8) if one[n] >= needed)
    assert packed_bytes.at_least(two[0], packed_bytes.threshold(needed)) == enough
    above = [8 * n + 7 for n in range(8) if one[n] > other[n]]
    assert masks.members(packed_bytes.greater(*two)[0]) == above
    assert packed_bytes.unpack(two[0], 8)[:, 0].tolist() == one
