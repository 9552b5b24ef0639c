"""Keep freed memory for the next array.

By default the C library returns large freed arrays to the system and asks for them
again at once, and the system clears every page on the way. That takes a tenth of the
time of a simulation, which works in blocks of a fixed size.
"""

import ctypes
import sys
from functools import lru_cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # numbers of mallopt(3), glibc
_LIMIT = 1 << 28  # bytes kept at the most before memory is returned


@lru_cache(maxsize=1)
def keep_freed_memory() -> bool:
    """Ask the C library to keep freed memory; return False if it cannot."""
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return False
    kept = mallopt(_MMAP_THRESHOLD, 1 << 25), mallopt(_TRIM_THRESHOLD, _LIMIT)
    return all(kept)
