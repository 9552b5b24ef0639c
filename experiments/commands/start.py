"""The first lines of ``fairdeal``: Ctrl-C is heard before anything else is loaded.

Loading takes a second or more. Who stops it then is told no more than later, in the
middle of a run: a line, and the same exit code.
"""

import os
import signal
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130
"""The exit code of what was stopped, as by Ctrl-C, at any time."""


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    from experiments.commands import cli

    cli.main()


def leave(number: int, frame: FrameType | None) -> NoReturn:
    """Leave at once: nothing was begun."""
    os.write(2, b"error: interrupted.\n")
    leave_silently(number, frame)


def leave_silently(number: int, frame: FrameType | None) -> NoReturn:
    """Leave at once: all is done, or told."""
    os._exit(INTERRUPTED)
