"""What Ctrl-C does before a command runs, and after it.

Meanwhile it is a ``KeyboardInterrupt``, which ``cli`` tells of.
"""

import os
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
"""The exit code of what was stopped, as by Ctrl-C, at any time."""


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """Leave at once: nothing was begun."""
    os.write(2, b"error: interrupted.\n")
    leave_silently(number, frame)


def leave_silently(number: int, frame: FrameType | None) -> NoReturn:
    """Leave at once: all is done, or told."""
    os._exit(INTERRUPTED)
