"""Errors of other people's code, in words."""

import linecache
from pathlib import Path

from sim.guard import may_be_interrupted


def error_text(error: BaseException) -> str:
    """The type of an error, with its message if it has one.

    >>> error_text(ValueError("no such suit."))
    'ValueError: no such suit'
    >>> error_text(ValueError())
    'ValueError'
    """
    try:
        said = str(error).strip().rstrip(".")
    except BaseException as other:  # what it says is a stranger's code, too
        if isinstance(other, KeyboardInterrupt) and may_be_interrupted():
            raise
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def place_text(file: str, line: int) -> str:
    """A line of a file as errors name it, with what stands there."""
    text = linecache.getline(file, line).strip()
    return f"{Path(file).name}, line {line}, `{text}`"
