"""Strategies from user files: loading them, and sending them to other processes."""

import copyreg
import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.errors import error_text
from sim.guard import Guard, OutOfTime
from sim.parameters import nearest, one_of
from strategies import places
from strategies.base import Strategy

OWN = "fairdeal_own_"
"""How modules of files of one's own are called."""
_LOADING = 60  # seconds that a file may take to load


class UnknownStrategy(ValueError):
    """A strategy or parameter does not exist, or a file does not load."""


_guard: ContextVar[Callable[[Path], None] | None] = ContextVar("guard", default=None)


@contextmanager
def loading_guard(check: Callable[[Path], None]) -> Iterator[None]:
    """Within this context, ``check`` is called before a file loads, and may raise."""
    token = _guard.set(check)
    try:
        yield
    finally:
        _guard.reset(token)


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
    check = _guard.get()
    if check is not None:
        check(file)
    try:
        module = _load(file)
    except KeyboardInterrupt:
        raise
    except OutOfTime:
        raise UnknownStrategy(
            f"strategy {spec!r}: {path} does not load: it takes more than {_LOADING} s."
        ) from None
    except BaseException as error:
        raise UnknownStrategy(
            f"strategy {spec!r}: {path} does not load: {error_text(error)}."
        ) from error
    found: Any = getattr(module, name, None)
    classes = [n for n, item in vars(module).items() if _usable(item, module.__name__)]
    if not _usable(found, module.__name__):
        raise UnknownStrategy(
            f"strategy {spec!r}: no strategy class {name!r} in {path}"
            f"{nearest(name, classes)} Classes there: {one_of(classes) or 'none'}."
        )
    strategy: type[Strategy] = found
    return strategy


def _load(place: Path) -> ModuleType:
    """The module in a file, which may import what lies beside it."""
    known = hashlib.sha256(str(place).encode()).hexdigest()[:12]
    name = f"{OWN}{place.stem}_{known}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))
    sys.modules[name] = module  # dataclasses look their module up here
    try:
        with Guard(_LOADING):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    for item in vars(module).values():
        if _usable(item, name):
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


def _usable(item: Any, module: str) -> bool:
    """Whether an item is a strategy class defined in this module."""
    return (
        isinstance(item, type)
        and issubclass(item, Strategy)
        and item.__module__ == module
    )
