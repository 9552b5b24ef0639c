"""The directory of a run: its files, its lock, and its errors.

    manifest.json   describes the run, and its outcome when it is finished
    blocks/         the sums of each finished block; a resumed run skips these
    tables/NAME/    raw tables, if requested: a file for each block
    sums.parquet    the sums of the whole run, when it is finished
    lock            held while a process writes here; freed by the system when the
                    process ends

A directory belongs to fairdeal if its manifest does (``experiments.execution.output``);
any other is refused unless it is empty. Only files that follow from the manifest are
written, replaced and removed, and never through a symbolic link. A file is written
under a temporary name, flushed to disk and renamed, and has a checksum
(``experiments.execution.disk``). The file in ``blocks/`` comes last, and says which raw
tables belong to its block.
"""

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.cells import Cell, Pair, UsageError
from experiments.core.recording import Block
from experiments.execution import disk, manifests, output, stored
from experiments.execution.disk import Unfit, to_bytes, write, write_errors
from experiments.execution.failures import RunFailed
from experiments.execution.locks import hold
from experiments.execution.manifests import SOURCE, differences
from experiments.execution.output import MANIFEST
from experiments.execution.paths import near
from experiments.execution.sealed import seal
from experiments.execution.stored import block_in, identity, name_of
from experiments.execution.tasks import BlockResult
from experiments.execution.version import Version, here

_WRITTEN = {  # besides blocks and tables; some by commands
    MANIFEST,
    "sums.parquet",
    "study.json",
    "command.json",
    "summary.json",
}
_NOTE_EVERY = 10.0  # seconds between updates of the time spent


class PlayedAgain(UserWarning):
    """Games of finished blocks are played again, as their files are damaged."""


class Directory:
    """A run's directory, held by this process."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.unfit: list[Unfit] = []  # blocks of an earlier start that do not count
        self._manifest = manifest
        self._before = float(manifest.get("seconds", 0.0))
        self._start = self._noted = time.perf_counter()
        self._finished = bool(manifest.get("finished"))
        self._there = set(_names(path / "blocks"))

    @property
    def seconds(self) -> float:
        """The time spent on the run, over all its starts."""
        return self._before + time.perf_counter() - self._start

    def decisions(self, block: Block) -> int | None:
        """Return the decisions of a block that an earlier start finished, or None.

        A block with a damaged file counts as not finished, and is in ``unfit``.
        """
        if name_of(block) not in self._there:
            return None
        try:
            return int(stored.checked(self.path, self._manifest, block)["decisions"])
        except Unfit as unfit:
            self.unfit.append(unfit)
            self._there.remove(name_of(block))
            return None

    def tell_unfit(self) -> None:
        """Warn of damaged blocks."""
        if self.unfit:
            first = self.unfit[0]
            words = "block is" if len(self.unfit) == 1 else "blocks are"
            warnings.warn(
                f"{len(self.unfit)} finished {words} played again: {near(first.path)} "
                f"{first.why}.",
                PlayedAgain,
                stacklevel=3,
            )

    def has(self, block: Block) -> bool:
        """Return whether an earlier start finished a block, and its files are whole."""
        return name_of(block) in self._there

    def load(self, block: Block) -> pl.DataFrame:
        """Return the sums of a finished block; raises ``RunFailed``."""
        return stored.load(self.path, self._manifest, block)

    def save(self, done: BlockResult) -> None:
        """Save a block: raw tables first, its sums last, which mark it as finished."""
        self._finished = False
        block = done.block
        stored.save_raw(self.path, block, done.raw)
        about = identity(self._manifest["fingerprint"], block)
        about |= {"tables": list(done.tables), "decisions": done.decisions}
        path = disk.inside(self.path, f"blocks/{name_of(block)}")
        write(path, to_bytes(done.sums, about))
        if time.perf_counter() - self._noted > _NOTE_EVERY:
            self.note_time()

    def note_time(self) -> None:
        """Write the time spent so far to the manifest."""
        if not self._finished:
            self._noted = time.perf_counter()
            _write(self.path, self._manifest | {"seconds": self.seconds})

    def settle(self, counted: Sequence[int]) -> None:
        """Remove blocks and raw tables beyond the games that count in each cell."""
        for folder in _folders(self.path, self._manifest):
            for name in _names(folder):
                block = block_in(self._manifest, name)
                if block is not None and block.first >= counted[block.cell]:
                    with suppress(FileNotFoundError), write_errors(folder):
                        (folder / name).unlink()

    def finish(self, sums: pl.DataFrame, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Write the sums of the run, then the final manifest; return the manifest.

        Files stay as they are if the run was finished and nothing was played again.
        """
        with suppress(Unfit):
            if self._finished:
                stored.sums_of(self.path, self._manifest)
                return self._manifest
        about = identity(self._manifest["fingerprint"])
        write(self.path / "sums.parquet", to_bytes(sums, about))
        self._manifest = {**manifest, "seconds": self.seconds}
        self._finished = True
        _write(self.path, self._manifest)
        return self._manifest


