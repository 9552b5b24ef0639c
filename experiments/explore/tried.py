"""What was tried on pages, and the rules that were saved, kept where results go.

    tried.json      what was tried, of all sessions in this folder
    tried-1.toml    rules that were saved: a new file each

A folder is ours by its ``tried.json`` (``experiments.execution.output``). Files of
rules are the user's as soon as they are written: none takes the place of another.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from experiments.core.cells import UsageError
from experiments.execution import disk, output
from experiments.execution.failures import RunFailed
from experiments.execution.locks import hold
from experiments.execution.output import TRIED
from experiments.execution.paths import near
from experiments.execution.sealed import seal

Entry = Mapping[str, Any]
_SAME = ("seed", "base", "address")  # what makes two tries one
_SAVED = re.compile(r"tried-(\d{1,9})\.toml")


def check(folder: Path, game: str) -> None:
    """Refuse a folder of somebody else, or of another game; raises ``UsageError``."""
    _there(folder, game)


def keep(folder: Path, game: str, tried: Iterable[Entry]) -> None:
    """Add to what is kept in a folder, made if needed.

    Raises ``RunFailed``, or ``UsageError`` where the folder is not ours any more.
    """
    _make(folder)
    with hold(folder / "lock") as held:
        if not held:
            raise RunFailed(f"another process is writing to {near(folder)}")
        every = {_key(one): dict(one) for one in _there(folder, game)}
        for one in tried:
            every.pop(_key(one), None)  # the newest stands last
            every[_key(one)] = dict(one)
        values = {"game": game, "tried": list(every.values())}
        disk.write(folder / TRIED, seal("tried", values))


def save(folder: Path, game: str, text: str) -> Path:
    """Write rules into a new file, by the next number; raises as ``keep``."""
    keep(folder, game, ())
    while True:
        path = following(folder)
        with suppress(FileExistsError):  # another process was faster
            disk.new(path, text.encode())
            return path


def following(folder: Path) -> Path:
    """The file that rules are saved in next."""
    names = [_SAVED.fullmatch(path.name) for path in folder.glob("tried-*")]
    last = max((int(name[1]) for name in names if name), default=0)
    return folder / f"tried-{last + 1}.toml"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk.unwritable(folder, error) from error


def _there(folder: Path, game: str) -> list[dict[str, Any]]:
    """What is kept in a folder."""
    found = output.held(folder, TRIED)
    if found is None:
        return []
    if found.get("game") != game:
        raise UsageError(
            f"out: {near(folder)} holds what was tried of {found.get('game')}, not of "
            f"{game}. Name a new directory."
        )
    return list(found.get("tried", []))


def _key(entry: Entry) -> tuple[Any, ...]:
    return tuple(entry.get(name) for name in _SAME)
