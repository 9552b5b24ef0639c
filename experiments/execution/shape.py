"""What a manifest has to hold, so that one made by other hands is told, not trusted."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from experiments.core.cells import UsageError
from experiments.execution.sealed import Damaged, unseal

_Count = Annotated[int, Field(ge=0)]
_Some = Annotated[int, Field(ge=1)]
_Table = Annotated[str, Field(pattern=r"^\w[\w-]*$")]  # the name of a folder too


class _Cell(BaseModel):
    game: str
    players: _Some
    lineup: tuple[str, ...]
    code: tuple[str, ...]
    rotate: bool
    seed: _Count
    rules: dict[str, Any]
    other: "_Cell | None"
    how: Literal["compare", "decline", "trial"] | None


class _Names(BaseModel):
    label: str
    title: str
    specs: tuple[str, ...]


class _Stop(BaseModel):
    measure: str | None = None
    half_width: float | None = None
    first: _Some | None = None


class _Manifest(BaseModel):
    """The parts of a manifest that are used again; ``manifests`` writes it."""

    fairdeal: str
    commit: str = ""
    source: str
    fingerprint: str
    games: _Some
    wanted: tuple[_Some, ...]
    block: _Some
    detailed: bool
    tables: tuple[_Table, ...]
    stop: _Stop | str | None
    cells: tuple[_Cell, ...] = Field(min_length=1)
    names: tuple[_Names, ...]
    sources: dict[str, str]
    machine: dict[str, Any]
    seconds: float = 0.0
    decisions: _Count = 0
    finished: bool = False
    played: tuple[_Count, ...] = ()
    stopped: tuple[bool, ...] = ()
    failures: dict[_Count, str] = Field(default={})


def manifest_at(path: Path) -> dict[str, Any]:
    """A whole manifest; raises ``FileNotFoundError`` or ``UsageError`` for any other.

    ``Damaged`` and ``Outdated`` (``experiments.execution.sealed``) say which.
    """
    values = unseal(path, "manifest")
    try:
        found = _Manifest.model_validate(values)
        cells = len(found.cells)
        whole = len(found.names) == cells and max(found.failures, default=0) < cells
        if found.finished:
            whole &= len(found.played) == len(found.stopped) == cells
        if whole:
            return values
    except (ValidationError, RecursionError):
        pass
    raise Damaged(f"{path} is damaged, or not of fairdeal.") from None


def manifest_of(out: Path) -> dict[str, Any]:
    """The manifest of a run; raises ``UsageError`` where there is none."""
    try:
        return manifest_at(out / "manifest.json")
    except FileNotFoundError:
        raise UsageError(f"{out} holds no run of fairdeal.") from None
