"""The command line: ``fairdeal COMMAND``.

Commands are thin: they read options, call the Python API and print. Everything
heavy is imported inside a command, so that ``--help`` answers at once.

Exit codes: 0 fine; 1 a run failed or was interrupted; 2 wrong usage.
"""

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from experiments import commands

_USAGE = {"RuleError", "UnknownGame", "UnknownStrategy", "UsageError"}
_FAILED = {"IllegalAnswer", "StrategyFailed", "RunFailed", "TerminatedWorkerError"}


class _Group(TyperGroup):
    """Turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Whoever read our output has enough (``| head``).
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except KeyboardInterrupt:
            _stop("interrupted.", 1)
        except Exception as error:
            _explain(error)


def _explain(error: Exception) -> NoReturn:
    """Say what was wrong, or raise it again where it is a bug of ours."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if os.environ.get("FAIRDEAL_DEBUG"):
        raise error
    if kinds & _USAGE:
        _stop(str(error), 2)
    if kinds & _FAILED:
        _stop(str(error), 1)
    raise error


def _stop(message: str, code: int) -> NoReturn:
    """Say a message on stderr, with the next step where one was noted; leave."""
    print(f"error: {message}", file=sys.stderr)
    for line in commands.next_steps():
        print(line, file=sys.stderr)
    raise typer.Exit(code)


app = typer.Typer(
    name="fairdeal",
    cls=_Group,
    help="Is your card game fair? Plays a card game many thousand times and reports.",
    epilog="Example: fairdeal report kunitame",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415

        print(f"fairdeal {version('fairdeal')}")
        raise typer.Exit


@app.callback()
def root(
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Show tracebacks (or set FAIRDEAL_DEBUG=1)."),
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say which."),
    ] = False,
) -> None:
    """Is your card game fair? Plays a card game many thousand times and reports."""
    if debug:
        os.environ["FAIRDEAL_DEBUG"] = "1"


commands.register(app)


def main() -> None:
    """Run the command line."""
    app(prog_name="fairdeal")
