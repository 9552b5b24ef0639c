"""Directories for output: results never overwrite files that are not fairdeal's.

    with directory(out, "kunitame", "run") as folder:
        ...

A directory is fairdeal's if it has a file that says what it holds, as fairdeal wrote it
(``KINDS``). It is new if it does not exist or is empty. Any other is refused before
anything is played. By default a new one is made under ``results/``, so that two
commands of the same second have two.

A single file must be new, too (``new_file``).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution import atomic_files
from experiments.execution.checksummed_json import FileKind, unseal
from experiments.execution.manifest_schema import read_manifest
from experiments.execution.user_paths import FOLDER, read_bytes, short_path

MANIFEST, STAGES, TRIED = "manifest.json", "stages.json", "tried.json"
KINDS: dict[str, FileKind] = {MANIFEST: "manifest", STAGES: "stages", TRIED: "tried"}
"""Files that say what a directory holds: a run, runs in stages, or ``explore``."""
_TRIES = 3
_FOLDERS = ("blocks", "tables", "policies", "figures")
"""Folders of a run, with files that are written, replaced and removed."""


@contextmanager
def output_directory(out: Path | None, game: str, command: str) -> Iterator[Path]:
    """Yield the directory for results: ``out``, or a new one named by the time.

    Raises ``UsageError`` if ``out`` is neither new nor fairdeal's. A directory that was
    made here is removed again if nothing was written.
    """
    if out is not None:
        directory_marker(out)
        yield out.absolute()
        return
    folder = FOLDER.absolute()
    first = not folder.exists()
    made = _made(folder, f"{Path(game).stem}-{command}-{datetime.now():%Y%m%d-%H%M%S}")
    try:
        yield made
    finally:
        with suppress(OSError):  # it is not empty
            made.rmdir()
            if first:
                folder.rmdir()


def _made(folder: Path, name: str) -> Path:
    """Make a directory of this name, with the first free number if it exists."""
    number, tries = 1, _TRIES
    while True:
        place = folder / (name if number == 1 else f"{name}-{number}")
        try:
            place.mkdir(parents=True)
        except OSError as error:
            if os.path.lexists(place):
                number += 1
            elif tries and isinstance(error, FileNotFoundError):
                tries -= 1  # another command removed the folder as it ended
            else:
                raise atomic_files.unwritable_words(place, error) from error
        else:
            return place


def directory_marker(out: Path, *names: str) -> dict[str, Any] | None:
    """Return what a directory says it holds; None if it is new.

    ``names``: the files of ``KINDS`` that are accepted, by default all. Raises
    ``UsageError`` if it is of another kind or not fairdeal's, and ``RunFailed`` if it
    cannot be read. Nothing is changed.
    """
    try:
        if not out.exists():
            return None
        if not out.is_dir():
            raise UsageError(f"out: {short_path(out)} is a file.")
        for name in _FOLDERS:
            atomic_files.path_inside(out, f"{name}/any")
        for name, kind in KINDS.items():
            with suppress(FileNotFoundError):
                values = _read(out / name, kind)
                if names and name not in names:
                    raise UsageError(
                        f"out: {short_path(out)} holds results of another kind of "
                        "command."
                    )
                return values
        _refuse_strange(out)
    except UsageError as error:
        raise UsageError(f"{error} Name a new directory.") from None
    except OSError as error:
        raise atomic_files.unwritable_words(out, error) from error
    return None


def _read(path: Path, kind: FileKind) -> dict[str, Any]:
    return read_manifest(path) if kind == "manifest" else unseal(path, kind)


def _refuse_strange(out: Path) -> None:
    """Raise ``UsageError`` unless a directory is empty, or a run has just begun."""
    names = {path.name for path in out.iterdir()}
    if "lock" in names and (out / "lock").lstat().st_size == 0:
        names = {
            name for name in names if atomic_files.target_of_partial(name) not in KINDS
        } - {"lock"}
    if names:
        raise UsageError(
            f"out: {short_path(out)} is not empty and holds no run of fairdeal "
            f"(it contains {min(names)})."
        )


def new_file(path: Path, text: str, what: str) -> None:
    """Write a file unless it exists with other text; raises ``UsageError``.

    ``what`` names the command in the message, such as ``variant new``.
    """
    data = f"{text}\n".encode()
    try:
        atomic_files.write_new_file(path, data)
    except FileExistsError:
        if not _is(path, data):
            check_new(path, what)
    except UsageError:
        check_new(path, what)
        raise


def check_new(path: Path, what: str) -> None:
    """Raise ``UsageError`` if a file exists already, or its folder does not."""
    if os.path.lexists(path):
        raise UsageError(
            f"{what}: {short_path(path)} already exists; nothing is changed. Remove it "
            "first, or name another file."
        )
    if not path.parent.is_dir():
        raise UsageError(
            f"{what}: there is no folder {short_path(path.parent)}. Make it first, or "
            "name another file."
        )


def _is(path: Path, data: bytes) -> bool:
    """Return whether a file has these bytes."""
    try:
        return read_bytes(path, len(data) + 1) == data
    except OSError:
        return False