@contextmanager
def opened(out: Path, manifest: dict[str, Any]) -> Iterator[Directory]:
    """Hold the directory of a run while it is played, and make it if needed.

    Raises ``UsageError`` if it holds something else or is in use, ``RunFailed`` if it
    cannot be written.
    """
    out = out.absolute()
    _manifest_to_go_on_with(out, manifest)
    _make(out)
    with hold(out / "lock") as held:
        if not held:
            raise UsageError(
                f"out: another process is writing to {near(out)}. Wait for it, or name "
                "another directory."
            )
        there = _manifest_to_go_on_with(out, manifest)
        with write_errors(out):
            if there is None:
                _write(out, manifest)
            _sweep(out, manifest)
            for folder in _folders(out, manifest):
                folder.mkdir(parents=True, exist_ok=True)
            directory = Directory(out, there or manifest)
        try:
            yield directory
        finally:
            with suppress(RunFailed):
                directory.note_time()


def _manifest_to_go_on_with(
    out: Path, manifest: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the manifest of the same run in a directory; None if a new run can begin.

    Raises ``UsageError`` if there is another run or something else. Changes nothing.
    """
    there = output.held(out, MANIFEST)
    if there is None:
        return None
    if there["fingerprint"] != manifest["fingerprint"]:
        raise UsageError(of_another_run(out, there, differences(manifest, there)))
    return there


def check(out: Path, cells: Sequence[Cell | Pair]) -> None:
    """Raise ``UsageError`` for a directory of other cells; ``opened`` checks again."""
    there = output.held(out, MANIFEST)
    if there is not None:
        described = manifests.describe(cells, [1] * len(cells), 1, False, ())
        known = {"cells": described["cells"], "source": described["source"]}
        if differ := differences(known, there):
            raise UsageError(of_another_run(out, there, differ))


def of_another_run(out: Path, there: Mapping[str, Any], differ: Sequence[str]) -> str:
    """Return the error for a directory of another run: how it differs, what to do."""
    changed = ", ".join(name for name in differ if name not in SOURCE)
    place = near(out)
    if SOURCE.isdisjoint(differ):
        return (
            f"out: {place} holds another run, with other {changed or 'parts'}. Name a "
            "new directory, or repeat the command of that run to resume it."
        )
    made = Version.of(there)
    also = f", with other {changed}" if changed else ""
    read = f"read it (fairdeal runs resume {place}), " if there.get("finished") else ""
    return (
        f"out: {place} holds a run of other source{also}: it was made by {made}, and "
        f"this is {here()}. Name a new directory, {read}or resume it with that "
        f"fairdeal: {made.how}."
    )


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk.unwritable(out, error) from error


def _sweep(out: Path, manifest: Mapping[str, Any]) -> None:
    """Remove temporary files of an earlier start that was killed."""
    for name in _names(out):
        if disk.part_of(name) in _WRITTEN:
            (out / name).unlink()
    for folder in _folders(out, manifest):
        for name in _names(folder):
            if block_in(manifest, disk.part_of(name)) is not None:
                (folder / name).unlink()


def _folders(out: Path, manifest: Mapping[str, Any]) -> list[Path]:
    """Return the folders with files of blocks."""
    return [out / "blocks", *(out / "tables" / table for table in manifest["tables"])]


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []


def _write(out: Path, manifest: Mapping[str, Any]) -> None:
    write(out / MANIFEST, seal("manifest", manifest))
