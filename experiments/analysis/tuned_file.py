"""A tuned strategy as a file that runs: its class, with other defaults."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from textwrap import wrap

from experiments.analysis.tuned import Tuned
from strategies import registry
from strategies.base import Strategy, ranges
from strategies.files import OWN

CLASS = "Tuned"
_WIDE = 78  # letters of a line


def text(found: Tuned) -> str:
    """The file: ``--add-strategy tuned.py:Tuned`` plays what was found."""
    made = registry.make(found.game, found.best.spec)
    head, base = _base(type(made))
    ranged = bool(ranges(type(made)))
    lines = [
        f'"""{found.best.spec}, tuned for {found.game}."""',
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
        *(f"    {line}" for one in found.findings for line in wrap(one, _WIDE)),
        '    """',
        "",
        f'    name = "{_name(type(made))}-tuned"',
        *(f"    {line}" for line in _values(made)),
        "",
    ]
    return "\n".join(lines)


def _base(cls: type[Strategy]) -> tuple[list[str], str]:
    """The lines that import a class, and what it is called then."""
    module = sys.modules[cls.__module__]
    file = Path(module.__file__ or "")
    if cls.__module__.startswith(OWN):  # loaded from a file of one's own
        spec = f"{file}:{cls.__name__}"
        return ["from strategies.files import from_file"], f"from_file({spec!r})"
    return [f"from {cls.__module__} import {cls.__name__}"], cls.__name__


def _name(cls: type[Strategy]) -> str:
    return str(getattr(cls, "name", cls.__name__))


def _values(made: Strategy) -> Iterator[str]:
    """The lines of its parameters, with their ranges."""
    limits = ranges(type(made))
    for one in fields(made):
        value = getattr(made, one.name)
        shown = repr(value)
        if one.name in limits:
            low, high = limits[one.name]
            shown = f"parameter({value!r}, {low!r}, {high!r})"
        if isinstance(value, bool | int | float | str):
            yield f"{one.name}: {type(value).__name__} = {shown}"
