"""The first lines of ``fairdeal``: Ctrl-C is heard before anything else is loaded.

Loading takes a second or more. Who stops it then is told no more than later, in the
middle of a run: a line, and the same exit code.
"""

import signal

from experiments.commands.signals import leave


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    from experiments.commands import cli

    cli.main()
