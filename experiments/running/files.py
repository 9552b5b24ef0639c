"""The directory of a run: what lies in it, who holds it, and what may go wrong.

    manifest.json   what the run is, and when it is finished what became of it
    blocks/         the sums of each finished block; a run that goes on skips these
    tables/NAME/    raw tables, where they were asked for: a file a block
    sums.parquet    the sums of the whole run, when it is finished
    lock            held while a process writes here; the system frees it with the
                    process, so nothing is left behind by one that was killed

Every file is written beside its place, forced to the disk and renamed
(``experiments.running.disk``). Blocks carry the fingerprint of their run.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from experiments.blocks import Block
from experiments.cells import UsageError
from experiments.running.disk import read, to_bytes, told, write
from experiments.running.locks import hold, is_held
from experiments.running.manifests import differences

__all__ = [
    "Directory",
    "State",
    "counted",
    "inspect",
    "manifest_of",
    "name_of",
    "opened",
    "read",
    "save_raw",
    "to_bytes",
    "write",
]

_NAMES = {"manifest.json", "lock", "blocks", "tables", "sums.parquet"}


@dataclass(frozen=True)
class State:
    """How a directory stands: for listings of runs."""

    status: Literal["finished", "unfinished", "running", "damaged", "foreign"]
    blocks: int  # finished
    bytes: int
    manifest: dict[str, Any]


class Directory:
    """A run's directory, held by this process."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.path = path
        self.fingerprint = fingerprint
        self._there = {file.name for file in (path / "blocks").iterdir()}
        self._new = not manifest_of(path).get("finished")

    def has(self, block: Block) -> bool:
        """Whether a block was finished by an earlier start."""
        return name_of(block) in self._there

    def load(self, block: Block) -> pl.DataFrame:
        """The sums of a finished block; raises ``RunFailed`` where they are not."""
        return read(self.path / "blocks" / name_of(block), self.fingerprint)

    def save(self, block: Block, sums: pl.DataFrame, raw: dict[str, bytes]) -> None:
        """Raw tables first, the block's sums last: they say that it is finished."""
        self._new = True
        save_raw(self.path, block, raw)
        path = self.path / "blocks" / name_of(block)
        write(path, to_bytes(sums, self.fingerprint))

    def settle(self, counted: Sequence[int]) -> None:
        """Remove blocks and raw tables after the games that count, of each cell."""
        for path in self.path.glob("**/*.parquet"):
            cell, first = _place(path.name)
            if cell is not None and first >= counted[cell]:
                path.unlink()

    def finish(self, sums: pl.DataFrame, manifest: dict[str, Any]) -> None:
        """The results as a whole, and the manifest that says so, last.

        Of a run that was finished before, and of which nothing was played again, they
        are left as they are.
        """
        if not self._new:
            return
        write(self.path / "sums.parquet", to_bytes(sums, self.fingerprint))
        write(self.path / "manifest.json", _json(manifest))


@contextmanager
def opened(out: Path, manifest: dict[str, Any]) -> Iterator[Directory]:
    """Hold the directory of a run, made if needed, for as long as it is played.

    Raises ``UsageError`` where it is of something else or in use, ``RunFailed``
    where it cannot be written.
    """
    _check_foreign(out)
    with told(out):
        (out / "blocks").mkdir(parents=True, exist_ok=True)
        for table in manifest["tables"]:
            (out / "tables" / table).mkdir(parents=True, exist_ok=True)
    with hold(out / "lock") as held:
        if not held:
            raise UsageError(
                f"out: another process is writing to {out}. Wait for it, or name "
                "another directory."
            )
        _check_same(out, manifest)
        with told(out):
            for part in out.glob("**/*.part"):
                part.unlink()
            if not (out / "manifest.json").exists():
                write(out / "manifest.json", _json(manifest))
            directory = Directory(out, manifest["fingerprint"])
        yield directory


def inspect(out: Path) -> State:
    """How a directory stands, without touching it."""
    about = out / "manifest.json"
    done = len(list((out / "blocks").glob("*.parquet")))
    size = sum(file.stat().st_size for file in out.glob("**/*") if file.is_file())
    if not about.is_file():
        return State("foreign", done, size, {})
    try:
        manifest = _manifest(about)
    except UsageError:
        return State("damaged", done, size, {})
    if is_held(out / "lock"):
        return State("running", done, size, manifest)
    status: Literal["finished", "unfinished"] = "unfinished"
    if manifest.get("finished"):
        status = "finished"
    return State(status, done, size, manifest)


def manifest_of(out: Path) -> dict[str, Any]:
    """The manifest of a run; raises ``UsageError`` where there is none."""
    if not (out / "manifest.json").is_file():
        raise UsageError(f"{out} holds no run of fairdeal.")
    return _manifest(out / "manifest.json")


def name_of(block: Block) -> str:
    """The file name of a block; names sort as cells and games do."""
    return f"{block.cell:04d}-{block.first:012d}-{block.count}.parquet"


def counted(folder: Path, played: Sequence[int]) -> list[tuple[int, Path]]:
    """The raw files of a table of which the games count, with their cells."""
    found = []
    for path in sorted(folder.glob("*.parquet")):
        cell, first = _place(path.name)
        if cell is not None and cell < len(played) and first < played[cell]:
            found.append((cell, path))
    return found


def save_raw(out: Path, block: Block, raw: dict[str, bytes]) -> None:
    """Write a block's raw tables."""
    for table, data in raw.items():
        write(out / "tables" / table / name_of(block), data)


def _check_foreign(out: Path) -> None:
    """Refuse a directory that has something else in it, before touching it."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"out: {out} is a file. Name a directory.")
    if not out.is_dir() or (out / "manifest.json").is_file():
        return
    strange = [file.name for file in out.iterdir() if not _ours(file.name)]
    if strange:
        raise UsageError(
            f"out: {out} is not empty and holds no run of fairdeal "
            f"(there is {min(strange)}). Name a new directory."
        )


def _ours(name: str) -> bool:
    return name in _NAMES or name.endswith(".part")


def _check_same(out: Path, manifest: dict[str, Any]) -> None:
    """Refuse a directory of another run; say in what it differs."""
    about = out / "manifest.json"
    if not about.exists():
        return
    there = _manifest(about)
    if there.get("fingerprint") != manifest["fingerprint"]:
        what = ", ".join(differences(manifest, there)) or "what it is made of"
        raise UsageError(
            f"out: {out} holds another run, with other {what}. Name a new directory, "
            "or repeat the command of that run to go on with it."
        )


def _manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
        if isinstance(found, dict) and "fingerprint" in found:
            return found
    except (ValueError, OSError):
        pass
    raise UsageError(
        f"{path} is damaged, or not of fairdeal. Name a new directory."
    ) from None


def _place(name: str) -> tuple[int | None, int]:
    """The cell and the first game of a block's file; no cell in other names."""
    parts = name.removesuffix(".parquet").split("-")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        return None, 0
    return int(parts[0]), int(parts[1])


def _json(manifest: dict[str, Any]) -> bytes:
    return json.dumps(manifest, indent=2).encode()
