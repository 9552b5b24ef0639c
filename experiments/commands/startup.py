"""The first lines of ``fairdeal``: handle Ctrl-C before anything else is loaded.

Loading takes a second or more. Ctrl-C during it ends as in the middle of a run: with
one line, and the same exit code.
"""

import signal

from experiments.commands.signals import leave


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
        signal.signal(signal.SIGINT, leave)
    from experiments.commands import cli

    cli.main()
