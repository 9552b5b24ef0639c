"""Where output goes: to a place of ours, or a new one, and to no other.

    with directory(out, "kunitame", "run") as folder:
        ...

A directory is ours if a file that says what lies in it is there, as fairdeal wrote it
(``KINDS``). It is new if it is not there, or empty. Any other is refused as it is,
before anything is played. Where none is named, a new one is made under ``results/``,
by whoever comes first: so two commands of one second have two.

A single file is new, too, or refused (``new_file``).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution import disk
from experiments.execution.paths import FOLDER, content, near
from experiments.execution.sealed import Kind, unseal
from experiments.execution.shape import manifest_at

MANIFEST, STAGES, TRIED = "manifest.json", "stages.json", "tried.json"
KINDS: dict[str, Kind] = {MANIFEST: "manifest", STAGES: "stages", TRIED: "tried"}
"""Files that say whose a directory is: of a run, of runs in stages, of ``explore``."""
_TRIES = 3
_FOLDERS = ("blocks", "tables", "figures")
"""In ours, with files that are written, replaced and removed."""


@contextmanager
def directory(out: Path | None, game: str, command: str) -> Iterator[Path]:
    """Where results go: as asked, or a new directory of this moment.

    Raises ``UsageError`` where that is neither new nor ours. One that was made here
    goes again if nothing was written.
    """
    if out is not None:
        held(out)
        yield out.absolute()
        return
    folder = FOLDER.absolute()
    first = not folder.exists()
    made = _made(folder, f"{game}-{command}-{datetime.now():%Y%m%d-%H%M%S}")
    try:
        yield made
    finally:
        with suppress(OSError):  # it has something in it
            made.rmdir()
            if first:
                folder.rmdir()


def _made(folder: Path, name: str) -> Path:
    """A directory of this name, or of the first that is free with a number."""
    number, tries = 1, _TRIES
    while True:
        place = folder / (name if number == 1 else f"{name}-{number}")
        try:
            place.mkdir(parents=True)
        except OSError as error:
            if os.path.lexists(place):
                number += 1
            elif tries and isinstance(error, FileNotFoundError):
                tries -= 1  # another command took the folder along, as it left
            else:
                raise disk.unwritable(place, error) from error
        else:
            return place


def held(out: Path, *names: str) -> dict[str, Any] | None:
    """What a directory of ours says that it holds; None where a new one can begin.

    ``names``: of ``KINDS``, those that are looked for; all where none is named. Raises
    ``UsageError`` where it is of another kind or of somebody else, and ``RunFailed``
    where it cannot be read. Nothing is touched.
    """
    try:
        if not out.exists():
            return None
        if not out.is_dir():
            raise UsageError(f"out: {near(out)} is a file.")
        for name in _FOLDERS:
            disk.inside(out, f"{name}/any")
        for name, kind in KINDS.items():
            with suppress(FileNotFoundError):
                found = _read(out / name, kind)
                if names and name not in names:
                    raise UsageError(
                        f"out: {near(out)} holds results of another kind of command."
                    )
                return found
        _refuse_strange(out)
    except UsageError as error:
        raise UsageError(f"{error} Name a new directory.") from None
    except OSError as error:
        raise disk.unwritable(out, error) from error
    return None


def _read(path: Path, kind: Kind) -> dict[str, Any]:
    return manifest_at(path) if kind == "manifest" else unseal(path, kind)


def _refuse_strange(out: Path) -> None:
    """Refuse a directory that has anything in it but our start, as yet unwritten."""
    names = {path.name for path in out.iterdir()}
    if "lock" in names and (out / "lock").lstat().st_size == 0:
        names = {one for one in names if disk.part_of(one) not in KINDS} - {"lock"}
    if names:
        raise UsageError(
            f"out: {near(out)} is not empty and holds no run of fairdeal "
            f"(there is {min(names)})."
        )


def new_file(path: Path, text: str, what: str) -> None:
    """Write a file where there is none, or the same one; raises ``UsageError``.

    ``what`` wants it stands in the message, as ``variant new``.
    """
    data = f"{text}\n".encode()
    try:
        disk.new(path, data)
    except FileExistsError:
        if not _is(path, data):
            check_new(path, what)
    except UsageError:
        check_new(path, what)
        raise


def check_new(path: Path, what: str) -> None:
    """Raise ``UsageError`` where a file is there already, or no folder for it."""
    if os.path.lexists(path):
        raise UsageError(
            f"{what}: {near(path)} is there already; nothing is changed. Remove it "
            "first, or name another file."
        )
    if not path.parent.is_dir():
        raise UsageError(
            f"{what}: there is no folder {near(path.parent)}. Make it first, or name "
            "another file."
        )


def _is(path: Path, data: bytes) -> bool:
    """Whether a file has these bytes."""
    try:
        return content(path, len(data) + 1) == data
    except OSError:
        return False
