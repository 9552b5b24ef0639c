"""Write a tuned strategy as a file that runs: its class, with other defaults."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from textwrap import wrap

from experiments.analysis.tuning_result import TuningResult
from sim.own_files import OWN
from strategies import registry
from strategies.base import Strategy, ranges

CLASS = "Tuned"
_WIDTH = 78  # characters


def text(result: TuningResult) -> str:
    """Return the text of the file, which ``--add-strategy tuned.py:Tuned`` plays."""
    made = registry.make(result.game, result.best.spec)
    head, base = _base(type(made))
    ranged = bool(ranges(type(made)))
    lines = [
        f'"""{result.best.spec}, tuned for {result.game}."""',
        "",
        "from dataclasses import dataclass",
        "",
        *(["from strategies.base import parameter"] if ranged else []),
        *head,
        "",
        "",
        "@dataclass(frozen=True)",
        f"class {CLASS}({base}):",
        f'    """As {type(made).__name__}, with parameters that `fairdeal tune` found.',
        "",
        *(f"    {line}" for each in result.findings for line in wrap(each, _WIDTH)),
        '    """',
        "",
        f'    name = "{_name(type(made))}-tuned"',
        *(f"    {line}" for line in _values(made)),
        "",
    ]
    return "\n".join(lines)


def _base(cls: type[Strategy]) -> tuple[list[str], str]:
    """Return the lines that import a class, and its name after them."""
    module = sys.modules[cls.__module__]
    file = Path(module.__file__ or "")
    if cls.__module__.startswith(OWN):  # loaded from a user's file
        spec = f"{file}:{cls.__name__}"
        return ["from strategies.files import from_file"], f"from_file({spec!r})"
    return [f"from {cls.__module__} import {cls.__name__}"], cls.__name__


def _name(cls: type[Strategy]) -> str:
    return str(getattr(cls, "name", cls.__name__))


def _values(made: Strategy) -> Iterator[str]:
    """Yield the lines of its parameters, with their ranges."""
    limits = ranges(type(made))
    for field in fields(made):
        value = getattr(made, field.name)
        shown = repr(value)
        if field.name in limits:
            low, high = limits[field.name]
            shown = f"parameter({value!r}, {low!r}, {high!r})"
        if isinstance(value, bool | int | float | str):
            yield f"{field.name}: {type(value).__name__} = {shown}"
