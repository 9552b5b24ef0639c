"""Decide whether the Python files that a run directory names may be loaded.

A run directory is data: whoever made it chose the paths in it. Resuming a run loads the
file of a strategy or a game only if it lies outside of the directory and still has,
with the modules that it imported from its folder, the hash in the manifest. For any
other file the user must agree.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution.source_trust import untrusted_reason
from sim.own_files import loading_guard

Agree = Callable[[str], bool]
"""Asks a question, and returns whether the user agrees."""


def refuse_all(question: str) -> bool:
    """Return False: no user can be asked."""
    return False


_agree: ContextVar[Agree] = ContextVar("agree", default=refuse_all)


@contextmanager
def asking_with(agree: Agree) -> Iterator[None]:
    """Have ``agree`` asked inside this context when a run is read to be played."""
    token = _agree.set(agree)
    try:
        yield
    finally:
        _agree.reset(token)


@contextmanager
def loading_trusted(
    run: Path, manifest: Mapping[str, Any], agree: Agree | None = None
) -> Iterator[None]:
    """Load Python files inside this context only if they are trusted.

    ``agree`` is by default that of ``asking_with``. Raises ``UsageError``.
    """
    agree = agree or _agree.get()

    def check(file: Path) -> None:
        why = untrusted_reason(file, run, manifest["sources"])
        if why and not agree(f"{run} names {file}, which {why}."):
            raise UsageError(
                f"{run} would run {file}, which {why}. Look at that file; if you trust "
                "it, add --trust."
            )

    with loading_guard(check):
        yield
