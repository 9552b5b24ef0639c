"""Errors of other people's code, in words."""

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
