"""Paths as a user names them, and the one function that reads whole files."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

FOLDER = Path("results")
"""The default directory for results."""
_NO_FILE = "it is a pipe or a device, not a file"
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # otherwise opening a pipe waits for a writer
_BINARY = getattr(os, "O_BINARY", 0)
_given: list[Path] = []  # the directory in which the command was given, if known


def remember_start() -> None:
    """Make the current directory the ``start_directory`` of paths from now on."""
    with suppress(OSError):  # it may have been removed
        _given[:] = [Path.cwd()]


def start_directory() -> Path:
    """Return the directory in which the command was given, even if it changed since."""
    return _given[-1] if _given else Path.cwd()


def short_path(path: Path) -> Path:
    """Return a path as a user would type it: relative to where they started."""
    return (
        path.relative_to(start_directory())
        if path.is_relative_to(start_directory())
        else path
    )


def read_bytes(path: Path, most: int = -1) -> bytes:
    """Return the bytes of a file, at most ``most`` of them; raises ``OSError``.

    It also raises it for pipes and devices, which may never end, or never begin.
    """
    number = os.open(path, os.O_RDONLY | _NO_WAIT | _BINARY)
    try:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, _NO_FILE, str(path))
        with os.fdopen(number, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(number)
