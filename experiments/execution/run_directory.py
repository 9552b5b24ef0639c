"""The directory of a run: its files, its lock, and its errors.

    manifest.json   describes the run, and its outcome when it is finished
    blocks/         the sums of each finished block; a resumed run skips these
    tables/NAME/    raw tables, if requested: a file for each block
    policies/       the learned policies that played (``kept_policies``)
    sums.parquet    the sums of the whole run, when it is finished
    lock            held while a process writes here; freed by the system when the
                    process ends

A directory belongs to fairdeal if its manifest does
(``experiments.execution.output_paths``); any other is refused unless it is empty. Only
files that follow from the manifest are written, replaced and removed, and never through
a symbolic link. A file is written under a temporary name, flushed to disk and renamed,
and has a checksum (``experiments.execution.atomic_files``). The file in ``blocks/``
comes last, and says which raw tables belong to its block.
"""

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.block_records import Block
from experiments.core.cells import Cell, Pair, UsageError
from experiments.execution import (
    atomic_files,
    block_files,
    kept_policies,
    manifests,
    output_paths,
)
from experiments.execution.atomic_files import (
    UnfitFile,
    to_bytes,
    write_errors,
    write_file,
)
from experiments.execution.block_files import block_file_name, block_of_file, identity
from experiments.execution.block_tasks import BlockResult
from experiments.execution.checksummed_json import seal
from experiments.execution.failures import RunFailed
from experiments.execution.file_locks import acquire_lock
from experiments.execution.manifests import SOURCE, manifest_differences
from experiments.execution.output_paths import MANIFEST
from experiments.execution.user_paths import short_path
from experiments.execution.version import Version, this_version

_WRITTEN = {  # besides blocks and tables; some by commands
    MANIFEST,
    "sums.parquet",
    "study.json",
    "command.json",
    "summary.json",
}
_NOTE_EVERY = 10.0  # seconds between updates of the time spent


class BlocksReplayed(UserWarning):
    """Games of finished blocks are played again, as their files are damaged."""


class RunDirectory:
    """A run's directory, held by this process."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self.unfit: list[UnfitFile] = []  # blocks of an earlier start that do not count
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
        if block_file_name(block) not in self._there:
            return None
        try:
            return int(
                block_files.check_block(self.path, self._manifest, block)["decisions"]
            )
        except UnfitFile as unfit:
            self.unfit.append(unfit)
            self._there.remove(block_file_name(block))
            return None

    def tell_unfit(self) -> None:
        """Warn of damaged blocks."""
        if self.unfit:
            first = self.unfit[0]
            words = "block is" if len(self.unfit) == 1 else "blocks are"
            warnings.warn(
                f"{len(self.unfit)} finished {words} played again: "
                f"{short_path(first.path)} {first.why}.",
                BlocksReplayed,
                stacklevel=3,
            )

    def has(self, block: Block) -> bool:
        """Return whether an earlier start finished a block, and its files are whole."""
        return block_file_name(block) in self._there

    def load(self, block: Block) -> pl.DataFrame:
        """Return the sums of a finished block; raises ``RunFailed``."""
        return block_files.load_block(self.path, self._manifest, block)

    def save(self, done: BlockResult) -> None:
        """Save a block: raw tables first, its sums last, which mark it as finished."""
        self._finished = False
        block = done.block
        block_files.save_raw_tables(self.path, block, done.raw)
        about = identity(self._manifest["fingerprint"], block)
        about |= {"tables": list(done.tables), "decisions": done.decisions}
        path = atomic_files.path_inside(self.path, f"blocks/{block_file_name(block)}")
        write_file(path, to_bytes(done.sums, about))
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
                block = block_of_file(self._manifest, name)
                if block is not None and block.first >= counted[block.cell]:
                    with suppress(FileNotFoundError), write_errors(folder):
                        (folder / name).unlink()

    def finish(self, sums: pl.DataFrame, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Write the sums of the run, then the final manifest; return the manifest.

        Files stay as they are if the run was finished and nothing was played again.
        """
        with suppress(UnfitFile):
            if self._finished:
                block_files.load_run_sums(self.path, self._manifest)
                return self._manifest
        about = identity(self._manifest["fingerprint"])
        write_file(self.path / "sums.parquet", to_bytes(sums, about))
        self._manifest = {**manifest, "seconds": self.seconds}
        self._finished = True
        _write(self.path, self._manifest)
        return self._manifest


