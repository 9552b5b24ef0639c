"""Errors of others in words."""


def error_text(error: BaseException) -> str:
    """The kind of an error, and what it says, if anything.

    >>> told(ValueError("no such suit."))
    'ValueError: no such suit'
    >>> told(ValueError())
    'ValueError'
    """
    said = str(error).strip().rstrip(".")
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
