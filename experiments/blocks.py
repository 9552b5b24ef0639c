"""Playing a run in blocks: what joblib distributes, what is saved and merged.

A block is a range of games of one cell. It returns sums that add up to those of
the run in any order, and, where they are wanted, raw tables.
"""

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from experiments.cells import Cell, Played, play
from experiments.memory import keep_freed_memory
from experiments.summary import Summary
from experiments.tables import frames
from reports.measures import SUMS, Measure, sums
from sim import games
from sim.recorder import Recorder
from sim.table import Listener
from strategies.declining import Declining

BLOCK = 65_536  # games: fewer are slower for the calls, more win nothing (``bench``)
DETAILED = 16_384  # games, where the report's measures keep every note for a while


@dataclass(frozen=True)
class Block:
    """Games ``first`` to ``first + count - 1`` of cell number ``cell``."""

    cell: int
    first: int
    count: int


@dataclass(frozen=True)
class Outcome:
    """What became of a block: sums, raw tables by name, and decisions made."""

    block: Block
    sums: pl.DataFrame
    tables: dict[str, pl.DataFrame]
    decisions: int


def blocks(cells: int, total: int, size: int = BLOCK) -> list[Block]:
    """The blocks of a run of ``total`` games in each cell."""
    return [
        Block(cell, first, min(size, total - first))
        for cell in range(cells)
        for first in range(0, total, size)
    ]


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block; ``detailed`` takes the report's measures too.

    ``keep`` names the raw tables (notes and kinds of decision) to return.
    """
    keep_freed_memory()
    study = import_module(f"reports.{cell.game}.measures") if detailed else None
    names = tuple(dict.fromkeys([*(study.RAW if study else ()), *keep]))
    end = Summary()
    played, raw = _record(cell, block, names, [end])
    if cell.against:
        assert study is not None
        _, other = _record(replace(cell, lineup=cell.against), block, names, [])
        tables = study.pairs(raw, other, about(cell, played))
        found = _sums(list(study.PAIRED), tables)
    else:
        found = end.sums(played)
    if study is not None and not cell.against:
        tables = study.tidy(raw, about(cell, played))
        dense = study.grids(raw, about(cell, played))
        parts = [found, _sums(study.MEASURES, tables), *dense]
        found = pl.concat(parts, how="diagonal")
    return Outcome(
        block,
        found.with_columns(cell=pl.lit(block.cell, dtype=pl.Int32)),
        {name: raw[name] for name in keep if name in raw},
        int(played.decisions),
    )


def about(cell: Cell, played: Played) -> dict[str, Any]:
    """What a report has to know to read raw tables: rules and vocabularies."""
    return {
        "game": cell.game,
        "players": cell.players,
        "rules": cell.rules.plain(),
        "words": {name: list(ids) for name, ids in played.state.words.items()},
        "when": next(
            (one.when for one in cell.against if isinstance(one, Declining)), None
        ),
    }


def _record(
    cell: Cell, block: Block, names: tuple[str, ...], others: list[Listener]
) -> tuple[Played, dict[str, pl.DataFrame]]:
    numbers = np.arange(block.first, block.first + block.count, dtype=np.uint64)
    recorder = Recorder(names)
    played = play(cell, numbers, [recorder, *others])
    return played, frames(games.load(cell.game), recorder, names, played)


def _sums(measures: list[Measure], tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """The sums of all measures in one table; columns that one lacks are null."""
    parts = []
    for measure in measures:
        part = sums(measure, tables[measure.table])
        texts = [name for name in part.columns if part[name].dtype == pl.Enum]
        numbers = [
            name
            for name in part.columns
            if name not in SUMS and part[name].dtype.is_integer()
        ]
        parts.append(
            part.with_columns(
                pl.lit(measure.name).alias("measure"),
                pl.col(SUMS).cast(pl.Float64),
                pl.col(texts).cast(pl.String),
                pl.col(numbers).cast(pl.Int64),
            )
        )
    return pl.concat(parts, how="diagonal")


def add_up(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """The sums of several blocks, sorted; the order of the blocks changes nothing.

    Sums are whole numbers below 2**53, so floating point adds them exactly.
    """
    together = pl.concat(parts, how="diagonal")
    by = sorted(name for name in together.columns if name not in SUMS)
    return together.group_by(by).agg(pl.col(SUMS).sum()).sort(by)
