"""Playing a run in blocks: what joblib distributes, what is saved and merged.

A block is a range of games of one cell. It returns sums that add up to those of
the run in any order, and, where they are wanted, raw tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import polars as pl

from experiments.core.cells import Cell, Pair, PlayedGames
from experiments.core.choices import MEASURES, Choices
from experiments.core.following import Course, Following
from experiments.core.measures import report_in, report_of
from experiments.core.memory import keep_freed_memory
from experiments.core.one_table import Shared, of_block, played_together
from experiments.core.paired_sums import side_by_side
from experiments.core.recording import (
    Block,
    Notes,
    about,
    about_pair,
    numbers_of,
    record,
)
from experiments.core.summary import Summary
from reports.counts import sums_of
from reports.game_report import GameReport
from reports.measures import SUMS, merge
from sim import games

BLOCK = 65_536  # games: fewer are slower for the calls, more seldom win (``bench``)
_LONG = 32  # blocks of a run that can spare some: they become fewer and larger
_COSTLY = 1_024  # games of a block, however much each decision costs
_PARTS = 4  # blocks of a costly run, if they have so many games
MOST_GAMES = 1_000_000_000_000  # of a cell: their sums stay below 2**53
DETAILED = 16_384  # games, where the report's measures keep every note for a while


@dataclass(frozen=True)
class Outcome:
    """What became of a block: sums, raw tables by name, and decisions made."""

    block: Block
    sums: pl.DataFrame
    tables: dict[str, pl.DataFrame]
    decisions: int


def size_of(
    cells: Sequence[Cell | Pair], number: int, detailed: bool, looked_at: bool
) -> int:
    """Games of a block in a run of this number of games for each cell.

    Small ones for a run that is looked at to stop early, or has a costly strategy.
    """
    cost = max(cell.cost for cell in cells)
    if detailed or looked_at or cost > 1:  # several, for several cores
        size = DETAILED
    else:
        most = min(games.load(cell.game).blocks for cell in cells)
        size = BLOCK * max(1, min(number // (_LONG * BLOCK), most))
    if cost > 1:  # even parts for some cores, though large ones are quicker
        size = min(size // cost, -(-number // _PARTS))
        size = max(size, _COSTLY)
    return size


def play_block(
    cell: Cell | Pair,
    block: Block,
    detailed: bool = False,
    keep: tuple[str, ...] = (),
) -> Outcome:
    """Play a block; ``detailed`` takes the report's measures too.

    ``keep`` names the raw tables (notes and kinds of decision) to return.
    """
    kind = cell.measured if isinstance(cell, Cell) else ""
    report = report_in(cell.game, kind) if detailed else None
    return play_counting(cell, block, report, keep)


def play_counting(
    cell: Cell | Pair,
    block: Block,
    report: GameReport | None,
    keep: tuple[str, ...] = (),
) -> Outcome:
    """Play a block, and count what this report of the game does, if there is one."""
    keep_freed_memory()
    raw: dict[str, pl.DataFrame] = {}
    if isinstance(cell, Cell):
        played, raw, found = _sums_of(cell, block, report, keep)
    elif cell.how == "compare":
        played, found = side_by_side(cell.one, cell.other, block, report)
    else:
        played, found = _differences(cell, block)
    tables = {name: raw[name] for name in keep if name in raw}
    return outcome(block, found, played.decisions, tables)


def outcome(
    block: Block,
    sums: pl.DataFrame,
    decisions: int,
    tables: dict[str, pl.DataFrame],
) -> Outcome:
    """The outcome of a block with these sums and raw tables of its cell."""
    cell = pl.lit(block.cell, dtype=pl.Int32).alias("cell")
    raw = {name: frame.select(cell, pl.all()) for name, frame in tables.items()}
    return Outcome(block, sums.with_columns(cell), raw, decisions)


def _sums_of(
    cell: Cell, block: Block, report: GameReport | None, keep: tuple[str, ...]
) -> tuple[PlayedGames, dict[str, pl.DataFrame], pl.DataFrame]:
    """The summary's sums, and those of the report."""
    end = Summary(games.load(cell.game).events["result"].fields)
    if report is None:
        played, raw = record(cell, block, keep, [end])
        return played, raw, end.sums(played)
    names = tuple(dict.fromkeys([*report.recorded, *keep]))
    choices = [Choices.of(cell, block)] if counts_choices(cell) else []
    played, raw = record(cell, block, names, [end, *choices])
    counts = chain(
        *(one.counts() for one in choices),
        report.counts_of(raw, about(cell, played), block.first),
    )
    return played, raw, joined([end.sums(played), sums_of(counts)])


def counts_choices(cell: Cell) -> bool:
    """Whether a report reads of such a cell what was chosen of what could be."""
    read = report_of(cell.game).read_in(cell.measured)
    return read is None or not read.isdisjoint(one.name for one in MEASURES)


def _differences(pair: Pair, block: Block) -> tuple[PlayedGames, pl.DataFrame]:
    """Sums of what the game's report says of a what-if."""
    report = report_of(pair.game)
    names = report.what_ifs.records or report.records
    if pair.how == "decline":
        course = Course(games.load(pair.game), block.count)
        played, raw = record(pair.one, block, names, [course])
        _, other = record(pair.other, block, names, [], partial(Following, course))
    else:
        played, raw, other = one_trial(pair, block, names)
    values = about_pair(pair, played)
    counts = report.differences_of(raw, other, values, block.first)
    return played, joined([nothing(), sums_of(counts)])


def one_trial(
    pair: Pair, block: Block, names: tuple[str, ...]
) -> tuple[PlayedGames, dict[str, pl.DataFrame], dict[str, pl.DataFrame]]:
    """Who played the first games of an experiment on deals; raw tables of both."""
    size, made = block.count, np.zeros(2, dtype=np.int64)
    turned = np.repeat([False, True], size)
    trial: Any = replace(pair.one.trial, turned=turned)
    notes = Notes(games.load(pair.game), names, 0, 2 * size)
    at, numbers = partial(Shared, turned.view(np.uint8), made), numbers_of(block)
    cells = pair.one, pair.other
    played = played_together(cells, [numbers] * 2, notes.listeners, at, trial)
    raw = notes.tables(played)
    sides = (slice(0, size), slice(size, 2 * size))
    one, other = (of_block(raw, names, side, block) for side in sides)
    return replace(played, decisions=int(made[0])), one, other


def joined(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Sums of several measures; columns that one lacks are null.

    In one piece each, so that equal sums are written as equal bytes.
    """
    return pl.concat(parts, how="diagonal", rechunk=True)


def nothing() -> pl.DataFrame:
    """The sums of no games."""
    numbers = dict.fromkeys(SUMS, pl.Float64)
    return pl.DataFrame(schema={"measure": pl.String, **numbers})


def add_up(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """The sums of several blocks, sorted; the order of the blocks changes nothing."""
    return merge(parts)
