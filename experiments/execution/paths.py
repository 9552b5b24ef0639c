"""Paths as a user names them, and the one door to files that are read whole."""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

FOLDER = Path("results")
"""Where results go where nothing is said."""
_NO_FILE = "it is a pipe or a device, not a file"
_WAITS = getattr(os, "O_NONBLOCK", 0)  # or a pipe would be waited for
_BINARY = getattr(os, "O_BINARY", 0)
_given: list[Path] = []  # where the command was given, the last of these


def begin() -> None:
    """From now on, paths are seen from the current directory."""
    with suppress(OSError):  # it may have been removed
        _given[:] = [Path.cwd()]


def start() -> Path:
    """The directory in which the command was given, whatever was changed since."""
    return _given[-1] if _given else Path.cwd()


def near(path: Path) -> Path:
    """A path as one would type it: seen from ``start``, where it lies below that."""
    return path.relative_to(start()) if path.is_relative_to(start()) else path


def content(path: Path, most: int = -1) -> bytes:
    """The bytes of a file, or so many of them; raises ``OSError``.

    Also of what is no regular file: a pipe may never end, or never begin.
    """
    number = os.open(path, os.O_RDONLY | _WAITS | _BINARY)
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
