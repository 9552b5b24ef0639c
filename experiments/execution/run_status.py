"""The status of a run directory, for listings; it is only read."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import OutdatedFile
from experiments.execution.file_locks import is_locked
from experiments.execution.manifest_schema import read_manifest
from experiments.execution.version import Version

Status = Literal[
    "finished", "unfinished", "running", "damaged", "outdated", "newer", "foreign"
]
OTHER_FORMAT = ("outdated", "newer")
"""The status of runs of an earlier format, and of a later one."""

_BLOCKS = "blocks/*.parquet"


@dataclass(frozen=True)
class RunStatus:
    """The state of a directory; the manifest is empty if it cannot be read."""

    status: Status
    blocks: int  # finished
    bytes: int
    manifest: dict[str, Any]
    made: Version  # the fairdeal that made it


def inspect_run(out: Path) -> RunStatus:
    """Return the state of a directory."""
    manifest: dict[str, Any] = {}
    made = Version("")
    status: Status
    try:
        manifest = read_manifest(out / "manifest.json")
        made = Version.of(manifest)
        status = "finished" if manifest.get("finished") else "unfinished"
        if status == "unfinished" and is_locked(out / "lock"):
            status = "running"
    except FileNotFoundError:
        status = "foreign"
    except OutdatedFile as error:
        status = "newer" if error.newer else "outdated"
        made = error.version
    except UsageError:
        status = "damaged"
    return RunStatus(status, finished_blocks(out), _size(str(out)), manifest, made)


def finished_blocks(out: Path) -> int:
    """Return the number of finished blocks; of a run in stages, those of all stages."""
    try:
        return sum(1 for at in ("", "*/", "*/*/") for _ in out.glob(f"{at}{_BLOCKS}"))
    except OSError:
        return 0


def _size(folder: str) -> int:
    """Return the bytes of all files in a directory, without unreadable ones."""
    size = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    size += _size(entry.path)
                else:
                    size += entry.stat(follow_symlinks=False).st_size
    except OSError:
        return size
    return size
