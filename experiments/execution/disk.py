"""Files that are there whole or not at all, and what may go wrong with them.

A parquet file carries what it is (of which run, which games) and a checksum of all its
bytes, so that one that was damaged, exchanged or renamed is not taken for another.
"""

import contextlib
import errno
import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.cells import UsageError
from experiments.execution.failures import RunFailed
from experiments.execution.paths import content, near

_KEEP = "Finished blocks are kept; "
_MARK = b"fairdeal-sha256:"  # before the checksum, in the parquet's metadata
_BLANK = b"0" * 64  # in its place, of a file without
_UNREADABLE = (
    ValueError,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,  # what polars makes of some damaged files
)
_STARTS = 8  # of the same run at once, at most, that a file outlives
_NAMES = {  # what the system says of a name that cannot be
    errno.EEXIST,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
}
_PART = re.compile(r"(.+)\.\d+\.part")


class Unfit(RunFailed):
    """A file that is not what it should be; ``why`` in words."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{near(path)} {why}. Go on with the run (fairdeal runs resume): its games "
            "are played again."
        )
        self.path, self.why = path, why

    def __reduce__(self) -> tuple[type["Unfit"], tuple[Path, str]]:
        """How it travels between processes."""
        return Unfit, (self.path, self.why)


def to_bytes(frame: pl.DataFrame, about: Mapping[str, Any] | None = None) -> bytes:
    """A table as a parquet file that says what it is ``about``."""
    data = io.BytesIO()
    checksum = (_MARK + _BLANK).decode()
    values = {"fairdeal": json.dumps(about or {}), "checksum": checksum}
    frame.write_parquet(data, metadata=values)
    blank = data.getvalue()
    return _with(blank, _digest(blank))


def about(path: Path, expected: Mapping[str, Any]) -> dict[str, Any]:
    """What a whole file of ours says that it is; raises ``Unfit``.

    It has to say all that is ``expected``, and may say more.
    """
    return _about(path, _whole(path), expected)


def read(path: Path, expected: Mapping[str, Any]) -> pl.DataFrame:
    """The table in a file of ours, of which so much is expected; raises ``Unfit``."""
    data = _whole(path)
    _about(path, data, expected)
    try:
        return pl.read_parquet(io.BytesIO(data))
    except _UNREADABLE:
        raise Unfit(path, "is damaged: it is no parquet file") from None


def _whole(path: Path) -> bytes:
    """The bytes of a file, if they are those that were written."""
    try:
        data = content(path)
    except FileNotFoundError:
        raise Unfit(path, "is missing") from None
    except OSError as error:
        raise Unfit(path, f"cannot be read: {error.strerror}") from error
    at = data.rfind(_MARK) + len(_MARK)
    if at < len(_MARK) or data[at : at + len(_BLANK)] != _digest(_with(data, _BLANK)):
        raise Unfit(path, "is damaged: its checksum does not fit")
    return data


def _about(path: Path, data: bytes, expected: Mapping[str, Any]) -> dict[str, Any]:
    try:
        found = json.loads(pl.read_parquet_metadata(io.BytesIO(data))["fairdeal"])
        fits = all(found[key] == value for key, value in expected.items())
    except (LookupError, TypeError, *_UNREADABLE):
        found, fits = {}, False
    if not fits:
        raise Unfit(path, "is of other games, or of another run or program")
    return dict(found)


def _with(data: bytes, checksum: bytes) -> bytes:
    """The same file with this checksum in its place."""
    at = data.rindex(_MARK) + len(_MARK)
    return data[:at] + checksum + data[at + len(_BLANK) :]


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises ``RunFailed``.

    Another start of the same run may take what we are writing for what a killed one
    left, and sweep it away: then we write it again.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with write_errors(path.parent):
        for left in reversed(range(_STARTS)):
            try:
                with part.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                part.replace(path)
                return
            except BaseException as error:
                with contextlib.suppress(OSError):
                    part.unlink()
                swept = isinstance(error, FileNotFoundError) and path.parent.is_dir()
                if not (swept and left):
                    raise


def new(path: Path, data: bytes) -> None:
    """Write a file where there is none.

    Raises ``FileExistsError`` where there is one, which stays as it is, and
    ``UsageError`` or ``RunFailed`` where it cannot be written.
    """
    try:
        with path.open("xb") as file, _removed_if_it_fails(path):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise
    except OSError as error:
        raise unwritable(path, error) from error


@contextmanager
def _removed_if_it_fails(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink()
        raise


def unwritable(place: Path, error: OSError) -> Exception:
    """What to say where a path cannot be written: whether its name is to blame."""
    why = error.strerror or error
    words = f"cannot write to {near(place)}: {why}. Name another place."
    return UsageError(words) if error.errno in _NAMES else RunFailed(words)


def saving(folder: Path) -> Callable[[Path, bytes], None]:
    """What writes files of ours below a folder of ours, whole and through no link."""
    return lambda path, data: write(inside(folder, path.relative_to(folder)), data)


def inside(folder: Path, name: str | Path) -> Path:
    """The path of a file of ours, by its name in a folder of ours.

    Raises ``UsageError`` where a symbolic link lies between: it leads elsewhere, where
    files of the same names may be somebody's.
    """
    path = folder / name
    for above in path.relative_to(folder).parents:
        if above != Path() and (folder / above).is_symlink():
            raise UsageError(
                f"out: {near(folder / above)} is a symbolic link, and nothing is "
                "written through one."
            )
    return path


def part_of(name: str) -> str:
    """The file that one of this name was to become; nothing where it was for none."""
    found = _PART.fullmatch(name)
    return found[1] if found else ""


@contextmanager
def write_errors(place: Path) -> Iterator[None]:
    """Turn what the system says into what to do."""
    try:
        yield
    except FileNotFoundError as error:
        raise RunFailed(
            f"{near(place)} is gone: was it moved or removed? {_KEEP}put it back and "
            "repeat the command, or start anew."
        ) from error
    except OSError as error:
        raise RunFailed(
            f"cannot write to {near(place)}: {error.strerror or error}. {_KEEP}make "
            "room or name another directory, and repeat the command."
        ) from error
