"""The parquet files of a run: their names, what they are about, and reading them.

The file of a block in ``blocks/`` has its sums, and says how many decisions were made
and which raw tables belong to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl

from experiments.core.block_records import Block
from experiments.execution import atomic_files


def block_file_name(block: Block) -> str:
    """Return the file name of a block; names sort by cell and game."""
    return f"{block.cell:04d}-{block.first:012d}-{block.count}.parquet"


def block_of_file(manifest: Mapping[str, Any], name: str) -> Block | None:
    """Return the block of a run whose file has this name, or None."""
    parts = name.removesuffix(".parquet").split("-")
    if not all(part.isdecimal() for part in parts) or len(parts) != len(fields(Block)):
        return None
    block = Block(*map(int, parts))
    if name != block_file_name(block) or block.cell >= len(manifest["cells"]):
        return None
    left = manifest["wanted"][block.cell] - block.first
    whole = block.first % manifest["block"] == 0
    return block if whole and 0 < block.count == min(manifest["block"], left) else None


def identity(run: str, block: Block | None = None, table: str = "") -> dict[str, Any]:
    """Return what a parquet file is about; without a block: the sums of the run."""
    games = None if block is None else [block.cell, block.first, block.count]
    return {"run": run, "games": games, "table": table}


def load_block(out: Path, manifest: Mapping[str, Any], block: Block) -> pl.DataFrame:
    """Return the sums of a finished block; raises ``UnfitFile``."""
    about = identity(manifest["fingerprint"], block)
    return atomic_files.read_table(out / "blocks" / block_file_name(block), about)


def load_run_sums(out: Path, manifest: Mapping[str, Any]) -> pl.DataFrame:
    """Return the sums of a finished run; raises ``UnfitFile``."""
    return atomic_files.read_table(
        out / "sums.parquet", identity(manifest["fingerprint"])
    )


def raw_files(
    out: Path, manifest: Mapping[str, Any], table: str, played: Sequence[int]
) -> Iterator[tuple[int, Path]]:
    """Yield the files of a raw table of the games that count, with their cells.

    Raises ``UnfitFile`` if one is missing or damaged.
    """
    for cell, games in enumerate(played):
        for first in range(0, games, manifest["block"]):
            count = min(manifest["block"], manifest["wanted"][cell] - first)
            block = Block(cell, first, count)
            expected = identity(manifest["fingerprint"], block)
            about = atomic_files.read_metadata(
                out / "blocks" / block_file_name(block), expected
            )
            if table in about["tables"]:
                path = out / "tables" / table / block_file_name(block)
                atomic_files.read_metadata(path, expected | {"table": table})
                yield cell, path


def check_block(out: Path, manifest: Mapping[str, Any], block: Block) -> dict[str, Any]:
    """Return what a finished block is about; raises ``UnfitFile`` if it is damaged."""
    expected = identity(manifest["fingerprint"], block)
    about = atomic_files.read_metadata(
        out / "blocks" / block_file_name(block), expected
    )
    for table in about["tables"]:
        path = out / "tables" / table / block_file_name(block)
        atomic_files.read_metadata(path, expected | {"table": table})
    return about


def save_raw_tables(out: Path, block: Block, raw: Mapping[str, bytes]) -> None:
    """Write a block's raw tables."""
    for table, data in raw.items():
        atomic_files.write_file(
            atomic_files.path_inside(out, f"tables/{table}/{block_file_name(block)}"),
            data,
        )
