"""Write files whole or not at all, and read them with checks.

A parquet file says what it is (which run, which games) and has a checksum of all its
bytes, so that a damaged, swapped or renamed file is noticed.
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
from experiments.execution.user_paths import read_bytes, short_path

_KEPT = "Finished blocks are kept; "
_MARK = b"fairdeal-sha256:"  # before the checksum, in the parquet's metadata
_BLANK = b"0" * 64  # in place of the checksum while it is computed
_UNREADABLE = (
    ValueError,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,  # raised by polars for some damaged files
)
_ATTEMPTS = 8  # to write a file, if other starts of the same run sweep it away
_NAME_ERRORS = {  # errors of the system that blame the name of a file
    errno.EEXIST,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENOENT,
    errno.ENOTDIR,
}
_PART = re.compile(r"(.+)\.\d+\.part")


class UnfitFile(RunFailed):
    """A file that is not what it should be; ``why`` says so in words."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{short_path(path)} {why}. Resume the run (fairdeal runs resume) to play "
            "its games again."
        )
        self.path, self.why = path, why

    def __reduce__(self) -> tuple[type["UnfitFile"], tuple[Path, str]]:
        """Pickle it by its arguments."""
        return UnfitFile, (self.path, self.why)


def to_bytes(frame: pl.DataFrame, about: Mapping[str, Any] | None = None) -> bytes:
    """Return a table as a parquet file that says what it is ``about``."""
    data = io.BytesIO()
    checksum = (_MARK + _BLANK).decode()
    values = {"fairdeal": json.dumps(about or {}), "checksum": checksum}
    frame.write_parquet(data, metadata=values)
    blank = data.getvalue()
    return _with(blank, _digest(blank))


def read_metadata(path: Path, expected: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says it is about; raises ``UnfitFile``.

    That must include everything ``expected``, and may include more.
    """
    return _about(path, _whole(path), expected)


def read_table(path: Path, expected: Mapping[str, Any]) -> pl.DataFrame:
    """Return the table in a file; raises ``UnfitFile`` if it is not as ``expected``."""
    data = _whole(path)
    _about(path, data, expected)
    try:
        return pl.read_parquet(io.BytesIO(data))
    except _UNREADABLE:
        raise UnfitFile(path, "is damaged: it is not a parquet file") from None


def _whole(path: Path) -> bytes:
    """Return the bytes of a file, if its checksum fits."""
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise UnfitFile(path, "is missing") from None
    except OSError as error:
        raise UnfitFile(path, f"cannot be read: {error.strerror}") from error
    at = data.rfind(_MARK) + len(_MARK)
    if at < len(_MARK) or data[at : at + len(_BLANK)] != _digest(_with(data, _BLANK)):
        raise UnfitFile(path, "is damaged: its checksum does not match")
    return data


def _about(path: Path, data: bytes, expected: Mapping[str, Any]) -> dict[str, Any]:
    try:
        values = json.loads(pl.read_parquet_metadata(io.BytesIO(data))["fairdeal"])
        fits = all(values[key] == value for key, value in expected.items())
    except (LookupError, TypeError, *_UNREADABLE):
        values, fits = {}, False
    if not fits:
        raise UnfitFile(path, "belongs to other games, or to another run or program")
    return dict(values)


def _with(data: bytes, checksum: bytes) -> bytes:
    """Return the bytes of a file with this checksum filled in."""
    at = data.rindex(_MARK) + len(_MARK)
    return data[:at] + checksum + data[at + len(_BLANK) :]


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises ``RunFailed``.

    Another start of the same run may take the temporary file for one that a killed
    start left, and sweep it away: then it is written again.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with write_errors(path.parent):
        for left in reversed(range(_ATTEMPTS)):
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


def write_new_file(path: Path, data: bytes) -> None:
    """Write a new file.

    Raises ``FileExistsError`` if there is one already, which stays as it is, and
    ``UsageError`` or ``RunFailed`` if it cannot be written.
    """
    try:
        with path.open("xb") as file, _removed_if_it_fails(path):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise
    except OSError as error:
        raise unwritable_words(path, error) from error


@contextmanager
def _removed_if_it_fails(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        path.unlink()
        raise


def unwritable_words(place: Path, error: OSError) -> Exception:
    """Return the error for a path that cannot be written, if its name is bad or not."""
    why = error.strerror or error
    words = f"cannot write to {short_path(place)}: {why}. Name another place."
    return UsageError(words) if error.errno in _NAME_ERRORS else RunFailed(words)


def folder_writer(folder: Path) -> Callable[[Path, bytes], None]:
    """Return a function that writes files below a folder, whole and through no link."""
    return lambda path, data: write_file(
        path_inside(folder, path.relative_to(folder)), data
    )


def path_inside(folder: Path, name: str | Path) -> Path:
    """Return the path of a file by its name in a folder of a run.

    Raises ``UsageError`` if a symbolic link lies between: it leads elsewhere, where
    files of these names may be somebody else's.
    """
    path = folder / name
    for above in path.relative_to(folder).parents:
        if above != Path() and (folder / above).is_symlink():
            raise UsageError(
                f"out: {short_path(folder / above)} is a symbolic link; nothing is "
                "written through links."
            )
    return path


def target_of_partial(name: str) -> str:
    """Return the final name of a temporary file; "" if it is not one."""
    match = _PART.fullmatch(name)
    return match[1] if match else ""


@contextmanager
def write_errors(place: Path) -> Iterator[None]:
    """Turn errors of the system into ``RunFailed``, which says what to do."""
    try:
        yield
    except FileNotFoundError as error:
        raise RunFailed(
            f"{short_path(place)} is gone: was it moved or removed? {_KEPT}put it back "
            "and repeat the command, or start a new run."
        ) from error
    except OSError as error:
        raise RunFailed(
            f"cannot write to {short_path(place)}: {error.strerror or error}. "
            f"{_KEPT}make room or name another directory, and repeat the command."
        ) from error
