"""Tables that take games to make, kept in a folder, so that they are made once."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl

from experiments.execution import atomic_files

_NAMES = "tables.json"
"""The names of the tables in a folder; written last, when all are there."""


def kept_tables(
    make: Callable[[], dict[str, pl.DataFrame]], folder: Path
) -> dict[str, pl.DataFrame]:
    """Return the tables that ``make`` makes, or read those that it made before.

    Damaged files are made again.
    """
    with suppress(FileNotFoundError, ValueError, atomic_files.UnfitFile):
        names = json.loads((folder / _NAMES).read_text("utf-8"))
        return {n: atomic_files.read_table(folder / f"{n}.parquet", {}) for n in names}
    tables = make()
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        data = atomic_files.to_bytes(table)
        atomic_files.write_file(folder / f"{name}.parquet", data)
    atomic_files.write_file(folder / _NAMES, json.dumps([*tables]).encode())
    return tables
