"""The policies that this process knows: the data of their files, by name.

They are learned (``strategies.policy_file``) or texts (``strategies.text_file``), and
nothing in them is executed. A policy is named by its file and by a hash of its data, as
in ``mine@3f2a9c``, so that an edited policy is another one, and two files of one name
stay apart. The name is short in tables, and is a spec wherever a strategy is named. A
strategy that is sent to another process takes the data of its policies along.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from sim import places
from strategies import policy_file, text_file
from strategies.policy_file import PolicyError

NAME = re.compile(r"[\w.-]+@[0-9a-f]{6}")
"""The name of a policy."""
FILE_NAME = "policy"
"""The stem of files that are named by their folder."""
_BOUNDS = r"(),:=+"  # between the parts of a spec
SUFFIXES = (policy_file.SUFFIX, text_file.SUFFIX)
"""What the names of these files end in."""
_FILE = re.compile(
    rf"[^\s{_BOUNDS}][^{_BOUNDS}]*(?:{'|'.join(map(re.escape, SUFFIXES))})"
    rf"(?=\s*(?:$|[{_BOUNDS}]))"
)
_SETTING = re.compile(rf"\blearned:policy=(?={NAME.pattern})")
_Made = TypeVar("_Made")
_known: dict[str, bytes] = {}
_files: dict[str, Path] = {}  # from which policies were read last
_copies: ContextVar[Mapping[Path, Path] | None] = ContextVar("copies", default=None)


def with_names(spec: str) -> str:
    """A spec, or a lineup, with names of policies in place of their files.

    Raises ``PolicyError`` for a file that cannot be read or is none.
    """
    if not any(suffix in spec for suffix in SUFFIXES):
        return spec
    return _SETTING.sub("", map_files(spec, name_of))


def map_files(spec: str, change: Callable[[str], str]) -> str:
    """A spec with the path of each policy in it changed.

    >>> map_files("noisy(mine.npz, 0.1)", str.upper)
    'noisy(MINE.NPZ, 0.1)'
    """
    return _FILE.sub(lambda found: change(found[0]), spec)


def absolute_files(spec: str, folder: Path | None = None) -> str:
    """A spec whose policies are named by absolute paths.

    folder: from where its paths are meant; by default, where the command was given.
    """

    def absolute(path: str) -> str:
        return str((folder / path if folder else places.named(path)).resolve())

    return map_files(spec, absolute)


def name_of(path: str | Path) -> str:
    """Read the policy in a file, and return its name; raises ``PolicyError``."""
    file = places.named(path).resolve()
    data = read_data((_copies.get() or {}).get(file, file))
    stem = file.parent.name if file.stem == FILE_NAME else file.stem
    name = add_as(stem, data)
    _files[name] = file  # the latest: the same data may lie in several
    return name


def read_data(path: Path) -> bytes:
    """The data of the file of a policy; raises ``PolicyError``, which names it."""
    data = policy_file.read_bytes(path)
    try:
        if path.suffix == text_file.SUFFIX:
            text_file.from_bytes(data)
        else:
            policy_file.from_bytes(data)
    except ValueError as error:
        raise PolicyError(f"{path}: {error}") from error
    return data


def suffix_of(data: bytes) -> str:
    """What the names of files with such data end in."""
    is_archive = data.startswith(b"PK")
    return policy_file.SUFFIX if is_archive else text_file.SUFFIX


def add_as(stem: str, data: bytes) -> str:
    """Make a policy known, and return its name, which begins with the stem."""
    plain = re.sub(r"[^\w.-]+", "-", stem) or FILE_NAME
    name = f"{plain}@{hashlib.sha256(data).hexdigest()[:6]}"
    add(name, data)
    return name


def add(name: str, data: bytes) -> None:
    """Make a policy known; raises ``PolicyError`` if its name is another one's."""
    if _known.setdefault(name, data) != data:
        raise PolicyError(f"two policies are called {name}; rename a file")


def data_of(name: str) -> bytes:
    """The data of a policy by its name; raises ``PolicyError``."""
    if name not in _known:
        raise PolicyError(f"no policy {name} is known here; name its file instead")
    return _known[name]


def file_of(name: str) -> Path | None:
    """The file that a policy was read from; None if it came from elsewhere."""
    return _files.get(name)


def names_in(spec: str) -> tuple[str, ...]:
    """The names of policies in a spec."""
    return tuple(dict.fromkeys(NAME.findall(spec)))


def packed(names: Iterable[str]) -> dict[str, bytes]:
    """The data of these policies, to be sent to another process."""
    return {name: data_of(name) for name in names}


def restored(
    cls: Callable[..., _Made], values: Mapping[str, Any], data: Mapping[str, bytes]
) -> _Made:
    """Make a strategy that was sent, once the policies are known that came along."""
    for name, one in data.items():
        add(name, one)
    return cls(**values)


@contextmanager
def read_from_copies(copies: Mapping[Path, Path]) -> Iterator[None]:
    """Meanwhile, read copies in place of these files, which may be gone or changed."""
    token = _copies.set(copies)
    try:
        yield
    finally:
        _copies.reset(token)
