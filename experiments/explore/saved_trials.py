"""The history of pages, and saved rules, in the folder for results.

    tried.json      the history of all sessions in this folder
    tried-1.toml    saved rules: a new file each time

A folder with ``tried.json`` is fairdeal's
(``experiments.execution.output_paths``). Files of rules belong to the user once they
are written, and are never replaced.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution import atomic_files, output_paths
from experiments.execution.checksummed_json import seal
from experiments.execution.failures import RunFailed
from experiments.execution.file_locks import acquire_lock
from experiments.execution.output_paths import TRIED
from experiments.execution.user_paths import short_path

Entry = Mapping[str, Any]
_IDENTITY = ("seed", "base", "address")  # fields in which equal entries agree
_SAVED = re.compile(r"tried-(\d{1,9})\.toml")


def check_folder(folder: Path, game: str) -> None:
    """Raise ``UsageError`` for a folder with other files, or of another game."""
    _read(folder, game)


def save_trials(folder: Path, game: str, tried: Iterable[Entry]) -> None:
    """Add entries to the history in a folder, which is made if needed.

    Raises ``RunFailed``, or ``UsageError`` if the folder is no longer fairdeal's.
    """
    _make(folder)
    with acquire_lock(folder / "lock") as held:
        if not held:
            raise RunFailed(f"another process is writing to {short_path(folder)}")
        history = {_key(entry): dict(entry) for entry in _read(folder, game)}
        for entry in tried:
            history.pop(_key(entry), None)  # the newest comes last
            history[_key(entry)] = dict(entry)
        values = {"game": game, "tried": list(history.values())}
        atomic_files.write_file(folder / TRIED, seal("tried", values))


def save_rules(folder: Path, game: str, text: str) -> Path:
    """Write rules into a new file with the next number; raises as ``save_trials``."""
    save_trials(folder, game, ())
    while True:
        path = next_rules_file(folder)
        with suppress(FileExistsError):  # another process was faster
            atomic_files.write_new_file(path, text.encode())
            return path


def next_rules_file(folder: Path) -> Path:
    """Return the file in which rules are saved next."""
    names = [_SAVED.fullmatch(path.name) for path in folder.glob("tried-*")]
    last = max((int(name[1]) for name in names if name), default=0)
    return folder / f"tried-{last + 1}.toml"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise atomic_files.unwritable_words(folder, error) from error


def _read(folder: Path, game: str) -> list[dict[str, Any]]:
    """Return the history in a folder."""
    values = output_paths.directory_marker(folder, TRIED)
    if values is None:
        return []
    if values.get("game") != game:
        raise UsageError(
            f"out: {short_path(folder)} holds what was tried of {values.get('game')}, "
            f"not of {game}. Name a new directory."
        )
    return list(values.get("tried", []))


def _key(entry: Entry) -> tuple[Any, ...]:
    return tuple(entry.get(name) for name in _IDENTITY)
