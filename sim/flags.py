"""Sets as flags: (members, rows), a row of flags for each member there may be.

Where all members of all sets are looked at, flags are quicker than one bit after
another.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Flags, Mask, Masks

Numbers = NDArray[np.int64]
_AT_ONCE, _BYTE = 8, np.uint64(8)
_WIDE = np.dtype(np.uint64).char
_FEW = 4096  # rows, for which numpy's calls count more than what they do


def flags_of(sets: NDArray[Any] | Mask, size: int) -> Flags:
    """(size, rows) who is in each set, of (rows,) sets of any width."""
    flags: Flags = (sets & lone_bits(sets.dtype.char, size)) != 0
    return flags


@cache
def lone_bits(kind: str, size: int) -> NDArray[Any]:
    """(size, 1) a lone bit for each member there may be, to read only."""
    bits: NDArray[Any] = (
        np.ones((size, 1), kind) << np.arange(size).astype(kind)[:, None]
    )
    bits.flags.writeable = False
    return bits


def sets_of(flags: Flags) -> Masks:
    """(rows,) the sets of which ``flags`` (members, rows) tells who is in.

    Of few rows all at once; of many, eight members at a time in bytes, for these are
    quick.
    """
    size, rows = flags.shape
    if rows < _FEW:
        lone = lone_bits(_WIDE, size)
        return np.bitwise_or.reduce(np.where(flags, lone, masks.NOTHING), axis=0)
    found: Masks = np.zeros(rows, dtype=np.uint64)
    whole = flags.view(np.uint8)
    for first in reversed(range(0, size, _AT_ONCE)):
        byte = np.zeros(rows, dtype=np.uint8)
        for flag in reversed(whole[first : first + _AT_ONCE]):
            byte += byte
            byte |= flag
        found <<= _BYTE
        found |= byte
    return found


def pairs_of(flags: Flags) -> tuple[Numbers, Numbers]:
    """Member and row of all flags that are set, the members in order."""
    size, rows = flags.shape
    if rows < _FEW:
        number = np.arange(size).repeat(np.count_nonzero(flags, axis=1))
        return number, np.flatnonzero(flags) - number * rows
    parts = [flag.nonzero()[0] for flag in flags]
    return np.arange(size).repeat([len(part) for part in parts]), np.concatenate(parts)


def meeting(sets: NDArray[Any], wanted: Masks) -> Masks:
    """(rows,) which of (members, rows) sets have some of the wanted (rows,)."""
    wanted = wanted.astype(sets.dtype)
    if len(wanted) < _FEW:
        return sets_of((sets & wanted) != 0)
    flags, spare = np.empty(sets.shape, dtype=np.bool_), np.empty_like(wanted)
    for one, flag in zip(sets, flags, strict=True):
        np.not_equal(np.bitwise_and(one, wanted, out=spare), 0, out=flag)
    return sets_of(flags)
