"""The expanded study as it lies in its run directory: written, and read again.

``study.json`` holds every cell with its full rules and lineup, so a run can be gone
on with, told and compared whatever has become of the files that it was made of.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from experiments.cells import Cell, UsageError
from experiments.running import files
from experiments.studying.designs import Points
from experiments.studying.making import Place
from experiments.studying.plans import Plan
from experiments.studying.short_forms import Precision
from sim import games as registry
from strategies.base import Strategy

NAME = "study.json"
Progress = Callable[[int, int], None]  # games done, games in all
_SAME = (
    "game", "seed", "games", "question", "detailed", "kind", "where",
)  # fmt: skip
_LISTS = ("measures", "tables", "skipped", "notes")
_TABLES = ("targets", "variants")


class Once:
    """A progress that does something first, when the run directory is ours."""

    def __init__(self, progress: Progress | None, act: Callable[[], None]) -> None:
        self._progress = progress
        self._act: Callable[[], None] | None = act
        found: Any = getattr(progress, "found", None)
        if found is not None:
            self.found = found

    def __call__(self, done: int, total: int) -> None:
        """Games done, and games in all."""
        act, self._act = self._act, None
        if act is not None:
            act()
        if self._progress is not None:
            self._progress(done, total)


def write(folder: Path, plan: Plan) -> None:
    """Write the plan into a run directory, where it does not lie there yet."""
    if not (folder / NAME).exists():
        text = json.dumps(told(plan), indent=1, ensure_ascii=False)
        files.write(folder / NAME, text.encode())


def read(folder: Path) -> Plan:
    """The plan of a run; raises ``UsageError`` where there is none, or no whole one."""
    try:
        return again(json.loads((folder / NAME).read_text("utf-8")))
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no study of fairdeal.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder / NAME} is damaged: {error}.") from None


def told(plan: Plan) -> dict[str, Any]:
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
        "cells": [_cell(cell) for cell in plan.cells],
        "places": [
            [place.variant, place.lineup, place.players, place.number, place.cell]
            for place in plan.places
        ],
    }


def again(values: Mapping[str, Any]) -> Plan:
    """The plan that was told so."""
    keys = tuple(values["keys"])
    rows = tuple(dict(zip(keys, row, strict=True)) for row in values["points"])
    units = None if values["units"] is None else np.array(values["units"])
    wanted = values["precision"]
    told: dict[str, Any] = {name: values[name] for name in (*_SAME, *_TABLES)}
    told |= {name: tuple(values[name]) for name in _LISTS}
    return Plan(
        cells=tuple(_made(values, one) for one in values["cells"]),
        places=tuple(
            Place(variant, lineup, players, rows[number], cell, number)
            for variant, lineup, players, number, cell in values["places"]
        ),
        precision=Precision(**wanted) if wanted else None,
        points=Points(keys, rows, units),
        **told,
    )


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "players": cell.players,
        "lineup": [_spec(one) for one in cell.lineup],
        "label": cell.label,
        "rotate": cell.rotate,
        "rules": cell.rules.plain(),
    }


def _made(values: Mapping[str, Any], one: Mapping[str, Any]) -> Cell:
    rules = registry.load(values["game"]).rules.of(one["rules"])
    lineup, seed = tuple(one["lineup"]), values["seed"]
    return Cell(
        values["game"], rules, one["players"], lineup, one["rotate"], seed, one["label"]
    )


def _spec(one: str | Strategy) -> str:
    """A spec that means the same from any directory."""
    if isinstance(one, Strategy):
        return one.title
    file, mark, rest = one.partition(".py:")
    return f"{Path(file).resolve()}{mark}{rest}" if mark else one


def _sources(plan: Plan) -> dict[str, str]:
    """The files that the study was made of, with a hash of each."""
    specs = {_spec(one) for cell in plan.cells for one in cell.lineup}
    own = [spec[: spec.index(".py:") + 3] for spec in specs if ".py:" in spec]
    chains = [link for one in plan.variants.values() for link in one.get("chain", ())]
    names = [plan.where, *chains, *own]
    found = {name: Path(name) for name in names if re.search(r"\.(toml|py)$", name)}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(found.items())
        if path.is_file()
    }


def _json(value: Any) -> Any:
    """Values of TOML as JSON knows them: dates become texts."""
    return json.loads(json.dumps(value, default=str))
