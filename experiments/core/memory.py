"""Keeping freed memory for the next array.

By default the C library gives large freed arrays back to the system and asks for
them again at once, and every page is cleared on the way: a tenth of the time of
a simulation that works in blocks of a fixed size.
"""

import ctypes
import sys
from functools import lru_cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # numbers of mallopt(3), glibc
_LIMIT = 1 << 28  # bytes kept at the most before memory is given back


@lru_cache(maxsize=1)
def keep_freed_memory() -> bool:
    """Ask the C library to keep it; False where there is no such setting."""
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return False
    kept = mallopt(_MMAP_THRESHOLD, 1 << 25), mallopt(_TRIM_THRESHOLD, _LIMIT)
    return all(kept)
