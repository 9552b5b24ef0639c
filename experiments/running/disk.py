"""Files that are there whole or not at all, and what may go wrong with them."""

import contextlib
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from experiments.running.failed import RunFailed

_KEEP = "Finished blocks are kept; "


def to_bytes(frame: pl.DataFrame, fingerprint: str = "") -> bytes:
    """A table as a parquet file, with the run that it belongs to."""
    data = io.BytesIO()
    frame.write_parquet(data, metadata={"fairdeal": fingerprint})
    return data.getvalue()


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises ``RunFailed``."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    with told(path.parent):
        try:
            with part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise


def read(path: Path, fingerprint: str) -> pl.DataFrame:
    """A file of sums that belongs to this run."""
    read: tuple[Callable[[], Any], ...] = (
        lambda: pl.read_parquet_metadata(path).get("fairdeal"),
        lambda: pl.read_parquet(path),
    )
    try:
        whose, frame = (part() for part in read)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RunFailed(
            f"{path} is damaged: it is no whole parquet file. Delete it and repeat "
            "the command; its games are played again."
        ) from error
    if whose != fingerprint:
        raise RunFailed(
            f"{path} is of another run or program. Take it away and repeat the "
            "command; its games are played again."
        )
    table: pl.DataFrame = frame
    return table


@contextmanager
def told(place: Path) -> Iterator[None]:
    """Turn what the system says into what to do."""
    try:
        yield
    except FileNotFoundError as error:
        raise RunFailed(
            f"{place} is gone: was it moved or removed? {_KEEP}put it back and "
            "repeat the command, or start anew."
        ) from error
    except OSError as error:
        raise RunFailed(
            f"cannot write to {place}: {error.strerror or error}. {_KEEP}make room "
            "or name another directory, and repeat the command."
        ) from error
