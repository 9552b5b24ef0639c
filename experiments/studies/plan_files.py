"""The expanded study as it lies in its run directory: written, and read again.

``study.json`` says what each cell of the run stands for, and what is asked of it; the
cells themselves, with full rules and lineups, are in the manifest beside it. So a run
can be gone on with, told and compared whatever has become of the files that it was
made of.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from experiments.core.cells import Cell, UsageError, unpaired
from experiments.execution import disk
from experiments.execution.manifests import cells_of
from experiments.execution.sealed import Damaged, seal, unseal
from experiments.execution.shape import manifest_of
from experiments.studies.designs import Points
from experiments.studies.expansion import DesignPoint
from experiments.studies.plans import Plan
from experiments.studies.short_forms import Precision

NAME = "study.json"
Progress = Callable[[int, int], None]  # games done, games in all
_SAME = (
    "game",
    "seed",
    "games",
    "question",
    "detailed",
    "kind",
    "where",
)
_LISTS = ("measures", "tables", "skipped", "notes")
_TABLES = ("targets", "variants")


class _Variant(BaseModel):
    model_config = ConfigDict(extra="allow")
    differences: list[str]


_Count = Annotated[int, Field(ge=0)]


class _Study(BaseModel):
    """The file's shape; ``told`` writes it."""

    game: str
    seed: _Count
    games: _Count
    question: str
    detailed: bool
    kind: str
    where: str
    measures: tuple[str, ...]
    tables: tuple[str, ...]
    skipped: tuple[str, ...]
    notes: tuple[str, ...]
    targets: dict[str, Any]
    variants: dict[str, _Variant]
    precision: Precision | None
    keys: tuple[str, ...]
    points: tuple[tuple[Any, ...], ...]
    units: tuple[tuple[float, ...], ...] | None
    places: tuple[tuple[str, str, int, _Count, _Count], ...]  # ends: point, cell

    @model_validator(mode="after")
    def _fits(self) -> Self:
        width = len(self.keys)
        if any(len(row) != width for row in (*self.points, *(self.units or ()))):
            raise ValueError("points: a value for each key")
        return self


class FirstCallProgress:
    """A progress that does something first, when the run directory is ours."""

    def __init__(self, progress: Progress | None, act: Callable[[], None]) -> None:
        self._progress = progress
        self._act: Callable[[], None] | None = act
        for name in ("found", "step", "tell"):  # what it may know beside
            more: Any = getattr(progress, name, None)
            if more is not None:
                setattr(self, name, more)

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all."""
        act, self._act = self._act, None
        if act is not None:
            act()
        if self._progress is not None:
            self._progress(done, total)


def write(folder: Path, plan: Plan) -> None:
    """Write the plan into a run directory, where it does not lie there whole yet."""
    run = manifest_of(folder)["fingerprint"]
    try:
        unseal(folder / NAME, "study")
    except (FileNotFoundError, UsageError):
        disk.write(folder / NAME, seal("study", plain(plan) | {"run": run}))


def read(folder: Path, playable: bool = False) -> Plan:
    """The plan of a run; raises ``UsageError`` where there is none, or no whole one.

    The strategies of its cells are there by name only, unless they are to be played.
    """
    try:
        values = unseal(folder / NAME, "study")
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no study of fairdeal.") from None
    manifest = manifest_of(folder)
    if values.get("run") != manifest["fingerprint"]:
        raise Damaged(f"{folder / NAME} is damaged: it is of another run.")
    try:
        return restored(
            _Study.model_validate(values),
            unpaired(cells_of(manifest, playable), folder),
        )
    except (ValidationError, IndexError):
        raise Damaged(f"{folder / NAME} is damaged, or not of fairdeal.") from None


def plain(plan: Plan) -> dict[str, Any]:
    """The plan as JSON knows it."""
    points = plan.points
    same = {name: getattr(plan, name) for name in _SAME}
    lists = {name: list(getattr(plan, name)) for name in _LISTS}
    tables = {name: _json(getattr(plan, name)) for name in _TABLES}
    return {
        **same,
        "started": datetime.now().astimezone().isoformat(timespec="seconds"),
        "sources": _sources(plan),
        "precision": plan.precision.model_dump() if plan.precision else None,
        **lists,
        **tables,
        "keys": list(points.keys),
        "points": [[_json(row[key]) for key in points.keys] for row in points.rows],
        "units": None if points.units is None else points.units.tolist(),
        "places": [
            [point.variant, point.lineup, point.players, point.number, point.cell]
            for point in plan.design_points
        ],
    }


def restored(study: _Study, cells: tuple[Cell, ...]) -> Plan:
    """The plan of these cells that was told so; raises ``IndexError``."""
    rows = tuple(dict(zip(study.keys, row, strict=True)) for row in study.points)
    if any(cell >= len(cells) for *_, cell in study.places):
        raise IndexError("a place without a cell")
    return Plan(
        cells=cells,
        design_points=tuple(
            DesignPoint(variant, lineup, players, rows[number], cell, number)
            for variant, lineup, players, number, cell in study.places
        ),
        precision=study.precision,
        points=Points(
            study.keys, rows, None if study.units is None else np.array(study.units)
        ),
        variants={name: one.model_dump() for name, one in study.variants.items()},
        **{name: getattr(study, name) for name in (*_SAME, *_LISTS, "targets")},
    )


def _sources(plan: Plan) -> dict[str, str]:
    """The study's file and its variants, with a hash of each."""
    chains = [link for one in plan.variants.values() for link in one.get("chain", ())]
    names = [plan.where, *chains]
    found = {name: Path(name) for name in names if name.endswith(".toml")}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(found.items())
        if path.is_file()
    }


def _json(value: Any) -> Any:
    """Values of TOML as JSON knows them: dates become texts."""
    return json.loads(json.dumps(value, default=str))
