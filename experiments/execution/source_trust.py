"""Which files of a user's code a run directory may have loaded."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from sim.own_files import hash_of, is_guarded, loading_guard


@contextmanager
def loading_recorded(run: Path, manifest: Mapping[str, Any]) -> Iterator[None]:
    """Load Python files inside this context only as the run recorded them.

    Results of a game in one file need its rules. A file that came with the run, or has
    changed since, is not loaded; raises ``UsageError``. Where somebody further out
    decides what may be loaded, nothing changes.
    """

    def check(file: Path) -> None:
        why = untrusted_reason(file, run, manifest["sources"])
        if why:
            raise UsageError(f"{run} is of the game in {file}, which {why}.")

    if is_guarded():
        yield
        return
    with loading_guard(check):
        yield


def untrusted_reason(file: Path, run: Path, sources: Mapping[str, str]) -> str:
    """Return why a file should not be loaded without asking; "" if it may be."""
    if file.is_relative_to(run.resolve()):
        return "came with the run"
    if str(file) not in sources:
        return "is not a file that the run was started with"
    beside = [Path(name) for name in sources if Path(name).is_relative_to(file.parent)]
    for path in [file, *beside]:
        if not path.is_file() or hash_of(path) != sources[str(path)]:
            other = "" if path == file else f" together with {path}"
            return f"has changed since the run was started{other}"
    return ""
