"""Playing a run in blocks: what joblib distributes, what is saved and merged.

A block is a range of games of one cell. It returns sums that add up to those of
the run in any order, and, where they are wanted, raw tables.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from experiments.cells import Cell, Played, play
from experiments.memory import keep_freed_memory
from experiments.otherwise import Branches
from experiments.summary import Summary
from experiments.tables import frames
from reports.measures import SUMS, Measure, sums
from sim import games
from sim.recorder import Recorder
from sim.table import Listener
from strategies.declining import Declining

BLOCK = 65_536  # games: fewer are slower for the calls, more seldom win (``bench``)
_LONG = 32  # blocks of a run that can spare some: they become fewer and larger
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


def size_of(cells: Sequence[Cell], number: int, detailed: bool, looked_at: bool) -> int:
    """Games of a block in a run of this number of games for each cell.

    Small ones for a run that is looked at to stop early.
    """
    if detailed or looked_at:
        return DETAILED
    most = min(games.load(cell.game).blocks for cell in cells)
    return BLOCK * max(1, min(number // (_LONG * BLOCK), most))


def play_block(
    cell: Cell, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block; ``detailed`` takes the report's measures too.

    ``keep`` names the raw tables (notes and kinds of decision) to return.
    """
    keep_freed_memory()
    raw: dict[str, pl.DataFrame] = {}
    if cell.beside is not None:
        from experiments.weighing.pairing import side_by_side

        played, found = side_by_side(cell, cell.beside, block, detailed)
    elif cell.against:
        played, found = _differences(cell, block)
    else:
        played, raw, found = _sums_of(cell, block, detailed, keep)
    return Outcome(
        block,
        found.with_columns(cell=pl.lit(block.cell, dtype=pl.Int32)),
        {name: _of_cell(raw[name], block) for name in keep if name in raw},
        played.decisions,
    )


def _of_cell(frame: pl.DataFrame, block: Block) -> pl.DataFrame:
    return frame.select(pl.lit(block.cell, dtype=pl.Int32).alias("cell"), pl.all())


def _sums_of(
    cell: Cell, block: Block, detailed: bool, keep: tuple[str, ...]
) -> tuple[Played, dict[str, pl.DataFrame], pl.DataFrame]:
    """The summary's sums, and with ``detailed`` those of the report."""
    end = Summary()
    if not detailed:
        played, raw = record(cell, block, keep, [end])
        return played, raw, end.sums(played)
    study = import_module(f"reports.{cell.game}.measures")
    names = tuple(dict.fromkeys([*study.RAW, *keep]))
    played, raw = record(cell, block, names, [end])
    told = about(cell, played)
    measured = _sums(study.MEASURES, study.tidy(raw, told))
    parts = [end.sums(played), measured, *study.grids(raw, told)]
    return played, raw, pl.concat(parts, how="diagonal")


def _differences(cell: Cell, block: Block) -> tuple[Played, pl.DataFrame]:
    """Sums of the differences between two lineups in the same games."""
    study = import_module(f"reports.{cell.game}.measures")
    names = study.RAW if cell.trial is None else study.TRIED
    played, raw = record(cell, block, names, [])
    _, other = record(cell.other(), block, names, [])
    pairs = study.pairs(raw, other, about(cell, played))
    return played, _sums(list(study.PAIRED), pairs)


def about(cell: Cell, played: Played) -> dict[str, Any]:
    """What a report has to know to read raw tables: rules and vocabularies."""
    return {
        "game": cell.game,
        "players": cell.players,
        "rules": cell.rules.plain_with(cell.players),
        "words": {name: list(ids) for name, ids in played.state.words.items()},
        "trial": None if cell.trial is None else asdict(cell.trial),
        **next(
            (
                {"when": one.when, "option": one.option}
                for one in cell.against
                if isinstance(one, Declining)
            ),
            {"when": None, "option": ""},
        ),
    }


def record(
    cell: Cell, block: Block, names: tuple[str, ...], others: list[Listener]
) -> tuple[Played, dict[str, pl.DataFrame]]:
    """Play a block, and return the raw tables of these names.

    Of a cell with decisions to be tried, also what became of them (``otherwise``).
    """
    numbers = np.arange(block.first, block.first + block.count, dtype=np.uint64)
    recorder = Recorder(names)
    branches = None if cell.otherwise is None else Branches(cell.otherwise)
    more = [] if branches is None else [branches]
    played = play(cell, numbers, [recorder, *others, *more])
    raw = frames(games.load(cell.game), recorder, names, played)
    if branches is not None:
        raw["otherwise"] = branches.table(cell, played)
    return played, raw


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
    return pl.concat(parts, how="diagonal") if parts else pl.DataFrame()


def add_up(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """The sums of several blocks, sorted; the order of the blocks changes nothing.

    Sums are whole numbers below 2**53, so floating point adds them exactly.
    """
    together = pl.concat(parts, how="diagonal")
    by = sorted(name for name in together.columns if name not in SUMS)
    return together.group_by(by).agg(pl.col(SUMS).sum()).sort(by)
