"""Manifests describe runs: enough to repeat a run, and to tell two runs apart.

A manifest is plain JSON (``experiments.execution.checksummed_json``). Its fingerprint
is a hash of everything that affects results: rules, lineups, seeds, the number of
games, and the source of fairdeal and of the strategies. Labels and paths have no part
in it.
"""

import hashlib
import inspect
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

import sim.games
from experiments.core import own_sections
from experiments.core.cells import Cell, Pair, UsageError
from experiments.execution import kept_policies
from experiments.execution.kept_policies import POLICIES
from experiments.execution.strategy_sources import (
    edited_file,
    source_hashes,
    source_texts,
)
from experiments.execution.version import PACKAGES, VERSION, this_version
from sim import places
from sim.own_files import hash_of
from sim.view import View
from strategies import policy_store
from strategies.base import Strategy
from strategies.policy_file import SUFFIX
from strategies.specs import map_strategies

_SPECIAL_FIELDS = {"lineup", "rules", "label"}  # of a cell, described on their own
_IF_ANY = {"given"}  # fields of a cell that most have not
_KEYS = {
    "replicate": "again",
}
"""Fields of a cell that manifests call otherwise."""
_GAME_CODE = "game_code"
"""The key of a cell with the hash of a game that is not built in."""
_INFORMATION = {"fingerprint", "commit", "names", "sources", "policies", "machine"}
"""Keys that have no part in the fingerprint."""
SECTIONS = "sections"
"""The key of the hashes of files with sections of a user's own; absent without any."""
SOURCE = {"fairdeal", "source"}
"""Keys in which runs of another fairdeal differ."""


@dataclass(frozen=True)
class NamedStrategy(Strategy):
    """A strategy of a run on disk, known only by its name; it cannot play."""

    called: str

    @property
    def title(self) -> str:
        """The name that it had."""
        return self.called

    def decide(self, view: View) -> NoReturn:
        """Raise ``UsageError``: its code was not loaded."""
        raise UsageError(
            f"strategy {self.called!r} is known by name only. Load the run with "
            "playable=True to play it again."
        )


def describe_run(
    cells: Sequence[Cell | Pair],
    games: Sequence[int],
    block: int,
    detailed: bool,
    tables: Sequence[str],
    play: Callable[..., Any] | None = None,
    stop: Any = None,
) -> dict[str, Any]:
    """Return the manifest of a new run; ``games``: the number for each cell."""
    values: dict[str, Any] = {
        "fairdeal": VERSION,
        "source": source_hash(),
        "games": max(games),
        "wanted": list(games),
        "block": block,
        "detailed": detailed,
        "tables": list(tables),
        "stop": _plain(stop),
        "play": play and f"{play.__module__}.{play.__qualname__}",
        "cells": [_cell(cell) for cell in cells],
    }
    if detailed and (sections := own_sections.source_hashes()):
        values[SECTIONS] = sorted(sections.values())
    text = json.dumps(values, sort_keys=True).encode()
    return values | {
        "fingerprint": hashlib.sha256(text).hexdigest()[:16],
        "commit": this_version().commit,
        "names": [_names(cell) for cell in cells],
        "sources": _sources(cells),
        POLICIES: kept_policies.described(_policies(cells)),
        "machine": machine_info(),
    }


def cells_of(
    manifest: Mapping[str, Any], playable: bool = False
) -> tuple[Cell | Pair, ...]:
    """Return the cells that a manifest describes; raises errors of impossible rules.

    Their strategies are only names unless ``playable``.
    """
    pairs = zip(manifest["cells"], manifest["names"], strict=True)
    try:
        if playable:
            return tuple(_restored(a, tuple(b["specs"]), b["label"]) for a, b in pairs)
        return tuple(
            _restored(a, tuple(map(NamedStrategy, a["lineup"])), b["title"])
            for a, b in pairs
        )
    except (AttributeError, LookupError, TypeError) as error:
        raise UsageError(f"the manifest's rules are damaged: {error}.") from error


def manifest_differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the keys in which two runs differ, for a message."""
    keys = [key for key in one if key not in _INFORMATION]
    differ = [key for key in keys if key in other and one[key] != other[key]]
    if SECTIONS in one and SECTIONS not in other:  # a run without sections has no key
        differ.append(SECTIONS)
    if "block" in differ and ("games" in differ or "wanted" in differ):
        differ.remove("block")  # it follows from the games
    if "wanted" in differ:  # the games of each cell
        differ.remove("wanted")
        if "games" not in differ and len(one["cells"]) == len(other["cells"]):
            differ.insert(0, "games")
    if "cells" in differ:
        differ.remove("cells")
        pairs = list(zip(one["cells"], other["cells"], strict=False))
        if len(one["cells"]) != len(other["cells"]):
            differ.append("cells")
        differ += [
            key
            for key in one["cells"][0]
            if any(here.get(key) != there.get(key) for here, there in pairs)
        ]
    return differ


@lru_cache(maxsize=1)
def source_hash() -> str:
    """Return a hash of fairdeal's own files, so that edits make another version."""
    digest, root = hashlib.sha256(), Path(__file__).parents[2]
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in {".py", ".toml", SUFFIX}:
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def machine_info() -> dict[str, Any]:
    """Return the machine of a run, and versions of what it uses."""
    return {
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "polars": version("polars"),
        "system": platform.platform(terse=True),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
    }


def _names(cell: Cell | Pair) -> dict[str, Any]:
    """Return the names of a cell and of what is changed, and specs valid anywhere."""
    first = cell.one if isinstance(cell, Pair) else cell
    specs = [absolute_spec(strategy) for strategy in first.lineup]
    changed = cell.how if isinstance(cell, Pair) else cell.interventions
    return {
        "label": first.label,
        "title": first.title(),
        "specs": specs,
        "changes": [each.title for each in changed.every] if changed else [],
    }


