"""What a run is: enough to run it again, and to tell two runs apart.

A manifest is plain JSON. Its fingerprint is a hash of all that bears on results:
rules, lineups, seeds, the number of games, and the source of fairdeal and of the
strategies. Labels and paths are told beside it.
"""

import hashlib
import inspect
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from experiments.cells import Cell
from experiments.luggage import beside
from strategies.base import Strategy

_OWN = ("sim", "strategies", "experiments", "reports")
_BASE = {field.name for field in fields(Cell)}


def describe(
    cells: Sequence[Cell],
    games: int,
    block: int,
    detailed: bool,
    tables: Sequence[str],
    play: Any,
    stop: Any = None,
) -> dict[str, Any]:
    """The manifest of a run that is about to start."""
    told = {
        "fairdeal": version("fairdeal"),
        "source": source(),
        "games": games,
        "block": block,
        "detailed": detailed,
        "tables": list(tables),
        "stop": _plain(stop),
        "play": f"{play.__module__}.{play.__qualname__}",
        "cells": [_cell(cell) for cell in cells],
    }
    text = json.dumps(told, sort_keys=True).encode()
    named = [
        {"label": cell.title(), "specs": [_spec(one) for one in cell.lineup]}
        for cell in cells
    ]
    return told | {
        "fingerprint": hashlib.sha256(text).hexdigest()[:16],
        "names": named,
        "machine": machine(),
    }


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """In what two runs differ, as words for a message."""
    keys = [key for key in one if key not in {"fingerprint", "names", "machine"}]
    found = [key for key in keys if key in other and one[key] != other[key]]
    if "cells" in found:
        found.remove("cells")
        pairs = list(zip(one["cells"], other["cells"], strict=False))
        if len(one["cells"]) != len(other["cells"]):
            found.append("cells")
        found += [
            key
            for key in one["cells"][0]
            if any(here.get(key) != there.get(key) for here, there in pairs)
        ]
    return found


@lru_cache(maxsize=1)
def source() -> str:
    """A hash of fairdeal's own files: an edited checkout is another version."""
    seen = hashlib.sha256()
    for package in _OWN:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            for path in sorted(Path(folder).rglob("*")):
                if path.suffix in {".py", ".toml"}:
                    seen.update(str(path.relative_to(folder)).encode())
                    seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def machine() -> dict[str, Any]:
    """Where a run takes place, and with which versions."""
    return {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "polars": version("polars"),
        "system": platform.platform(terse=True),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    told = {
        "game": cell.game,
        "players": cell.players,
        "lineup": [one.title for one in cell.strategies()],
        "code": sorted({_code(one) for one in cell.strategies()}),
        "rotate": cell.rotate,
        "seed": cell.seed,
        "against": [_plain(one) for one in cell.against],
        "rules": cell.rules.plain(),
        "assumed": [k.assumed for k in cell.rules.knobs() if k.assumed],
    }
    for field in fields(cell):
        if field.name not in _BASE:
            told[field.name] = _plain(getattr(cell, field.name))
    return told


def _plain(value: Any) -> Any:
    """Anything that a cell may hold, as JSON knows it."""
    if isinstance(value, Cell):
        return _cell(value)
    if isinstance(value, Strategy):
        values = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {"strategy": value.title, "code": _code(value), **values}
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        values = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {"": type(value).__name__, **values}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def _spec(one: str | Strategy) -> str:
    return one if isinstance(one, str) else one.title


def _code(strategy: Strategy) -> str:
    """A hash of the files that a strategy is made of: edited, it is another run."""
    try:
        path = inspect.getsourcefile(type(strategy))
        text = Path(path or "").read_bytes()
    except (TypeError, OSError):
        return type(strategy).__qualname__  # written in a notebook, say
    seen = hashlib.sha256(text)
    for name, data in sorted(beside(type(strategy)).items()):
        seen.update(name.encode() + data)
    return seen.hexdigest()[:16]
