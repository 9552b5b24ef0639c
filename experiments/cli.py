"""The command line: ``fairdeal COMMAND``.

Commands are thin: they read options, call the Python API and print. Everything
heavy is imported inside a command, so that ``--help`` answers at once.

Exit codes: 0 fine; 1 a run failed or was interrupted; 2 wrong usage; 3 a balance
target failed; 4 a balance target is undecided.
"""

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from experiments.commands import (
    cli_compare,
    cli_lists,
    cli_measure,
    cli_play,
    cli_run,
    cli_studies,
    cli_tournament,
    cli_variants,
)

_USAGE = {"RuleError", "UnknownGame", "UnknownStrategy", "UsageError"}
_FAILED = {"IllegalAnswer", "StrategyFailed", "RunFailed", "TerminatedWorkerError"}


class _Group(TyperGroup):
    """Turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Whoever read our output has enough (``| head``).
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except KeyboardInterrupt as stopped:
            _stop("interrupted.", stopped, 1)
        except Exception as error:
            kinds = {kind.__name__ for kind in type(error).__mro__}
            if hasattr(error, "exit_code"):  # typer's own: it tells the usage too
                raise
            if not kinds & (_USAGE | _FAILED) or os.environ.get("FAIRDEAL_DEBUG"):
                raise
            _stop(str(error), error, 2 if kinds & _USAGE else 1)


def _stop(message: str, error: BaseException, code: int) -> NoReturn:
    """Say on stderr what was wrong and what to do next, and leave."""
    print("\n".join([f"error: {message}", *_notes(error)]), file=sys.stderr)
    raise typer.Exit(code) from None


def _notes(error: BaseException) -> list[str]:
    """What the commands added; tracebacks of other processes left out."""
    notes = getattr(error, "__notes__", [])
    return [note for note in notes if "Traceback" not in note]


app = typer.Typer(
    name="fairdeal",
    cls=_Group,
    epilog="Example: fairdeal report kunitame",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

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
    """Is your card game fair? Plays it many thousand times and tells."""
    if debug:
        os.environ["FAIRDEAL_DEBUG"] = "1"


for commands in (
    cli_lists, cli_run, cli_compare, cli_tournament, cli_play, cli_studies,
    cli_measure, cli_variants,
):  # fmt: skip
    commands.register(app)


def main() -> None:
    """Run the command line."""
    app(prog_name="fairdeal")


if __name__ == "__main__":
    main()
