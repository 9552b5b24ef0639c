"""Masks do what sets do."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sim import masks

WORD = st.integers(0, 2**64 - 1)
SOME = st.lists(WORD, min_size=1, max_size=12)
EDGES = [0, 1, 1 << 63, (1 << 64) - 1, 1 << 31, 1 << 32, 0xFF, 0xFF00, 3 << 62]


def array(values: list[int]) -> masks.Masks:
    return np.array([*values, *EDGES], dtype=np.uint64)


@given(st.sets(st.integers(0, 63)))
def test_union_and_members(numbers: set[int]) -> None:
    mask = masks.union(numbers)
    assert mask.dtype == np.uint64
    assert masks.members(mask) == sorted(numbers)
    assert masks.members(int(mask)) == sorted(numbers)


@pytest.mark.parametrize("number", [0, 1, 31, 32, 62, 63])
def test_bit(number: int) -> None:
    assert masks.members(masks.bit(number)) == [number]


@given(st.integers(0, 64), st.integers(0, 64))
def test_span(first: int, size: int) -> None:
    size = min(size, 64 - first)
    assert masks.members(masks.span(first, size)) == list(range(first, first + size))


@given(SOME)
def test_lowest_and_highest(values: list[int]) -> None:
    mask = array(values)
    low, high = masks.lowest(mask), masks.highest(mask)
    for one, lowest, highest in zip(mask, low, high, strict=True):
        numbers = masks.members(one)
        assert masks.members(lowest) == numbers[:1]
        assert masks.members(highest) == numbers[-1:]


def test_index() -> None:
    lone = np.array([1 << n for n in range(64)], dtype=np.uint64)
    assert masks.index(lone).tolist() == list(range(64))
    assert masks.index(np.zeros(1, dtype=np.uint64)).tolist() == [-1023]


@given(SOME)
def test_count(values: list[int]) -> None:
    mask = array(values)
    assert masks.count(mask).tolist() == [int(one).bit_count() for one in mask]


@given(SOME, st.randoms(use_true_random=False))
def test_nth(values: list[int], dice: random.Random) -> None:
    mask = array(values)
    ranks = [dice.randrange(max(int(one).bit_count(), 1)) for one in mask]
    found = masks.nth(mask, np.array(ranks, dtype=np.uint64))
    for one, rank, member in zip(mask, ranks, found, strict=True):
        assert masks.members(member) == masks.members(one)[rank : rank + 1]


@pytest.mark.parametrize("member", range(64))
def test_every_nth_of_everything(member: int) -> None:
    everything = np.full(1, 2**64 - 1, dtype=np.uint64)
    found = masks.nth(everything, np.array([member], dtype=np.uint64))
    assert masks.members(found[0]) == [member]


@given(SOME, st.integers(0, 2**masks.CHANCE_BITS - 1))
def test_pick_is_a_member(values: list[int], chance: int) -> None:
    mask = array(values)
    before = mask.copy()
    picked = masks.pick(mask, np.full(len(mask), chance, dtype=np.uint64))
    assert (mask == before).all(), "the options are changed"
    for one, member in zip(mask, picked, strict=True):
        numbers = masks.members(one)
        rank = chance * len(numbers) >> masks.CHANCE_BITS
        assert masks.members(member) == numbers[rank : rank + 1]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 13, 40, 64])
def test_pick_is_uniform(size: int) -> None:
    """Over evenly spread chance every member comes up as often, to one in 2**21."""
    dice = np.random.default_rng(size)
    numbers = sorted(dice.choice(64, size, replace=False).tolist())
    chance = dice.integers(0, 2**masks.CHANCE_BITS, 64_000, dtype=np.uint64)
    mask = np.full(len(chance), masks.union(numbers))
    counts = np.bincount(masks.index(masks.pick(mask, chance)), minlength=64)
    assert counts.sum() == counts[numbers].sum()
    if size > 1:
        assert stats.chisquare(counts[numbers]).pvalue > 1e-4


def test_pick_in_rows_of_different_sizes() -> None:
    """Small sets among large ones: both ways to find a member agree."""
    dice = np.random.default_rng(1)
    small = dice.integers(0, 16, 500, dtype=np.uint64) << np.uint64(20)
    large = dice.integers(0, 2**64, 500, dtype=np.uint64)
    chance = dice.integers(0, 2**masks.CHANCE_BITS, 1000, dtype=np.uint64)
    together = masks.pick(np.concatenate([small, large]), chance)
    assert (together[:500] == masks.pick(small, chance[:500])).all()
    assert (together[500:] == masks.pick(large, chance[500:])).all()


@given(SOME, WORD, WORD)
def test_where_flags_and_blend(values: list[int], one: int, other: int) -> None:
    flag = np.array([value % 2 == 0 for value in values])
    a, b = np.uint64(one), np.uint64(other)
    assert masks.from_flags(flag).tolist() == [2**64 - 1 if f else 0 for f in flag]
    assert masks.where(flag, a).tolist() == [one if f else 0 for f in flag]
    assert masks.blend(flag, a, b).tolist() == [one if f else other for f in flag]
    many = np.array(values, dtype=np.uint64)
    assert masks.where(flag, many).tolist() == np.where(flag, many, 0).tolist()
    assert masks.blend(flag, many, b).tolist() == np.where(flag, many, b).tolist()
    assert many.tolist() == values, "an argument is changed"


@given(st.lists(st.integers(1, 7), min_size=1, max_size=12), st.integers(0, 2**64 - 1))
def test_first_of_each_part(sizes: list[int], value: int) -> None:
    """Each part gives its lowest member, parts without one give nothing."""
    edges = [sum(sizes[:n]) for n in range(len(sizes) + 1) if sum(sizes[:n]) <= 64]
    first = masks.union(edges[:-1])
    last = masks.union(edge - 1 for edge in edges[1:])
    held = value & int(masks.span(0, edges[-1]))
    found = masks.first_of_each(np.array([held], dtype=np.uint64), first, last)
    wanted = []
    for low, high in pairwise(edges):
        here = [n for n in masks.members(held) if low <= n < high]
        wanted += here[:1]
    assert masks.members(found[0]) == wanted


def test_flagged() -> None:
    assert masks.rows_where(np.array([True, False, True])).tolist() == [0, 2]
    assert masks.rows_where(np.zeros(3, dtype=np.bool_)).tolist() == []
    assert masks.rows_where(np.array([2, 0, 1 << 63], dtype=np.uint64)).tolist() == [
        0,
        2,
    ]


def test_holding() -> None:
    sets = np.array([0b101, 0b010, 0, 0b100], dtype=np.uint64)
    assert masks.rows_with(sets, masks.bit(2)).tolist() == [0, 3]
    assert masks.rows_with(sets, masks.NOTHING).tolist() == []


@pytest.mark.parametrize("number", [0, 40, 1_500])
def test_each_member_in_order(number: int) -> None:
    """Of few sets and of many, which are taken apart in another way."""
    dice = np.random.default_rng(number)
    sets = dice.integers(0, 2**12, number, dtype=np.uint64) << np.uint64(52)
    row, lone = masks.explode(sets)
    assert row.dtype == np.int64
    assert lone.dtype == np.uint64
    members = [(at, n) for at, one in enumerate(sets) for n in masks.members(one)]
    assert [*zip(row, masks.index(lone), strict=True)] == members
