"""The directory of a run: what lies in it, who holds it, and what may go wrong.

    manifest.json   what the run is, and when it is finished what became of it
    blocks/         the sums of each finished block; a run that goes on skips these
    tables/NAME/    raw tables, where they were asked for: a file a block
    sums.parquet    the sums of the whole run, when it is finished
    lock            held while a process writes here; the system frees it with the
                    process

A directory is ours if its manifest is (``experiments.execution.output``); any other
that is not empty is refused as it is. In ours, files that follow from the manifest (of
its blocks and tables) are written, replaced and removed, and no others, and through no
symbolic link. They are written beside their place, forced to the disk and renamed, and
carry what they are and a checksum (``experiments.execution.disk``); the file in
``blocks/`` comes last, and says which raw tables belong to its block.
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

_WRITTEN = {  # beside blocks and tables; by commands too
    MANIFEST,
    "sums.parquet",
    "study.json",
    "command.json",
    "summary.json",
}
_OFTEN = 10.0  # seconds between notes of the time that was spent


class PlayedAgain(UserWarning):
    """Games of finished blocks are played again, for their files do not fit."""


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
        """Time spent on the run, in all starts together."""
        return self._before + time.perf_counter() - self._start

    def decisions(self, block: Block) -> int | None:
        """Decisions of a block that an earlier start finished; None of any other.

        One of which a file is not whole counts as not finished, and is in ``unfit``.
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
        """Warn of blocks that were not as they should be."""
        if self.unfit:
            first = self.unfit[0]
            many = "block is" if len(self.unfit) == 1 else "blocks are"
            warnings.warn(
                f"{len(self.unfit)} finished {many} played again: {near(first.path)} "
                f"{first.why}.",
                PlayedAgain,
                stacklevel=3,
            )

    def has(self, block: Block) -> bool:
        """Whether a block was finished by an earlier start, and is whole."""
        return name_of(block) in self._there

    def load(self, block: Block) -> pl.DataFrame:
        """The sums of a finished block; raises ``RunFailed`` where they are not."""
        return stored.load(self.path, self._manifest, block)

    def save(self, done: BlockResult) -> None:
        """Raw tables first, the block's sums last: they say that it is finished."""
        self._finished = False
        block = done.block
        stored.save_raw(self.path, block, done.raw)
        about = identity(self._manifest["fingerprint"], block)
        about |= {"tables": list(done.tables), "decisions": done.decisions}
        place = disk.inside(self.path, f"blocks/{name_of(block)}")
        write(place, to_bytes(done.sums, about))
        if time.perf_counter() - self._noted > _OFTEN:
            self.note_time()

    def note_time(self) -> None:
        """Write down the time that was spent so far."""
        if not self._finished:
            self._noted = time.perf_counter()
            _write(self.path, self._manifest | {"seconds": self.seconds})

    def settle(self, counted: Sequence[int]) -> None:
        """Remove blocks and raw tables after the games that count, of each cell."""
        for folder in _folders(self.path, self._manifest):
            for name in _names(folder):
                block = block_in(self._manifest, name)
                if block is not None and block.first >= counted[block.cell]:
                    with suppress(FileNotFoundError), write_errors(folder):
                        (folder / name).unlink()

    def finish(self, sums: pl.DataFrame, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """The results as a whole, and the manifest that says so, last; gives that.

        Of a run that was finished before, and of which nothing was played again, they
        are left as they are.
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
    """Hold the directory of a run, made if needed, for as long as it is played.

    Raises ``UsageError`` where it is of something else or in use, ``RunFailed``
    where it cannot be written.
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
    """The manifest of the same run that is there; None where a new one can begin.

    Refuses a directory of another run, saying in what it differs, and one that has
    something else in it; nothing is touched.
    """
    there = output.held(out, MANIFEST)
    if there is None:
        return None
    if there["fingerprint"] != manifest["fingerprint"]:
        raise UsageError(of_another_run(out, there, differences(manifest, there)))
    return there


def check(out: Path, cells: Sequence[Cell | Pair]) -> None:
    """Refuse a directory of other cells, where it is not known yet how many games.

    As ``opened``, which looks again.
    """
    there = output.held(out, MANIFEST)
    if there is not None:
        described = manifests.describe(cells, [1] * len(cells), 1, False, ())
        some = {"cells": described["cells"], "source": described["source"]}
        if differ := differences(some, there):
            raise UsageError(of_another_run(out, there, differ))


def of_another_run(out: Path, there: Mapping[str, Any], differ: Sequence[str]) -> str:
    """That a directory is of another run: in what it differs, and what to do."""
    what = ", ".join(name for name in differ if name not in SOURCE)
    place = near(out)
    if SOURCE.isdisjoint(differ):
        return (
            f"out: {place} holds another run, with other {what or 'parts'}. Name a new "
            "directory, or repeat the command of that run to go on with it."
        )
    made = Version.of(there)
    also = f", with other {what}" if what else ""
    read = f"read it (fairdeal runs resume {place}), " if there.get("finished") else ""
    return (
        f"out: {place} holds a run of other source{also}: it is of {made}, and this is "
        f"{here()}. Name a new directory, {read}or go on with that fairdeal: "
        f"{made.how}."
    )


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk.unwritable(out, error) from error


def _sweep(out: Path, manifest: Mapping[str, Any]) -> None:
    """Remove what an earlier start was writing when it was killed."""
    for name in _names(out):
        if disk.part_of(name) in _WRITTEN:
            (out / name).unlink()
    for folder in _folders(out, manifest):
        for name in _names(folder):
            if block_in(manifest, disk.part_of(name)) is not None:
                (folder / name).unlink()


def _folders(out: Path, manifest: Mapping[str, Any]) -> list[Path]:
    """Where the files of blocks lie."""
    return [out / "blocks", *(out / "tables" / table for table in manifest["tables"])]


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []


def _write(out: Path, manifest: Mapping[str, Any]) -> None:
    write(out / MANIFEST, seal("manifest", manifest))