@contextmanager
def hold(out: Path) -> Iterator[None]:
    """Hold a directory; raises ``UsageError`` if another process is writing to it."""
    with acquire_lock(out / "lock") as held:
        if not held:
            raise UsageError(
                f"out: another process is writing to {short_path(out)}. Wait for it, "
                "or name another directory."
            )
        yield


@contextmanager
def open_directory(out: Path, manifest: dict[str, Any]) -> Iterator[RunDirectory]:
    """Hold the directory of a run while it is played, and make it if needed.

    Raises ``UsageError`` if it holds something else or is in use, ``RunFailed`` if it
    cannot be written.
    """
    out = out.absolute()
    _manifest_to_go_on_with(out, manifest)
    make_directory(out)
    with hold(out):
        there = _manifest_to_go_on_with(out, manifest)
        with write_errors(out):
            if there is None:
                _write(out, manifest)
            _sweep(out, manifest)
            for folder in _folders(out, manifest):
                folder.mkdir(parents=True, exist_ok=True)
            kept_policies.keep(out, manifest)
            directory = RunDirectory(out, there or manifest)
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
    there = output_paths.directory_marker(out, MANIFEST)
    if there is None:
        return None
    if there["fingerprint"] != manifest["fingerprint"]:
        raise UsageError(
            other_run_words(out, there, manifest_differences(manifest, there))
        )
    return there


def check_same_cells(out: Path, cells: Sequence[Cell | Pair]) -> None:
    """Raise ``UsageError`` for a directory of other cells."""
    there = output_paths.directory_marker(out, MANIFEST)
    if there is not None:
        described = manifests.describe_run(cells, [1] * len(cells), 1, False, ())
        known = {"cells": described["cells"], "source": described["source"]}
        if differ := manifest_differences(known, there):
            raise UsageError(other_run_words(out, there, differ))


def check_same_source(out: Path) -> None:
    """Raise ``UsageError`` for a directory whose run is of another source."""
    there = output_paths.directory_marker(out, MANIFEST)
    if there is not None:
        known = {"source": manifests.source_hash()}
        if differ := manifest_differences(known, there):
            raise UsageError(other_run_words(out, there, differ))


def other_run_words(out: Path, there: Mapping[str, Any], differ: Sequence[str]) -> str:
    """Return the error for a directory of another run: how it differs, what to do."""
    changed = ", ".join(name for name in differ if name not in SOURCE)
    place = short_path(out)
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
        f"this is {this_version()}. Name a new directory, {read}or resume it with that "
        f"fairdeal: {made.how}."
    )


def make_directory(out: Path) -> None:
    """Make a directory; raises ``UsageError`` or ``RunFailed`` where none can be."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise atomic_files.unwritable_words(out, error) from error


def _sweep(out: Path, manifest: Mapping[str, Any]) -> None:
    """Remove temporary files of an earlier start that was killed."""
    for name in _names(out):
        if atomic_files.target_of_partial(name) in _WRITTEN:
            (out / name).unlink()
    for name in _names(out / kept_policies.POLICIES):
        if atomic_files.target_of_partial(name):
            (out / kept_policies.POLICIES / name).unlink()
    for folder in _folders(out, manifest):
        for name in _names(folder):
            if (
                block_of_file(manifest, atomic_files.target_of_partial(name))
                is not None
            ):
                (folder / name).unlink()


def _folders(out: Path, manifest: Mapping[str, Any]) -> list[Path]:
    """Return the folders with files of blocks."""
    return [out / "blocks", *(out / "tables" / table for table in manifest["tables"])]


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()] if folder.is_dir() else []


def _write(out: Path, manifest: Mapping[str, Any]) -> None:
    write_file(out / MANIFEST, seal("manifest", manifest))
