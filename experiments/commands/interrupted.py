"""What a command says when its run is stopped: what is kept, and how to go on."""

import re
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn


@contextmanager
def resumable(folder: Path, seed: int, again: str = "") -> Iterator[None]:
    """Add to what stops a run what is kept, and how to go on with it.

    ``again`` is the command for that; it is the same one where nothing is said.
    """
    before = signal.signal(signal.SIGTERM, _terminated)
    existed = folder.exists()
    try:
        yield
    except KeyboardInterrupt as error:
        if _kept(folder, error):
            error.add_note(f"To go on: {again or repeated(folder, seed)}")
        raise
    except Exception as error:
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if kinds & {"IllegalAnswer", "StrategyFailed"}:
            _tell_failure(folder, seed, error)
        elif kinds & {"RunFailed", "TerminatedWorkerError"} and _kept(folder, error):
            error.add_note(f"To go on: {again or repeated(folder, seed)}")
        elif not existed:
            _remove_empty(folder)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def words(folder: Path, seed: int) -> list[str]:
    """The words of this command, with the directory and the seed said."""
    given = sys.argv[1:]
    for option, value in (("--out", str(folder)), ("--seed", str(seed))):
        if not any(w == option or w.startswith(f"{option}=") for w in given):
            given = [*given, option, value]
    return given


def repeated(folder: Path, seed: int) -> str:
    """The same command as one would type it."""
    return shlex.join(["fairdeal", *words(folder, seed)])


def failed(failures: Sequence[str], cells: int) -> str:
    """What is said at the end of a run of which some cells failed."""
    many = "cell" if cells == 1 else "cells"
    return f"{len(failures)} of {cells} {many} failed. The first: {failures[0]}"


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _tell_failure(folder: Path, seed: int, error: Exception) -> None:
    """Add what to do where a strategy made the run fail."""
    kept = _kept(folder, error)
    game = re.search(r" in game (\d+)", str(error))
    if game:
        error.add_note(
            f"To see that game up to there: fairdeal trace with --game {game[1]} "
            f"--seed {seed}, and the same players, lineup and rules."
        )
    if kept:
        error.add_note(
            "With the strategy mended, start a new run: those blocks were played by "
            "the old one."
        )


def _kept(folder: Path, error: BaseException) -> bool:
    """Say how many blocks are finished; whether there are any."""
    done = len(list(folder.glob("**/blocks/*.parquet")))
    word = "block is" if done == 1 else "blocks are"
    if done:
        error.add_note(f"{done} finished {word} kept in {folder}.")
    else:
        error.add_note("No block was finished yet.")
    return bool(done)


def _remove_empty(folder: Path) -> None:
    """Leave no directory behind where nothing was simulated."""
    for place in (folder / "blocks", folder):
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
