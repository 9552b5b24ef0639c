"""What a run is: enough to run it again, and to tell two runs apart.

A manifest is plain JSON (``experiments.execution.sealed``). Its fingerprint is a hash
of all that bears on results: rules, lineups, seeds, the number of games, and the source
of fairdeal and of the strategies. Labels and paths are told beside it.
"""

import hashlib
import inspect
import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from experiments.core.cells import Cell, Pair, UsageError
from experiments.execution.shipping import beside, edited, sources
from experiments.execution.version import PACKAGES, VERSION, here
from sim import games as registry
from sim.view import View
from strategies import places
from strategies.base import Strategy
from strategies.specs import map_strategies

_APART = {"lineup", "rules", "label"}  # told in a way of their own
_BESIDE = {"fingerprint", "commit", "names", "sources", "machine"}
"""No part of the fingerprint."""
SOURCE = {"fairdeal", "source"}
"""In what runs of another fairdeal differ."""


@dataclass(frozen=True)
class Named(Strategy):
    """A strategy of a run on disk, by name: enough to tell of it, not to play."""

    called: str

    @property
    def title(self) -> str:
        """The name that it had."""
        return self.called

    def decide(self, view: View) -> NoReturn:
        """Refuse: nothing of it was loaded."""
        raise UsageError(
            f"strategy {self.called!r} is known by name only. Load the run with "
            "playable=True to play it again."
        )


def describe(
    cells: Sequence[Cell | Pair],
    games: Sequence[int],
    block: int,
    detailed: bool,
    tables: Sequence[str],
    play: Callable[..., Any] | None = None,
    stop: Any = None,
) -> dict[str, Any]:
    """The manifest of a run that is about to start; ``games``: those of each cell."""
    values = {
        "fairdeal": VERSION,
        "source": source(),
        "games": max(games),
        "wanted": list(games),
        "block": block,
        "detailed": detailed,
        "tables": list(tables),
        "stop": _plain(stop),
        "play": play and f"{play.__module__}.{play.__qualname__}",
        "cells": [_cell(cell) for cell in cells],
    }
    text = json.dumps(values, sort_keys=True).encode()
    return values | {
        "fingerprint": hashlib.sha256(text).hexdigest()[:16],
        "commit": here().commit,
        "names": [_names(cell) for cell in cells],
        "sources": _sources(cells),
        "machine": machine(),
    }


def cells_of(
    manifest: Mapping[str, Any], playable: bool = False
) -> tuple[Cell | Pair, ...]:
    """The cells that a manifest describes; raises what names rules that cannot be.

    Their strategies are there by name only, unless they are to be played.
    """
    pairs = zip(manifest["cells"], manifest["names"], strict=True)
    try:
        if playable:
            return tuple(_made(a, tuple(b["specs"]), b["label"]) for a, b in pairs)
        return tuple(
            _made(a, tuple(map(Named, a["lineup"])), b["title"]) for a, b in pairs
        )
    except (AttributeError, LookupError, TypeError) as error:
        raise UsageError(f"the manifest's rules are damaged: {error}.") from error


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """In what two runs differ, as words for a message."""
    keys = [key for key in one if key not in _BESIDE]
    found = [key for key in keys if key in other and one[key] != other[key]]
    if "block" in found and ("games" in found or "wanted" in found):
        found.remove("block")  # it follows from the games
    if "wanted" in found:  # the games of each cell
        found.remove("wanted")
        if "games" not in found and len(one["cells"]) == len(other["cells"]):
            found.insert(0, "games")
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
    for package in PACKAGES:
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


def _names(cell: Cell | Pair) -> dict[str, Any]:
    """What a cell is called, and its lineup as one writes it, from any directory."""
    one = cell.one if isinstance(cell, Pair) else cell
    specs = [_spec(strategy) for strategy in one.lineup]
    return {"label": one.label, "title": one.title(), "specs": specs}


def _sources(cells: Sequence[Cell | Pair]) -> dict[str, str]:
    """The files of the user's strategies, with a hash of each."""
    found: dict[str, str] = {}
    for cell in cells:
        sides = (cell.one, cell.other) if isinstance(cell, Pair) else (cell,)
        for one in (one for side in sides for one in side.strategies()):
            for part in one.components:
                found |= sources(type(part))
    return dict(sorted(found.items()))


def _made(
    values: Mapping[str, Any], lineup: tuple[Any, ...], label: str
) -> Cell | Pair:
    """A cell or pair as ``_cell`` tells it, with this lineup."""
    cell = _alone(values, lineup, label)
    other = values["other"]
    if other is None:
        return cell
    named = _alone(other, tuple(map(Named, other["lineup"])), "")
    return Pair(cell, named, values["how"])


def _alone(values: Mapping[str, Any], lineup: tuple[Any, ...], label: str) -> Cell:
    rules = registry.load(values["game"]).rules.of(values["rules"])
    return Cell(
        values["game"],
        rules,
        values["players"],
        lineup,
        values["rotate"],
        values["seed"],
        label,
        again=values.get("again", 0),
    )


def _cell(cell: Cell | Pair) -> dict[str, Any]:
    """A cell as JSON; a pair is its first one, with ``other`` and ``how``."""
    if isinstance(cell, Pair):
        return _cell(cell.one) | {"other": _cell(cell.other), "how": cell.how}
    values = {"other": None, "how": None} | {
        field.name: _plain(getattr(cell, field.name))
        for field in fields(cell)
        if field.name not in _APART
    }
    return values | {
        "lineup": [one.title for one in cell.strategies()],
        "code": sorted(
            {_code(part) for one in cell.strategies() for part in one.components}
        ),
        "rules": cell.rules.plain(),
        "assumed": [k.assumed for k in cell.rules.parameters() if k.assumed],
    }


def _plain(value: Any) -> Any:
    """Anything that a cell may hold, as JSON knows it."""
    shown = value
    if isinstance(value, Cell):
        shown = _cell(value)
    elif hasattr(value, "model_dump"):
        shown = value.model_dump(mode="json")
    elif is_dataclass(value) and not isinstance(value, type):
        values = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        shown = _about(value) | values
    elif isinstance(value, Mapping):
        shown = {str(key): _plain(item) for key, item in value.items()}
    elif isinstance(value, list | tuple):
        shown = [_plain(item) for item in value]
    elif value is not None and not isinstance(value, bool | int | float | str):
        shown = _odd(value)
    return shown


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
    """A spec that means the same from any directory."""
    if isinstance(one, Strategy):
        return one.title

    def found(spec: str) -> str:
        file, mark, rest = spec.partition(".py:")
        return f"{places.named(file).resolve()}{mark}{rest}" if mark else spec

    return map_strategies(one, found)


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
    if strategy.data is not None:
        seen.update(strategy.data.read_bytes())
    return seen.hexdigest()[:16]
