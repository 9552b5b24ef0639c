"""Sets as flags: (members, rows), a row of flags for each possible member.

Where all members of all sets are examined, flags are quicker than one bit after
another.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.masks import Flags, Mask, Masks

Numbers = NDArray[np.int64]
_BITS_A_BYTE, _BYTE = 8, np.uint64(8)
_EXACT = (24, np.float32), (53, np.float64)  # members whose sums of powers are exact
_NARROW = 32  # members that fit in half the bits, which is quicker
_FEW_ROWS = 4096  # below it the number of numpy calls decides, not the work in them


def flags_of(sets: NDArray[Any] | Mask, size: int) -> Flags:
    """(size, rows) flags of the members of (rows,) sets of any integer type.

    Of (seats, rows) sets, (seats, size, rows).
    """
    part: Any = sets.astype(np.uint32) if size <= _NARROW else sets
    if part.ndim > 1:
        part = part[:, None]
    flags: Flags = (part & lone_bits(part.dtype.char, size)) != 0
    return flags


@cache
def lone_bits(kind: str, size: int) -> NDArray[Any]:
    """(size, 1) a lone bit for each possible member; read-only."""
    bits: NDArray[Any] = (
        np.ones((size, 1), kind) << np.arange(size).astype(kind)[:, None]
    )
    bits.flags.writeable = False
    return bits


@cache
def _powers(size: int) -> NDArray[Any]:
    """(size,) the powers of two, in the smallest float type whose sums are exact."""
    kind = next(kind for most, kind in _EXACT if size <= most)
    return np.exp2(np.arange(size)).astype(kind)


def sets_of(flags: Flags) -> Masks:
    """(rows,) the sets whose members ``flags`` (members, rows) marks.

    Why two ways: for few rows one matrix product with powers of two, which is exact in
    a float of enough bits; for many rows eight members at a time in bytes, which move
    an eighth of the memory.
    """
    size, rows = flags.shape
    if rows < _FEW_ROWS and size <= _EXACT[-1][0]:
        return (_powers(size) @ flags).astype(np.uint64)
    sets: Masks = np.zeros(rows, dtype=np.uint64)
    whole = flags.view(np.uint8)
    for first in reversed(range(0, size, _BITS_A_BYTE)):
        byte = np.zeros(rows, dtype=np.uint8)
        for flag in reversed(whole[first : first + _BITS_A_BYTE]):
            byte += byte
            byte |= flag
        sets <<= _BYTE
        sets |= byte
    return sets


def pairs_of(flags: Flags) -> tuple[Numbers, Numbers]:
    """The member and the row of every flag that is set, ordered by member."""
    size, rows = flags.shape
    if rows < _FEW_ROWS:
        at = flags.reshape(-1).nonzero()[0]
        member = at // max(rows, 1)
        return member, at - member * rows
    parts = [flag.nonzero()[0] for flag in flags]
    return np.arange(size).repeat([len(part) for part in parts]), np.concatenate(parts)


def intersecting(sets: NDArray[Any], wanted: Masks) -> Masks:
    """(rows,) which of the sets (members, rows) intersect ``wanted`` (rows,)."""
    wanted = wanted.astype(sets.dtype)
    if len(wanted) < _FEW_ROWS:
        return sets_of((sets & wanted) != 0)
    flags, spare = np.empty(sets.shape, dtype=np.bool_), np.empty_like(wanted)
    for one, flag in zip(sets, flags, strict=True):
        np.not_equal(np.bitwise_and(one, wanted, out=spare), 0, out=flag)
    return sets_of(flags)
