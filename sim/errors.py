"""Errors of others in words."""


def told(error: BaseException) -> str:
    """The kind of an error, and what it says, if anything.

    >>> told(ValueError("no such suit."))
    'ValueError: no such suit'
    >>> told(ValueError())
    'ValueError'
    """
    try:
        said = str(error).strip().rstrip(".")
    except KeyboardInterrupt:
        raise
    except BaseException:  # what it says is a stranger's code, too
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
