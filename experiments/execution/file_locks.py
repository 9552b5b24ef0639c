"""File locks: held by one process at a time, and freed when it ends."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from experiments.execution.failures import RunFailed

_PATIENCE = 0.3  # seconds: another process may only be checking (``is_locked``)


@contextmanager
def acquire_lock(path: Path) -> Iterator[bool]:
    """Hold the lock of this file; yield False if another process has it.

    The operating system frees it when the process ends, however it ends; the file
    stays. Symbolic links are not followed. Raises ``RunFailed`` if the place cannot be
    written or has no locks.
    """
    try:
        lock = _taken(path, _PATIENCE)
    except (OSError, NotImplementedError) as error:
        raise RunFailed(f"cannot lock {path}: {_why(error)}") from error
    try:
        yield lock is not None
    finally:
        if lock is not None:
            lock.release()


def is_locked(path: Path) -> bool:
    """Return whether some process holds the lock of this file, as far as is known."""
    if path.is_symlink() or not path.is_file():
        return False
    try:
        lock = _taken(path, 0)
    except (OSError, NotImplementedError):  # cannot be written, so it is not known
        return False
    if lock is not None:
        lock.release()
    return lock is None


def _taken(path: Path, patience: float) -> BaseFileLock | None:
    lock = FileLock(path, timeout=patience, fallback_to_soft=False)
    try:
        lock.acquire(poll_interval=0.05)
    except Timeout:
        return None
    return lock


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.ELOOP:
        return "it is a symbolic link. Name another directory."
    reason = error.strerror if isinstance(error, OSError) else error
    return f"{reason}. Name a directory on a disk of this machine."
