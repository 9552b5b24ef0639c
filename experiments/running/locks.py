"""A lock that one process at a time can hold, and that dies with it."""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from experiments.running.failed import RunFailed

_BUSY = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}


@contextmanager
def hold(path: Path) -> Iterator[bool]:
    """Hold the lock of this file; False where another process has it.

    The operating system frees it when the process ends, however it ends. Raises
    ``RunFailed`` where the place cannot be written or knows no locks.
    """
    try:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise RunFailed(f"cannot write to {path.parent}: {error.strerror}.") from error
    try:
        yield _take(number, path) or _take_later(number, path)
    finally:
        os.close(number)


def is_held(path: Path) -> bool:
    """Whether some process holds the lock of this file."""
    if not path.exists():
        return False
    number = os.open(path, os.O_RDONLY)
    try:
        return not _take(number, path)
    finally:
        os.close(number)


def _take_later(number: int, path: Path) -> bool:
    """Try once more: someone may only have looked (``is_held``)."""
    time.sleep(0.1)
    return _take(number, path)


def _take(number: int, path: Path) -> bool:
    try:
        _lock(number)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise RunFailed(
            f"cannot lock {path}: {error.strerror}. Name a directory on a disk of "
            "this machine."
        ) from error
    return True


if sys.platform == "win32":

    def _lock(number: int) -> None:
        import msvcrt

        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)

else:

    def _lock(number: int) -> None:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