def _components(cells: Sequence[Cell | Pair]) -> Iterator[Strategy]:
    """Yield all strategies that play, at every depth."""
    for cell in cells:
        sides = (cell.one, cell.other) if isinstance(cell, Pair) else (cell,)
        for strategy in (seat for side in sides for seat in side.strategies()):
            yield from strategy.components


def _sources(cells: Sequence[Cell | Pair]) -> dict[str, str]:
    """Return the files of the user's strategies, with a hash of each."""
    hashes = own_sections.source_hashes()
    for cell in cells:
        hashes |= sim.games.load(cell.game).files
    for part in _components(cells):
        hashes |= source_hashes(type(part))
    return dict(sorted(hashes.items()))


def _policies(cells: Sequence[Cell | Pair]) -> list[str]:
    """Return the names of the learned policies that are played."""
    return [name for part in _components(cells) for name in part.policies]


def _restored(
    values: Mapping[str, Any], lineup: tuple[Any, ...], label: str
) -> Cell | Pair:
    """Return the cell or pair that ``_cell`` described, with this lineup."""
    cell = _cell_of(values, lineup, label)
    other = values["other"]
    if other is None:
        return cell
    named = _cell_of(other, tuple(map(NamedStrategy, other["lineup"])), "")
    return Pair(cell, named, values["how"])


def _cell_of(values: Mapping[str, Any], lineup: tuple[Any, ...], label: str) -> Cell:
    game = sim.games.load(values["game"])
    if values.get(_GAME_CODE, "") != game.source:
        raise UsageError(f"{game.id} has changed since this run was played.")
    rules = game.rules.of(values["rules"])
    return Cell(
        values["game"],
        rules,
        values["players"],
        lineup,
        values["rotate"],
        values["seed"],
        label,
        replicate=values.get("again", 0),
        roles=tuple(values.get("roles", ())),
        given=tuple(values.get("given", ())),
    )


def _cell(cell: Cell | Pair) -> dict[str, Any]:
    """Return a cell as JSON; a pair is its first cell, with ``other`` and ``how``."""
    if isinstance(cell, Pair):
        return _cell(cell.one) | {
            "other": _cell(cell.other),
            "how": _plain(cell.how),
        }
    values = {"other": None, "how": None} | {
        _KEYS.get(field.name, field.name): _plain(getattr(cell, field.name))
        for field in fields(cell)
        if field.name not in _SPECIAL_FIELDS
        and (field.name not in _IF_ANY or getattr(cell, field.name))
    }
    game = sim.games.load(cell.game)
    if game.source:
        for name, known in game.files.items():
            if hash_of(Path(name)) != known:
                raise UsageError(
                    f"{name} was edited after it was loaded. Restart Python to play it."
                )
        values[_GAME_CODE] = game.source
    return values | {
        "lineup": [seat.title for seat in cell.strategies()],
        "code": sorted(
            {_code(part) for seat in cell.strategies() for part in seat.components}
        ),
        "rules": cell.rules.plain(),
        "assumed": [k.assumed for k in cell.rules.parameters() if k.assumed],
    }


def _plain(value: Any) -> Any:
    """Return any value of a cell as plain JSON."""
    plain = value
    if isinstance(value, Cell):
        plain = _cell(value)
    elif hasattr(value, "model_dump"):
        plain = value.model_dump(mode="json")
    elif is_dataclass(value) and not isinstance(value, type):
        values = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        plain = _about(value) | values
    elif isinstance(value, Mapping):
        plain = {str(key): _plain(item) for key, item in value.items()}
    elif isinstance(value, list | tuple):
        plain = [_plain(item) for item in value]
    elif value is not None and not isinstance(value, bool | int | float | str):
        plain = _object(value)
    return plain


def _object(value: Any) -> Any:
    """Return any other object as its ``repr``, or by its attributes."""
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    if any("__repr__" in vars(kind) for kind in type(value).__mro__[:-1]):
        return repr(value)
    held = {name: _plain(item) for name, item in getattr(value, "__dict__", {}).items()}
    return _about(value) | held


def _about(value: Any) -> dict[str, str]:
    """Return the class of a dataclass; of a strategy, its title and code."""
    if isinstance(value, Strategy):
        return {"strategy": value.title, "code": _code(value)}
    return {"": type(value).__name__}


def absolute_spec(seat: str | Strategy) -> str:
    """Return a spec that means the same in any directory."""
    if isinstance(seat, Strategy):
        return seat.title

    def absolute(spec: str) -> str:
        file, mark, rest = spec.partition(".py:")
        return f"{places.named(file).resolve()}{mark}{rest}" if mark else spec

    return map_strategies(seat, absolute)


def _code(strategy: Strategy) -> str:
    """Return a hash of a strategy's files and policies: edits make another run."""
    kind: type = type(strategy)
    changed = edited_file(kind)
    if changed:
        raise UsageError(
            f"{changed} was edited after it was loaded. Restart Python to play it."
        )
    texts = source_texts(kind)
    try:
        if not texts:
            texts = {"": Path(inspect.getsourcefile(kind) or "").read_bytes()}
    except (TypeError, OSError):
        return kind.__qualname__  # of a notebook, for example
    digest = hashlib.sha256()
    for name, data in sorted(texts.items()):
        digest.update(name.encode() + data)
    for name in strategy.policies:
        digest.update(policy_store.data_of(name))
    return digest.hexdigest()[:16]
