"""Masks: sets of cards, squares or gems as 64-bit integers, one bit per member.

A mask is a ``uint64``; an array of masks is one set per game. Members are numbered from
bit 0, and within a suit a higher bit is a higher card, so "the lowest card" is the
lowest bit. A *lone bit* is a set with one member: that is how a decision is answered.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Mask = np.uint64
Masks = NDArray[np.uint64]  # (games,) one set per game, unless said otherwise
Counts = NDArray[np.uint8]
Flags = NDArray[np.bool_]

NOTHING = np.uint64(0)
ONE = np.uint64(1)
ANYTHING = np.uint64((1 << 64) - 1)
CHANCE_BITS = 21  # random bits that ``pick`` takes: three draws fit in 64 bits


def constant(number: int) -> Masks:
    """A number as an array without axes, to combine with whole arrays.

    Why: numpy need not convert it at each call, which counts where rows are few.
    """
    return np.array(number, dtype=np.uint64)


_CHANCE = constant(CHANCE_BITS)
_FEW_SETS = 1_024  # below it the number of numpy calls decides, not the work in them
_MANTISSA = np.array(52, dtype=np.int64)
_BIAS = np.array(1023, dtype=np.int64)


def bit(number: int) -> Mask:
    """The set whose only member is ``number`` (0 to 63)."""
    return np.uint64(1 << number)


def span(first: int, size: int) -> Mask:
    """The set of ``size`` members in a row, from ``first``."""
    return np.uint64(((1 << size) - 1) << first)


def union(numbers: Iterable[int]) -> Mask:
    """The set of these members."""
    return np.uint64(sum(1 << number for number in set(numbers)))


def members(mask: int | Mask) -> list[int]:
    """The numbers of the members of one set, in order."""
    value, numbers = int(mask), []
    while value:
        low = value & -value
        numbers.append(low.bit_length() - 1)
        value ^= low
    return numbers


def lowest(mask: Masks) -> Masks:
    """The lowest member of each set, as a lone bit; nothing of nothing."""
    return mask & np.negative(mask)


def index(lone: Masks) -> NDArray[np.int64]:
    """The number of each lone bit; -1023 for the empty set.

    Why floats: a power of two is exact as a float64, and its exponent is the number.
    """
    number: NDArray[np.int64] = lone.astype(np.float64).view(np.int64)
    number >>= _MANTISSA
    number -= _BIAS
    return number


def highest(mask: Masks) -> Masks:
    """The highest member of each set, as a lone bit; nothing of nothing.

    Smears the highest bit downwards, then keeps its top alone.
    """
    low = mask | mask >> np.uint64(1)
    for shift in (2, 4, 8, 16, 32):
        low |= low >> np.uint64(shift)
    low ^= low >> ONE
    return low


def join(sets: Sequence[Masks]) -> Masks:
    """The union of several sets, row by row."""
    joined = sets[0].copy()
    for other in sets[1:]:
        joined |= other
    return joined


def count(mask: Masks) -> Counts:
    """The number of members of each set."""
    return np.bitwise_count(mask)


def nth(mask: Masks, rank: Masks) -> Masks:
    """The member of this ``rank`` (0 is the lowest) in each set, as a lone bit.

    Ranks must be below the size of the set; of the empty set the result is nothing.
    """
    return _select(mask, _prefix(mask), rank)


def pick(mask: Masks, chance: Masks) -> Masks:
    """A random member of each set, as a lone bit.

    ``chance`` holds ``CHANCE_BITS`` random bits per row. The probability of a member of
    a set of n is off from 1 / n by less than n / 2**CHANCE_BITS.
    """
    prefix = _prefix(mask)
    rank = prefix >> _TOP_BYTE  # how many members there are
    most = int(np.maximum.reduce(rank, axis=None, initial=0))
    rank *= chance
    rank >>= _CHANCE
    if most > 4:
        return _select(mask, prefix, rank)
    left, ranks = mask.copy(), rank.astype(np.uint8)
    for done in range(most - 1):  # small sets: strip the lowest, rank times
        left &= left - (ranks > done).astype(np.uint64)
    return lowest(left)


def _prefix(mask: Masks) -> Masks:
    """For each byte of a mask, the number of members in it and the bytes below."""
    return np.bitwise_count(mask.view(np.uint8)).view(np.uint64) * _EACH_BYTE


def _select(mask: Masks, prefix: Masks, rank: Masks) -> Masks:
    """Find the byte of the member with this rank, then look up the bit in it.

    Sebastiano Vigna, "Broadword implementation of rank/select queries" (2008).
    """
    byte = rank * _EACH_BYTE
    byte |= _TOP_BITS
    byte -= prefix
    byte &= _TOP_BITS
    byte >>= _SEVEN
    byte *= _EACH_BYTE
    byte >>= _TOP_BYTE
    byte <<= _THREE
    shift = byte
    prefix <<= _BYTE
    prefix >>= shift
    prefix &= _LOW_BYTE
    place = np.subtract(rank, prefix, out=prefix)
    place <<= _BYTE
    bits = mask >> shift
    bits &= _LOW_BYTE
    place |= bits
    # As int64: indices of another type are converted first, which takes as long again
    member: Masks = _NTH_OF_BYTE.take(place.view(np.int64), mode="clip")
    member <<= shift
    return member


def _nth_of_byte() -> Masks:
    """(8 ranks * 256 bytes,) the lone bit of each rank in each byte."""
    table = np.zeros((8, 256), dtype=np.uint64)
    for byte in range(256):
        for rank, number in enumerate(members(byte)):
            table[rank, byte] = 1 << number
    return table.reshape(-1)


_EACH_BYTE = constant(0x0101010101010101)
_TOP_BITS = constant(0x8080808080808080)
_BYTE, _LOW_BYTE, _TOP_BYTE = constant(8), constant(0xFF), constant(56)
_THREE, _SEVEN = constant(3), constant(7)
_NTH_OF_BYTE = _nth_of_byte()


def explode(sets: Masks) -> tuple[NDArray[np.int64], Masks]:
    """One entry per member of every set: the row of the set, and the member's lone bit.

    Ordered by row, then by bit. Why two ways: for few sets all bits are tested at once,
    as the number of numpy calls decides; for many the lowest bits are stripped in turn.
    """
    if len(sets) < _FEW_SETS:
        there = members(np.bitwise_or.reduce(sets))
        lone = ONE << np.array(there, dtype=np.uint64)
        row, number = ((sets[:, None] & lone) != NOTHING).nonzero()
        return row, lone.take(number)
    rows, bits = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint64)]
    left = sets.copy()
    while left.any():
        rows.append(np.flatnonzero(left))
        bits.append(lowest(left.take(rows[-1])))
        left &= left - ONE
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    return row.take(order), np.concatenate(bits).take(order)


def rows_with(sets: Masks, wanted: Masks | Mask) -> NDArray[np.int64]:
    """The rows whose set contains one of the wanted members.

    Why compare first: it is four times as quick as ``flatnonzero`` of 64-bit numbers.
    """
    rows: NDArray[np.int64] = ((sets & wanted) != NOTHING).nonzero()[0]
    return rows


def rows_where(flag: Flags | Masks | Counts) -> NDArray[np.int64]:
    """The rows whose flag is set, or number not 0; quicker than ``np.flatnonzero``."""
    rows: NDArray[np.int64] = flag.nonzero()[0]
    return rows


def from_flags(flag: Flags) -> Masks:
    """All 64 bits where the flag is set, nothing elsewhere."""
    full = flag.astype(np.uint64)
    return np.negative(full, out=full)


def where(flag: Flags, mask: Masks | Mask) -> Masks:
    """``mask`` in the rows where the flag is set, nothing elsewhere.

    Quicker than ``np.where``: by half and more from some thousand rows on.
    """
    full = from_flags(flag)
    full &= mask
    return full


def blend(flag: Flags, chosen: Masks | Mask, other: Masks | Mask) -> Masks:
    """``chosen`` where the flag is set, ``other`` elsewhere."""
    full = from_flags(flag)
    full &= chosen ^ other
    full ^= other
    return full


def run_ends(ids: Sequence[str]) -> tuple[Mask, Mask]:
    """The first bits, and the last, of runs of equal ids; for ``first_of_each``."""
    size = len(ids)
    first = union(n for n in range(size) if not n or ids[n] != ids[n - 1])
    return first, union(n for n in range(size) if ids[n : n + 1] != ids[n + 1 : n + 2])


def padded_ids(ids: Sequence[str], last: str) -> list[str]:
    """The ids of all 64 bits: these, then "?", and ``last`` for bit 63, to pass."""
    return [*ids, *["?"] * (63 - len(ids)), last]


def first_of_each(mask: Masks, first: Mask, last: Mask) -> Masks:
    """The lowest member of each part of each set: identical copies count once.

    Parts lie side by side and cover all members; ``first`` and ``last`` are the lowest
    and the highest bits of the parts. Why it works: one is subtracted from all parts at
    once, with their last bits set so that no part borrows from the next. The bits that
    this clears are the lowest members, and last bits that were no members.
    """
    less = mask | last
    less -= first
    np.invert(less, out=less)
    less &= mask
    return less
