"""Kept runs: what a command prints when one is stopped, and how to resume it."""

import re
import shlex
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from experiments.commands.progress import Progress, watch
from experiments.execution.output_paths import output_directory
from experiments.execution.run_directory import BlocksReplayed
from experiments.execution.run_status import finished_blocks
from experiments.execution.user_paths import short_path
from experiments.studies import run_catalog
from experiments.studies.plan_files import FirstCallProgress


@contextmanager
def kept_run(
    out: Path | None, game: str, command: str, seed: int | None = None
) -> Iterator[Path]:
    """Yield the directory of a run; an error that stops it says how to resume it."""
    with (
        output_directory(out, game, command) as folder,
        explain_interruption(folder, seed),
    ):
        yield folder


@contextmanager
def watch_kept_run(command: str, folder: Path, seed: int) -> Iterator[Progress]:
    """Show the progress of a run; its first call saves the command that resumes it."""
    save = partial(run_catalog.remember_command, folder, argv(folder, seed))
    with watch(command) as shown:
        yield FirstCallProgress(shown, save)


Finished = Callable[[Path], int]
"""Returns how many parts of a run in a folder are finished, and so kept."""


@contextmanager
def explain_interruption(
    folder: Path,
    seed: int | None = None,
    part: str = "block",
    finished: Finished = finished_blocks,
) -> Iterator[None]:
    """Add to an error that stops a run what is kept, and how to resume it.

    That is the same command with this seed, or ``runs resume`` for a study. ``part``:
    what is kept once it is finished; ``finished`` counts it. A command that is stopped
    before that is told as well: it has the seed, by which it finds what else is kept.
    """

    def kept(error: BaseException) -> bool:
        return _count_finished(folder, error, part, finished(folder))

    again = shlex.join(["fairdeal", "runs", "resume", str(short_path(folder))])
    if seed is not None:
        again = command_line(folder, seed)
    try:
        with handle_signals(), warnings.catch_warnings():
            warnings.simplefilter("always", BlocksReplayed)
            warnings.showwarning = _show
            yield
    except KeyboardInterrupt as error:
        if kept(error):
            error.add_note(f"To resume: {again}")
        elif seed is not None:
            error.add_note(f"To begin again: {again}")
        raise
    except Exception as error:
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & {"IllegalAnswer", "StrategyFailed"}:
            _tell_failure(folder, seed, error)
        elif kinds & {"BlockLost", "RunFailed"} and kept(error):
            error.add_note(f"To resume: {again}")
        raise


@contextmanager
def handle_signals() -> Iterator[None]:
    """Stop as by Ctrl-C if the system or a closed terminal ends this process.

    Signals that are ignored, as under nohup, stay ignored.
    """
    numbers = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {
        number: signal.signal(number, _terminated)
        for number in numbers
        if signal.getsignal(number) == signal.SIG_DFL
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def argv(folder: Path, seed: int) -> list[str]:
    """The words of this command, with its directory and seed."""
    given = sys.argv[1:]
    for option, value in (("--out", str(short_path(folder))), ("--seed", str(seed))):
        if not any(w == option or w.startswith(f"{option}=") for w in given):
            given = [*given, option, value]
    return given


def command_line(folder: Path, seed: int) -> str:
    """This command with its directory and seed, as a user would type it."""
    return shlex.join(["fairdeal", *argv(folder, seed)])


def failure_words(failures: Sequence[str], cells: int) -> str:
    """The message at the end of a run with failed cells."""
    many = "cell" if cells == 1 else "cells"
    return f"{len(failures)} of {cells} {many} failed. The first: {failures[0]}"


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _show(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"note: {message}", file=sys.stderr)


def _tell_failure(folder: Path, seed: int | None, error: Exception) -> None:
    """Add what to do after a strategy made the run fail."""
    kept = _count_finished(folder, error, "block", finished_blocks(folder))
    seeded = "" if seed is None else f"--seed {seed}, "
    game = re.search(r" in game (\d+)", str(error))
    if game:
        error.add_note(
            f"To see that game up to that point: fairdeal trace with --number "
            f"{game[1]} {seeded}and the same players, lineup and rules."
        )
    if kept:
        error.add_note(
            "Once the strategy is fixed, start a new run: these blocks were played by "
            "the old one."
        )


def _count_finished(folder: Path, error: BaseException, part: str, done: int) -> bool:
    """Add how many parts are finished; return whether there are any."""
    word = f"{part} is" if done == 1 else f"{part}s are"
    if done:
        error.add_note(f"{done} finished {word} kept in {short_path(folder)}.")
    else:
        error.add_note(f"No {part} was finished yet.")
    return bool(done)
