"""What Ctrl-C does before a command runs, and after it.

During a command it raises ``KeyboardInterrupt``, which ``cli`` reports.
"""

import os
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
"""The exit code after Ctrl-C or the like, at any time."""


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """Exit at once with a message: nothing was started."""
    os.write(2, b"error: interrupted.\n")
    leave_silently(number, frame)


def leave_silently(number: int, frame: FrameType | None) -> NoReturn:
    """Exit at once: all is done and reported."""
    os._exit(INTERRUPTED)
