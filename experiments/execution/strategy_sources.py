"""Send strategies from a user's file to another machine.

The file does not exist there, so a strategy travels as the texts of its file and of
modules beside it that it imported, with its class and values. The receiver writes the
texts to a temporary folder and loads the strategy from there.
"""

import hashlib
import importlib
import io
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.own_files import OWN
from strategies.base import Strategy
from strategies.files import from_file

_OURS = {"sim", "strategies", "experiments", "reports"}
_lock = threading.Lock()

Files = dict[str, bytes]  # path from the folder of the strategy's file -> text


def is_user_strategy(strategy: type) -> bool:
    """Return whether a class was loaded from a user's file."""
    return strategy.__module__.startswith(OWN)


def has_user_strategy(players: Iterable[Strategy]) -> bool:
    """Return whether any strategy, or a component of one, is from a user's file."""
    return any(
        is_user_strategy(type(part)) for player in players for part in player.components
    )


@lru_cache(maxsize=256)
def source_texts(strategy: type) -> Files:
    """Return the texts of a user's strategy: its file, and modules of its folder.

    They are read once, as a strategy is loaded once. Installed strategies have none.
    """
    if not is_user_strategy(strategy):
        return {}
    file = _file(strategy)
    texts = {file.name: file.read_bytes()}
    for name, module in list(sys.modules.items()):
        path = _place(module)
        if name.partition(".")[0] in {*_OURS, "__main__"} or path is None:
            continue
        if path.is_relative_to(file.parent):
            inside = path.relative_to(file.parent)
            if _names(inside) == name and path.is_file():
                texts[inside.as_posix()] = path.read_bytes()
    return texts


def edited_file(strategy: type) -> str:
    """Return a file of a user's strategy that changed since it was loaded, or ""."""
    folder = _file(strategy).parent if is_user_strategy(strategy) else Path()
    for name, text in source_texts(strategy).items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text:
            return str(path)
    return ""


def source_hashes(strategy: type) -> dict[str, str]:
    """Return the files of a user's strategy by full path, with a hash of each."""
    folder = _file(strategy).parent if is_user_strategy(strategy) else Path()
    return {
        str(folder / name): hashlib.sha256(text).hexdigest()
        for name, text in source_texts(strategy).items()
    }


def _file(strategy: type) -> Path:
    return Path(sys.modules[strategy.__module__].__file__ or "")


def _place(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    known = isinstance(file, str) and file.endswith(".py")
    return _resolved(file) if known and file else None


@cache
def _resolved(path: str) -> Path:
    return Path(path).resolve()


def _names(inside: Path) -> str:
    """Return the name by which a file is imported from its folder."""
    parts = inside.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def pack(item: Any) -> bytes:
    """Pickle an item with strategies, for a machine that lacks the user's files.

    ``pickle.loads`` restores it wherever fairdeal is installed.
    """
    import cloudpickle

    class Packer(cloudpickle.Pickler):  # type: ignore[misc] # it is untyped
        def reducer_override(self, item: Any) -> Any:
            if isinstance(item, Strategy) and is_user_strategy(type(item)):
                return _reduced(item)
            return super().reducer_override(item)

    data = io.BytesIO()
    Packer(data).dump(item)
    return data.getvalue()


def _reduced(strategy: Strategy) -> tuple[Callable[..., Strategy], tuple[Any, ...]]:
    cls: type = type(strategy)
    file = _file(cls).name
    values = {f.name: getattr(strategy, f.name) for f in fields(strategy)}
    texts = tuple(sorted(source_texts(cls).items()))
    return unpack, (texts, f"{file}:{cls.__name__}", values)


def unpack(
    texts: tuple[tuple[str, bytes], ...], spec: str, values: dict[str, Any]
) -> Strategy:
    """Load a strategy from texts that were sent; the same texts are loaded once."""
    with _lock:
        return from_file(f"{_write_texts(texts)}/{spec}")(**values)


@lru_cache(maxsize=64)
def _write_texts(texts: tuple[tuple[str, bytes], ...]) -> Path:
    """Write texts to a folder and return it; forget modules of earlier texts."""
    _forget(_folder())
    folder = _folder() / hashlib.sha256(repr(texts).encode()).hexdigest()[:16]
    for name, text in texts:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return folder


def _forget(folder: Path) -> None:
    """Forget modules that were imported from below a folder by their plain names."""
    sys.path[:] = [place for place in sys.path if folder not in Path(place).parents]
    for name, module in list(sys.modules.items()):
        path = None if name.startswith(OWN) else _place(module)
        if path is not None and folder in path.parents:
            del sys.modules[name]
    importlib.invalidate_caches()


@lru_cache(maxsize=1)
def _folder() -> Path:
    """Return a temporary folder that is removed when this process ends."""
    import atexit
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="fairdeal-")).resolve()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
