"""Python files of a user: loading them as modules, each once, if they may be."""

import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType

from sim.errors import place_text
from sim.guard import Guard

OWN = "fairdeal_own_"
"""How modules of files of one's own are called."""
SECTIONS = "FAIRDEAL_SECTIONS"
"""The environment variable with the files of sections that reports have, too."""
LOADING = 60
"""Seconds that a file may take to load."""


_guard: ContextVar[Callable[[Path], None] | None] = ContextVar("guard", default=None)


@contextmanager
def loading_guard(check: Callable[[Path], None]) -> Iterator[None]:
    """Within this context, ``check`` is called before a file loads, and may raise."""
    token = _guard.set(check)
    try:
        yield
    finally:
        _guard.reset(token)


def is_guarded() -> bool:
    """Whether somebody decides here what may be loaded."""
    return _guard.get() is not None


def check_may_load(place: Path) -> None:
    """Raise whatever the guard of this context raises, unless the file is loaded."""
    check = _guard.get()
    if check is not None and _name(place) not in sys.modules:
        check(place)


def load_module(place: Path) -> ModuleType:
    """Load the module in a file, which may import what lies beside it.

    Raises whatever the file raises, and ``OutOfTime``.
    """
    name, before = _name(place), {*sys.modules}
    if name in sys.modules:
        return sys.modules[name]
    _load(_DOOR.stem, _DOOR)  # the one beside this package, whatever the path finds
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))
    files: dict[str, str] = {}
    token = _loading.set(files)
    try:
        with Guard(LOADING):
            module = _load(name, place)
        for new in sys.modules.keys() - before:
            file = Path(getattr(sys.modules[new], "__file__", None) or _DOOR)
            if file.is_relative_to(place.parent) and file.suffix == ".py":
                note_file(file)
    finally:
        _loading.reset(token)
    _files[name] = files
    return module


_loading: ContextVar[dict[str, str] | None] = ContextVar("loading", default=None)
_files: dict[str, dict[str, str]] = {}  # by module


def note_file(file: Path) -> None:
    """Note a file that belongs to the one that loads now, such as a table of cards."""
    files = _loading.get()
    if files is not None:
        files[str(file.resolve())] = hash_of(file)


def files_of(module: str) -> Mapping[str, str]:
    """The files that belong to a module, by path, with the hash of each."""
    return _files.get(module, {})


def own_line(error: BaseException) -> str:
    """The last line of a user's file that an error came through; "" if through none."""
    own = {file for files in _files.values() for file in files}
    frames = traceback.extract_tb(error.__traceback__)
    last = next((one for one in reversed(frames) if one.filename in own), None)
    return "" if last is None else place_text(last.filename, last.lineno or 0)


def hash_of(file: Path) -> str:
    """The hash of a file; "" where there is none."""
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _name(place: Path) -> str:
    known = hashlib.sha256(str(place).encode()).hexdigest()[:12]
    return f"{OWN}{place.stem}_{known}"


_DOOR = Path(__file__).parents[1] / "fairdeal.py"


def _load(name: str, place: Path) -> ModuleType:
    """Load a file as the module of this name, once."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up here
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
