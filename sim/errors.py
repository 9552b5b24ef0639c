"""Errors of other people's code, in words."""


def error_text(error: BaseException) -> str:
    """The type of an error, with its message if it has one.

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
