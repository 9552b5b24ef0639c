"""Where a path leads that a command names: from the folder that it was given in.

That is the current folder, but for a command that a run directory remembers. Its paths
are meant from where it was given then; and a directory may be anybody's, so nobody goes
into the folder that it names, where other code might lie.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_given_in: ContextVar[Path] = ContextVar("given_in", default=Path())


def named(path: str | Path) -> Path:
    """The path that is meant.

    >>> named("my.py")
    PosixPath('my.py')
    """
    return _given_in.get() / path


@contextmanager
def given_in(folder: Path) -> Iterator[None]:
    """Meanwhile, paths are meant from this folder."""
    token = _given_in.set(folder)
    try:
        yield
    finally:
        _given_in.reset(token)
