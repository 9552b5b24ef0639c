"""Eight small numbers in one: a byte each of 64 bits, the first lowest.

So they are added, and compared, all at once. A number is at most 127: the top bit of
its byte is used for comparing.
"""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.masks import Counts, Masks

MOST = 127
_EACH_BYTE = 0x0101010101010101
_TOP_BITS = masks.constant(0x80 * _EACH_BYTE)
_SEVEN, _TOP_BYTE = masks.constant(7), masks.constant(56)
_SHIFTS = [masks.constant(8 * number) for number in range(8)]
_GATHER = masks.constant(0x0102040810204080)


def threshold(needed: int) -> Masks:
    """What makes a byte of so much, or more, reach its top bit; for ``at_least``."""
    return masks.constant((MOST + 1 - needed) * _EACH_BYTE)


def at_least(packed: Masks, threshold: Masks) -> NDArray[np.int64]:
    """(...,) which bytes are as much as is needed, a bit each."""
    enough = packed + threshold
    enough &= _TOP_BITS
    enough >>= _SEVEN
    enough *= _GATHER
    enough >>= _TOP_BYTE
    return enough.view(np.int64)


def greater(packed: Masks, other: Masks) -> Masks:
    """(...,) the top bits of the bytes that are more than the other's."""
    found = other | _TOP_BITS
    found -= packed
    found &= _TOP_BITS
    found ^= _TOP_BITS
    return found


def unpack(packed: Masks, size: int) -> Counts:
    """(size, ...) the first numbers."""
    found = np.empty((size, *packed.shape), dtype=np.uint8)
    for number, values in enumerate(found):
        np.right_shift(packed, _SHIFTS[number], out=values, casting="unsafe")
    return found
