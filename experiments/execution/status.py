"""How a run directory stands, for listings: told without touching it."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from experiments.core.cells import UsageError
from experiments.execution.locks import is_held
from experiments.execution.sealed import Outdated
from experiments.execution.shape import manifest_at
from experiments.execution.version import Version

Status = Literal["finished", "unfinished", "running", "damaged", "outdated", "foreign"]


_BLOCKS = "blocks/*.parquet"


@dataclass(frozen=True)
class State:
    """How a directory stands; the manifest is empty where it cannot be read."""

    status: Status
    blocks: int  # finished
    bytes: int
    manifest: dict[str, Any]
    made: Version  # by which fairdeal


def inspect(out: Path) -> State:
    """How a directory stands."""
    manifest: dict[str, Any] = {}
    made = Version("")
    status: Status
    try:
        manifest = manifest_at(out / "manifest.json")
        made = Version.of(manifest)
        status = "finished" if manifest.get("finished") else "unfinished"
        if status == "unfinished" and is_held(out / "lock"):
            status = "running"
    except FileNotFoundError:
        status = "foreign"
    except Outdated as error:
        status, made = "outdated", error.version
    except UsageError:
        status = "damaged"
    return State(status, finished_blocks(out), _size(str(out)), manifest, made)


def finished_blocks(out: Path) -> int:
    """How many blocks are there; of a run in stages those of all of them."""
    try:
        return sum(1 for at in ("", "*/", "*/*/") for _ in out.glob(f"{at}{_BLOCKS}"))
    except OSError:
        return 0


def _size(folder: str) -> int:
    """Bytes of all files in a directory; what cannot be read counts nothing."""
    found = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found += _size(entry.path)
                else:
                    found += entry.stat(follow_symlinks=False).st_size
    except OSError:
        return found
    return found
