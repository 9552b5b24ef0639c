"""Tables that take games to make, kept in a folder, so that they are made once."""

import hashlib
import json
from contextlib import suppress
from functools import partial
from pathlib import Path

import polars as pl

from experiments.execution import atomic_files

_NAMES = "tables.json"
"""What the tables in a folder are of, and their names; written when all are there."""


def kept_tables(
    make: "partial[dict[str, pl.DataFrame]]", folder: Path
) -> dict[str, pl.DataFrame]:
    """Return the tables that ``make`` makes, or read those that it made before.

    Tables that were made with other arguments, and damaged files, are made again.
    """
    of = hashlib.sha256(repr(make.args).encode()).hexdigest()
    with suppress(FileNotFoundError, ValueError, KeyError, atomic_files.UnfitFile):
        kept = json.loads((folder / _NAMES).read_text("utf-8"))
        if isinstance(kept, dict) and kept.get("of") == of:
            files = {name: folder / f"{name}.parquet" for name in kept["tables"]}
            return {n: atomic_files.read_table(file, {}) for n, file in files.items()}
    tables = make()
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        data = atomic_files.to_bytes(table)
        atomic_files.write_file(folder / f"{name}.parquet", data)
    names = json.dumps({"of": of, "tables": [*tables]})
    atomic_files.write_file(folder / _NAMES, names.encode())
    return tables
