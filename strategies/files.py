"""Strategies from user files: loading them, and sending them to other processes."""

import copyreg
import sys
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim import places
from sim.errors import error_text
from sim.guard import OutOfTime
from sim.own_files import LOADING, check_may_load, load_module
from sim.parameters import nearest, one_of
from strategies.base import Strategy


class UnknownStrategy(ValueError):
    """A strategy or parameter does not exist, or a file does not load."""


def from_file(spec: str) -> type[Strategy]:
    """The class named by ``path/to/file.py:Class``; raises ``UnknownStrategy``."""
    path, _, name = spec.rpartition(":")
    return _from_file(spec, places.named(path).resolve(), path, name)


@lru_cache(maxsize=64)
def _from_file(spec: str, file: Path, path: str, name: str) -> type[Strategy]:
    """Load the class of a file; ``path`` is the path as the user wrote it."""
    if not file.is_file():
        there = f"{path} is no file" if file.exists() else f"there is no file {path}"
        raise UnknownStrategy(f"strategy {spec!r}: {there}.")
    check_may_load(file)
    try:
        module = load_strategies(file)
    except KeyboardInterrupt:
        raise
    except OutOfTime:
        raise UnknownStrategy(
            f"strategy {spec!r}: {path} does not load: it takes more than {LOADING} s."
        ) from None
    except BaseException as error:
        raise UnknownStrategy(
            f"strategy {spec!r}: {path} does not load: {error_text(error)}."
        ) from error
    found: Any = getattr(module, name, None)
    classes = [
        n for n, item in vars(module).items() if is_usable(item, module.__name__)
    ]
    if not is_usable(found, module.__name__):
        raise UnknownStrategy(
            f"strategy {spec!r}: no strategy class {name!r} in {path}"
            f"{nearest(name, classes)} Classes there: {one_of(classes) or 'none'}."
        )
    strategy: type[Strategy] = found
    return strategy


def load_strategies(place: Path) -> ModuleType:
    """The module in a file, whose strategies can be sent to other processes."""
    module = load_module(place)
    for item in vars(module).values():
        if is_usable(item, module.__name__):
            copyreg.pickle(item, _sent)
    return module


def _sent(own: Strategy) -> tuple[Any, tuple[Any, ...]]:
    """How a strategy from a file is pickled: its file and its parameters."""
    cls = type(own)
    file = sys.modules[cls.__module__].__file__
    values = {field.name: getattr(own, field.name) for field in fields(own)}
    return _received, (f"{file}:{cls.__name__}", values)


def _received(spec: str, values: dict[str, Any]) -> Strategy:
    """Unpickle a strategy: load its file, and set its parameters."""
    return from_file(spec)(**values)


def is_usable(item: Any, module: str) -> bool:
    """Whether an item is a strategy class defined in this module."""
    return (
        isinstance(item, type)
        and issubclass(item, Strategy)
        and item.__module__ == module
    )
