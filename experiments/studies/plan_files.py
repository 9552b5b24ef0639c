"""Write the expanded study to its run directory, and read it again.

``study.json`` says what each cell of the run stands for, and which measures and targets
there are; the cells themselves, with full rules and lineups, are in the manifest. So a
run can be resumed, shown and compared even if the files it was made from are gone.
"""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from experiments.core.cells import Cell, UsageError, require_unpaired
from experiments.execution import atomic_files
from experiments.execution.checksummed_json import DamagedFile, seal, unseal
from experiments.execution.manifest_schema import manifest_of_run
from experiments.execution.manifests import cells_of
from experiments.execution.source_trust import loading_recorded
from experiments.studies.experimental_designs import Points
from experiments.studies.plans import Plan
from experiments.studies.study_expansion import DesignPoint
from experiments.studies.study_short_forms import Precision

NAME = "study.json"
Progress = Callable[[int, int], None]  # games done, games in all
_SAME = ("game", "seed", "games", "question", "detailed", "kind", "where")
_LISTS = ("measures", "tables", "skipped", "notes")
_TABLES = ("targets", "variants")


class _Variant(BaseModel):
    model_config = ConfigDict(extra="allow")
    differences: list[str]


_Count = Annotated[int, Field(ge=0)]


class _Study(BaseModel):
    """The schema of the file; ``plan_as_json`` writes it."""

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
    places: tuple[tuple[str, str, int, _Count, _Count], ...]  # ..., point, cell

    @model_validator(mode="after")
    def _fits(self) -> Self:
        width = len(self.keys)
        if any(len(row) != width for row in (*self.points, *(self.units or ()))):
            raise ValueError("points: a value for each key")
        return self


class FirstCallProgress:
    """A progress that first calls ``act``, once the run holds its directory."""

    def __init__(self, progress: Progress | None, act: Callable[[], None]) -> None:
        self._progress = progress
        self._act: Callable[[], None] | None = act
        for name in ("found", "step", "tell"):  # optional methods of a progress
            method: Any = getattr(progress, name, None)
            if method is not None:
                setattr(self, name, method)

    def __call__(self, done: int, total: int) -> None:
        """Report the games done, and the games in all."""
        act, self._act = self._act, None
        if act is not None:
            act()
        if self._progress is not None:
            self._progress(done, total)


def write_plan(folder: Path, plan: Plan) -> None:
    """Write the plan into a run directory, unless it is there already."""
    run = manifest_of_run(folder)["fingerprint"]
    try:
        unseal(folder / NAME, "study")
    except (FileNotFoundError, UsageError):
        atomic_files.write_file(
            folder / NAME, seal("study", plan_as_json(plan) | {"run": run})
        )


def read_plan(folder: Path, playable: bool = False) -> Plan:
    """Return the plan of a run; raises ``UsageError`` if it is missing or damaged.

    Unless ``playable``, the strategies of its cells are only names. The file of a game
    is loaded only as the run recorded it.
    """
    try:
        values = unseal(folder / NAME, "study")
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no study of fairdeal.") from None
    manifest = manifest_of_run(folder)
    if values.get("run") != manifest["fingerprint"]:
        raise DamagedFile(f"{folder / NAME} is damaged: it belongs to another run.")
    try:
        with loading_recorded(folder, manifest):
            cells = cells_of(manifest, playable)
        return restore_plan(
            _Study.model_validate(values), require_unpaired(cells, folder)
        )
    except (ValidationError, IndexError):
        raise DamagedFile(
            f"{folder / NAME} is damaged, or not a file of fairdeal."
        ) from None


def plan_as_json(plan: Plan) -> dict[str, Any]:
    """Return the plan as plain JSON."""
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


def restore_plan(study: _Study, cells: tuple[Cell, ...]) -> Plan:
    """Return the plan that ``plan_as_json`` described; raises ``IndexError``."""
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
        variants={name: v.model_dump() for name, v in study.variants.items()},
        **{name: getattr(study, name) for name in (*_SAME, *_LISTS, "targets")},
    )


def _sources(plan: Plan) -> dict[str, str]:
    """Return the study's file and its variants, with a hash of each."""
    chains = [link for v in plan.variants.values() for link in v.get("chain", ())]
    names = [plan.where, *chains]
    files = {name: Path(name) for name in names if name.endswith(".toml")}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(files.items())
        if path.is_file()
    }


def _json(value: Any) -> Any:
    """Return values of TOML as plain JSON; dates become texts."""
    return json.loads(json.dumps(value, default=str))
