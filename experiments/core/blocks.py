"""Blocks: the parts of a run that workers play, and that are saved and merged.

A block is a range of games of one cell. It returns sums, which add up to those of the
run in any order, and raw tables on request.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import polars as pl

from experiments.core.block_records import (
    Block,
    game_numbers,
    record_block,
    report_context,
)
from experiments.core.cells import Cell, Pair, PlayedGames, role_seating
from experiments.core.end_summary import EndSummary
from experiments.core.malloc_settings import keep_freed_memory
from experiments.core.measures import collected
from experiments.core.option_counts import OptionCounts
from reports.counts import sums_of
from reports.game_report import GameReport
from sim import games

BLOCK = 65_536  # games: fewer cost more calls, more save little (bench)
_MANY_BLOCKS = 32  # a run of more blocks has larger ones, as enough are left for cores
_MIN_COSTLY, _MIN_SHARED = 1_024, 192  # fewest games of a block if decisions are costly
# Blocks of a costly cell: the most that reach the fewest games
_COSTLY_BLOCKS = (8, 4, 2)
_COSTLY_SCALAR = 64  # games of a block: a few minutes, where each answer takes long
MOST_GAMES = 1_000_000_000_000  # of a cell: their sums stay below 2**53
DETAILED = 16_384  # games if a report is measured: every note is kept in memory


@dataclass(frozen=True)
class Outcome:
    """The result of a block: sums, raw tables by name, and decisions made."""

    block: Block
    sums: pl.DataFrame
    tables: dict[str, pl.DataFrame]
    decisions: int


def block_size(
    cells: Sequence[Cell | Pair], number: int, detailed: bool, looked_at: bool
) -> int:
    """Return the games of a block, in a run of ``number`` games for each cell.

    Blocks are small in a run that may stop early, or that has a costly strategy.
    """
    cost = max(cell.cost for cell in cells)
    if detailed or looked_at or cost > 1:  # small, so that every core has some
        size = DETAILED
    else:
        most = min(games.load(cell.game).blocks for cell in cells)
        size = BLOCK * max(1, min(number // (_MANY_BLOCKS * BLOCK), most))
        if len(cells) == 1 and number > size:
            size = _even(number, size)
    if cost > 1:  # a block for each core, which plays several together
        parts = next((n for n in _COSTLY_BLOCKS if number >= n * _MIN_SHARED), 1)
        size = min(max(size // cost, _MIN_COSTLY), -(-number // parts))
    return min(size, most_of_block(cells))


def most_of_block(cells: Sequence[Cell | Pair]) -> int:
    """Return the most games of a block that the games of these cells allow."""
    known = [games.load(cell.game) for cell in cells]
    costly = any(cell.cost > 1 for cell in cells) and any(one.scalar for one in known)
    return _COSTLY_SCALAR if costly else min(one.most_games for one in known)


def _even(number: int, size: int) -> int:
    """Return the games of a block such that two or four cores have equal work."""
    blocks = -(-number // size)
    return -(-number // (blocks if blocks < 3 else -(-blocks // 4) * 4))


def play_block(
    cell: Cell | Pair, block: Block, detailed: bool = False, keep: tuple[str, ...] = ()
) -> Outcome:
    """Play a block; with ``detailed`` also take the measures of the game's report.

    ``keep`` names the raw tables (notes and kinds of decision) to return.
    """
    return play_counting(cell, block, collected(cell) if detailed else None, keep)


def play_counting(
    cell: Cell | Pair,
    block: Block,
    report: GameReport | None,
    keep: tuple[str, ...] = (),
) -> Outcome:
    """Play a block, and take the measures of this report of the game, if any."""
    if isinstance(cell, Pair):
        played_pair: Outcome = cell.how.play([cell], [block])[0]
        return played_pair
    keep_freed_memory()
    played, raw, sums = _sums_of(cell, block, report, keep)
    tables = {name: raw[name] for name in keep if name in raw}
    return make_outcome(block, sums, played.decisions, tables)


def make_outcome(
    block: Block, sums: pl.DataFrame, decisions: int, tables: dict[str, pl.DataFrame]
) -> Outcome:
    """Return the outcome of a block with these sums and raw tables of its cell.

    Column ``cell`` is the number of the cell; an event's own field of that name
    (Socialism's board has cells) becomes ``event_cell`` in its raw table.
    """
    cell = pl.lit(block.cell, dtype=pl.Int32).alias("cell")
    raw = {
        name: frame.rename({"cell": "event_cell"}, strict=False).select(cell, pl.all())
        for name, frame in tables.items()
    }
    return Outcome(block, sums.with_columns(cell), raw, decisions)


def _sums_of(
    cell: Cell, block: Block, report: GameReport | None, keep: tuple[str, ...]
) -> tuple[PlayedGames, dict[str, pl.DataFrame], pl.DataFrame]:
    """Return the games, the raw tables, and the sums of the end and of the report."""
    end, batches = EndSummary(games.load(cell.game)), block.batches(cell.players)
    sits = role_seating(cell, game_numbers(block))
    if report is None:
        played, raw = record_block(cell, block, keep, [end])
        return played, raw, end.sums(played, batches, sits)
    names = tuple(dict.fromkeys([*report.all_notes, *keep]))
    choices = OptionCounts.of(cell, block)
    played, raw = record_block(cell, block, names, [end, choices])
    counts = chain(
        choices.counts(),
        report.counts_of(raw, report_context(cell, played), block.first),
    )
    parts = [end.sums(played, batches, sits), sums_of(counts, batches)]
    return played, raw, concatenate_sums(parts)


def concatenate_sums(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Concatenate the sums of several measures; missing columns are null.

    Each column is one chunk, so that equal sums are written as equal bytes.
    """
    return pl.concat(parts, how="diagonal", rechunk=True)
