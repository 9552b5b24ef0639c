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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from experiments.cells import Cell, UsageError
from experiments.running.luggage import beside, edited, settled
from strategies.base import Strategy

_OWN = ("sim", "strategies", "experiments", "reports")
_APART = {"lineup", "against", "rules", "label"}  # told in a way of their own


def describe(
    cells: Sequence[Cell],
    games: int,
    block: int,
    detailed: bool,
    tables: Sequence[str],
    play: Callable[..., Any] | None = None,
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
        "play": play and f"{play.__module__}.{play.__qualname__}",
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
    seen, root = hashlib.sha256(), Path(__file__).parents[2]
    for package in _OWN:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in {".py", ".toml"}:
                seen.update(path.relative_to(root).as_posix().encode())
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
        field.name: _plain(getattr(cell, field.name))
        for field in fields(cell)
        if field.name not in _APART
    }
    return told | {
        "lineup": [one.title for one in cell.strategies()],
        "code": sorted({_code(one) for one in cell.strategies()}),
        "against": [_plain(one) for one in settled(cell).against],
        "rules": cell.rules.plain(),
        "assumed": [k.assumed for k in cell.rules.knobs() if k.assumed],
    }


def _plain(value: Any) -> Any:
    """Anything that a cell may hold, as JSON knows it."""
    told = value
    if isinstance(value, Cell):
        told = _cell(value)
    elif hasattr(value, "model_dump"):
        told = value.model_dump(mode="json")
    elif is_dataclass(value) and not isinstance(value, type):
        values = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        told = _about(value) | values
    elif isinstance(value, Mapping):
        told = {str(key): _plain(item) for key, item in value.items()}
    elif isinstance(value, list | tuple):
        told = [_plain(item) for item in value]
    elif value is not None and not isinstance(value, bool | int | float | str):
        told = _odd(value)
    return told


def _odd(value: Any) -> Any:
    """Any other object: by its own words, or by what it holds."""
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if any("__repr__" in vars(kind) for kind in type(value).__mro__[:-1]):
        return repr(value)
    held = {name: _plain(item) for name, item in getattr(value, "__dict__", {}).items()}
    return _about(value) | held


def _about(value: Any) -> dict[str, str]:
    """What a dataclass is; of a strategy also how it is written."""
    if isinstance(value, Strategy):
        return {"strategy": value.title, "code": _code(value)}
    return {"": type(value).__name__}


def _spec(one: str | Strategy) -> str:
    return one if isinstance(one, str) else one.title


def _code(strategy: Strategy) -> str:
    """A hash of the files that a strategy is made of: edited, it is another run."""
    kind: type = type(strategy)
    changed = edited(kind)
    if changed:
        raise UsageError(
            f"{changed} was edited after it was loaded. Start Python anew to play it."
        )
    texts = beside(kind)
    try:
        if not texts:
            texts = {"": Path(inspect.getsourcefile(kind) or "").read_bytes()}
    except (TypeError, OSError):
        return kind.__qualname__  # written in a notebook, say
    seen = hashlib.sha256()
    for name, data in sorted(texts.items()):
        seen.update(name.encode() + data)
    return seen.hexdigest()[:16]
