"""Standard output and error, which may be closed, full or ASCII only."""

import os
import sys
from typing import TextIO


def prepare() -> None:
    """Make both streams accept any text.

    Characters that the terminal's encoding lacks are written as escapes. A closed
    stream is replaced by one to nowhere, so that no file of results gets its number.
    """
    while (free := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(free)
    for name in ("stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - it stays open
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def to_nowhere(stream: TextIO) -> None:
    """Discard all output: what is in the buffer cannot be written either."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # no stream of the system's, as under test
        return
