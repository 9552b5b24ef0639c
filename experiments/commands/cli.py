"""The command line: ``fairdeal COMMAND``.

Commands are thin: they read options, call the Python API and print. Everything heavy is
imported inside a command, so that ``--help`` answers at once.

Exit codes: 0 success; 1 a run failed; 2 wrong usage; 3 a balance target failed; 4 a
balance target is undecided; 130 stopped, e.g. by Ctrl-C.
"""

import errno
import faulthandler
import gc
import os
import signal
import sys
import warnings
from typing import Annotated, Any, NoReturn

import typer

from experiments.commands import (
    cli_ask,
    cli_checks,
    cli_compare,
    cli_exploit,
    cli_explore,
    cli_learn,
    cli_levers,
    cli_lists,
    cli_playtest,
    cli_report,
    cli_run,
    cli_runs,
    cli_skill,
    cli_tournament,
    cli_trace,
    cli_tune,
    cli_variants,
    cli_what_if,
    signals,
    streams,
)
from experiments.commands.argument_checks import CheckedGroup
from experiments.execution import user_paths
from experiments.execution.single_thread import ONE_THREAD
from sim.errors import error_text
from sim.guard import LIMIT

_DEBUG = "FAIRDEAL_DEBUG"
_USAGE = {"GameError", "RuleError", "UnknownGame", "UnknownStrategy", "UsageError"}
_FAILED = {"BlockLost", "FigureFailed", "IllegalAnswer", "StrategyFailed", "RunFailed"}
_FAILED |= {"NotConserved", "SectionError"}
_NAMES = {errno.ENAMETOOLONG, errno.ENOTDIR, errno.ELOOP, errno.EINVAL}  # of files
_LONG = 4_000  # characters of a message


class _Group(CheckedGroup):
    """The root group, which turns errors into messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; exit with a message and a code if it fails."""
        debug = bool(os.environ.get(_DEBUG)) or ctx.params["debug"]
        user_paths.remember_start()
        try:
            if signal.getsignal(signal.SIGINT) == signals.leave:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of our output closed it (``| head``)
            streams.to_nowhere(sys.stdout)
            raise typer.Exit(0) from None
        except KeyboardInterrupt as stopped:
            _stop("interrupted.", stopped, signals.INTERRUPTED)
        except BaseException as error:
            if hasattr(error, "exit_code"):  # typer's own, which shows the usage, too
                raise
            if debug:
                raise
            _stop(*_described(error))
        return result


def _described(error: BaseException) -> tuple[str, BaseException, int]:
    """Return the message for an error, the error, and the exit code."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if kinds & (_USAGE | _FAILED):
        return str(error), error, 2 if kinds & _USAGE else 1
    if isinstance(error, MemoryError):
        return "out of memory. Repeat the command with fewer --jobs.", error, 1
    if isinstance(error, RecursionError):
        return "something in a file or option is nested too deeply.", error, 1
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else "cannot read or write: "
        return f"{place}{error.strerror}.", error, 2 if error.errno in _NAMES else 1
    return f"{error_text(error)}\nThis error was not expected. {_HINT}", error, 1


_HINT = "To see where it happened, repeat the command as: fairdeal --debug ..."


def _stop(message: str, error: BaseException, code: int) -> NoReturn:
    """Print what went wrong and what to do next to stderr, and exit."""
    from experiments.commands import output

    if len(message) > _LONG:
        message = f"{message[: _LONG // 2]} ... {message[-_LONG // 2 :]}"
    if not _flushed():
        message += "\nThe output could not be written: is the disk full?"
    output.error("\n".join([message, *_notes(error)]))
    raise typer.Exit(code) from None


def _flushed() -> bool:
    """Flush the output; return False and discard the rest if it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        streams.to_nowhere(sys.stdout)
        return isinstance(error, BrokenPipeError)
    return True


def _notes(error: BaseException) -> list[str]:
    """Return the notes of an error without tracebacks of other processes."""
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
        from experiments.execution.version import this_version

        version = this_version()
        print(version if version.commit else f"fairdeal {version.number}")
        raise typer.Exit


@app.callback()
def root(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show tracebacks; same as FAIRDEAL_DEBUG=1.")
    ] = False,
    limit: Annotated[
        float | None,
        typer.Option(
            "--decision-limit",
            metavar="SECONDS",
            min=0.001,
            envvar=LIMIT,
            help="Stop a strategy that takes longer for one answer.",
            show_default="60 s, plus 10 ms for each game in the batch",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Simulate thousands of games and report how balanced your card game is."""
    if debug:
        os.environ[_DEBUG] = "1"  # for a command that runs another one
    if limit is not None:
        os.environ[LIMIT] = str(limit)


for commands in (
    cli_report,
    cli_run,
    cli_tournament,
    cli_explore,
    cli_levers,
    cli_exploit,
    cli_compare,
    cli_skill,
    cli_playtest,
    cli_ask,
    cli_lists,
    cli_trace,
    cli_runs,
    cli_variants,
    cli_what_if,
    cli_learn,
    cli_tune,
    cli_checks,
):
    app.add_typer(commands.app)


def _warned(
    message: Warning | str, category: type[Warning], *where: Any, **more: Any
) -> None:
    """Print our own warnings as notes, and those of libraries as usual."""
    if category.__name__ in {"FewerWorkers", "MissingLetters"}:
        print(f"note: {message}", file=sys.stderr)
    else:
        _usual(message, category, *where, **more)


_usual = warnings.showwarning


def main() -> None:
    """Run the command line."""
    for name, one in ONE_THREAD.items():
        os.environ.setdefault(name, one)
    streams.prepare()
    faulthandler.enable()  # prints a traceback if this process crashes
    warnings.showwarning = _warned
    fine = True
    try:
        app(prog_name="fairdeal")
    except OSError:  # --help and --version write before any command
        fine = False
    except KeyboardInterrupt:  # a second one, while the first is reported
        raise SystemExit(signals.INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGINT, signals.leave_silently)  # without a traceback
        if not (_flushed() and fine):
            print("error: the output could not be written.", file=sys.stderr)
            raise SystemExit(1) from None
        _leave()


def _leave() -> None:
    """Skip the garbage collection at exit, which takes long, here and in workers."""
    workers = sys.modules.get("experiments.execution.worker_pool")
    if workers is not None:
        workers.end_workers()
    gc.freeze()


if __name__ == "__main__":
    main()
