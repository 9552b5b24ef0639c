"""Eight small numbers packed into one: a byte each of 64 bits, the first lowest.

Why: eight numbers are added, or compared, by one operation. A number is at most 127, as
the top bit of its byte is used for comparing.
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
    """What raises bytes of ``needed`` or more to their top bit; for ``at_least``."""
    return masks.constant((MOST + 1 - needed) * _EACH_BYTE)


def at_least(packed: Masks, threshold: Masks) -> NDArray[np.int64]:
    """(...,) the bytes that reach a ``threshold``, one bit each."""
    enough = packed + threshold
    enough &= _TOP_BITS
    enough >>= _SEVEN
    enough *= _GATHER
    enough >>= _TOP_BYTE
    return enough.view(np.int64)


def greater(packed: Masks, other: Masks) -> Masks:
    """(...,) the top bits of the bytes that are greater than the other's."""
    top_bits = other | _TOP_BITS
    top_bits -= packed
    top_bits &= _TOP_BITS
    top_bits ^= _TOP_BITS
    return top_bits


def unpack(packed: Masks, size: int) -> Counts:
    """(size, ...) the first ``size`` numbers."""
    numbers = np.empty((size, *packed.shape), dtype=np.uint8)
    for place, values in enumerate(numbers):
        np.right_shift(packed, _SHIFTS[place], out=values, casting="unsafe")
    return numbers
