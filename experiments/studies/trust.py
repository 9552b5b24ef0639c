"""Whether the Python files that a run directory names may be run.

A run directory is data: whoever made it chose the paths in it. Going on with a run
loads a strategy's file only if it lies elsewhere and is, with what it imported from
beside it, the file that the manifest has a hash of; for any other somebody has to say
so.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from strategies.files import loading_guard

Agree = Callable[[str], bool]
"""Whether somebody agrees, told in a sentence what it is about."""


def nobody(question: str) -> bool:
    """Nobody is there to agree."""
    return False


_agree: ContextVar[Agree] = ContextVar("agree", default=nobody)


@contextmanager
def agreeing(agree: Agree) -> Iterator[None]:
    """Meanwhile, this one is asked wherever a run is read to be played."""
    token = _agree.set(agree)
    try:
        yield
    finally:
        _agree.reset(token)


@contextmanager
def trusting(
    run: Path, manifest: Mapping[str, Any], agree: Agree | None = None
) -> Iterator[None]:
    """Meanwhile, load files of Python only as told above; raises ``UsageError``.

    Who is ``agreeing`` is asked where nobody is named.
    """
    agree = agree or _agree.get()

    def check(file: Path) -> None:
        why = strange(file, run, manifest["sources"])
        if why and not agree(f"{run} names the strategies in {file}, which {why}."):
            raise UsageError(
                f"{run} would run {file}, which {why}. Look at that file; if you trust "
                "it, say --trust."
            )

    with loading_guard(check):
        yield


def strange(file: Path, run: Path, sources: Mapping[str, str]) -> str:
    """Why a file should not be loaded unasked, in words; nothing where it may be."""
    if file.is_relative_to(run.resolve()):
        return "came with the run"
    if str(file) not in sources:
        return "is none that the run was started with"
    beside = [Path(name) for name in sources if Path(name).is_relative_to(file.parent)]
    for path in [file, *beside]:
        if not path.is_file() or _hash(path) != sources[str(path)]:
            other = "" if path == file else f" together with {path}"
            return f"is not as it was when the run was started{other}"
    return ""


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
