"""The schema of manifests, by which a manifest that was made by others is refused."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import DamagedFile, unseal
from strategies import policy_store

_Count = Annotated[int, Field(ge=0)]
_Positive = Annotated[int, Field(ge=1)]
_Table = Annotated[str, Field(pattern=r"^\w[\w-]*$")]  # also the name of a folder

_PolicyName = Annotated[str, Field(pattern=f"^{policy_store.NAME.pattern}$")]


class _Cell(BaseModel):
    game: str
    players: _Positive
    lineup: tuple[str, ...]
    code: tuple[str, ...]
    rotate: bool
    seed: _Count
    rules: dict[str, Any]
    other: "_Cell | None"
    how: dict[str, Any] | None


class _Names(BaseModel):
    label: str
    title: str
    specs: tuple[str, ...]
    changes: tuple[str, ...] = ()


class _Policy(BaseModel):
    file: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")  # also the name of a file


class _Stop(BaseModel):
    measure: str | None = None
    half_width: float | None = None
    first: _Positive | None = None


class _Manifest(BaseModel):
    """The parts of a manifest that are read again; ``manifests`` writes it."""

    fairdeal: str
    commit: str = ""
    source: str
    fingerprint: str
    games: _Positive
    wanted: tuple[_Positive, ...]
    block: _Positive
    detailed: bool
    tables: tuple[_Table, ...]
    stop: _Stop | str | None
    cells: tuple[_Cell, ...] = Field(min_length=1)
    names: tuple[_Names, ...]
    sources: dict[str, str]
    policies: dict[_PolicyName, _Policy] = Field(default={})
    machine: dict[str, Any]
    seconds: float = 0.0
    decisions: _Count = 0
    finished: bool = False
    played: tuple[_Count, ...] = ()
    stopped: tuple[bool, ...] = ()
    failures: dict[_Count, str] = Field(default={})


def read_manifest(path: Path) -> dict[str, Any]:
    """Return a manifest.

    Raises ``FileNotFoundError``, ``DamagedFile`` or ``OutdatedFile``.
    """
    values = unseal(path, "manifest")
    try:
        read = _Manifest.model_validate(values)
        cells = len(read.cells)
        whole = len(read.names) == cells and max(read.failures, default=0) < cells
        if read.finished:
            whole &= len(read.played) == len(read.stopped) == cells
        if whole:
            return values
    except (ValidationError, RecursionError):
        pass
    raise DamagedFile(f"{path} is damaged, or not a file of fairdeal.") from None


def manifest_of_run(out: Path) -> dict[str, Any]:
    """Return the manifest of a run directory; raises ``UsageError``."""
    try:
        return read_manifest(out / "manifest.json")
    except FileNotFoundError:
        raise UsageError(f"{out} holds no run of fairdeal.") from None
