"""The parquet files of a run: their names, what they say that they are, reading them.

The file of a block in ``blocks/`` holds its sums, and says how many decisions were made
and which raw tables belong to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.recording import Block
from experiments.execution import disk


def name_of(block: Block) -> str:
    """The file name of a block; names sort as cells and games do."""
    return f"{block.cell:04d}-{block.first:012d}-{block.count}.parquet"


def block_in(manifest: Mapping[str, Any], name: str) -> Block | None:
    """The block of a run whose file has this name; None where there is none such."""
    parts = name.removesuffix(".parquet").split("-")
    if not all(part.isdecimal() for part in parts) or len(parts) != len(fields(Block)):
        return None
    block = Block(*map(int, parts))
    if name != name_of(block) or block.cell >= len(manifest["cells"]):
        return None
    left = manifest["wanted"][block.cell] - block.first
    whole = block.first % manifest["block"] == 0
    return block if whole and 0 < block.count == min(manifest["block"], left) else None


def identity(run: str, block: Block | None = None, table: str = "") -> dict[str, Any]:
    """What a parquet file says that it is; without a block: the sums of the run."""
    games = None if block is None else [block.cell, block.first, block.count]
    return {"run": run, "games": games, "table": table}


def load(out: Path, manifest: Mapping[str, Any], block: Block) -> pl.DataFrame:
    """The sums of a finished block; raises ``Unfit``."""
    about = identity(manifest["fingerprint"], block)
    return disk.read(out / "blocks" / name_of(block), about)


def sums_of(out: Path, manifest: Mapping[str, Any]) -> pl.DataFrame:
    """The sums of a finished run; raises ``Unfit``."""
    return disk.read(out / "sums.parquet", identity(manifest["fingerprint"]))


def raw_files(
    out: Path, manifest: Mapping[str, Any], table: str, played: Sequence[int]
) -> Iterator[tuple[int, Path]]:
    """The files of a raw table of the games that count, with their cells.

    Raises ``Unfit`` where one is missing, or not as it was written.
    """
    for cell, games in enumerate(played):
        for first in range(0, games, manifest["block"]):
            count = min(manifest["block"], manifest["wanted"][cell] - first)
            block = Block(cell, first, count)
            expected = identity(manifest["fingerprint"], block)
            about = disk.about(out / "blocks" / name_of(block), expected)
            if table in about["tables"]:
                path = out / "tables" / table / name_of(block)
                disk.about(path, expected | {"table": table})
                yield cell, path


def checked(out: Path, manifest: Mapping[str, Any], block: Block) -> dict[str, Any]:
    """What a finished block says that it is; raises ``Unfit`` if a file is not so."""
    expected = identity(manifest["fingerprint"], block)
    about = disk.about(out / "blocks" / name_of(block), expected)
    for table in about["tables"]:
        path = out / "tables" / table / name_of(block)
        disk.about(path, expected | {"table": table})
    return about


def save_raw(out: Path, block: Block, raw: Mapping[str, bytes]) -> None:
    """Write a block's raw tables."""
    for table, data in raw.items():
        disk.write(disk.inside(out, f"tables/{table}/{name_of(block)}"), data)
