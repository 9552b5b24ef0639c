"""Playing a run in blocks: what joblib distributes, what is saved and merged.

A block is a range of games of one cell. It returns sums that add up to those of
the run in any order, and, where they are wanted, raw tables.
"""

from collections.abc import Mapping, Sequence
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
from experiments.core.paired_sums import paired, side_by_side
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

Raw = Mapping[str, pl.DataFrame]
BLOCK = 65_536  # games: fewer are slower for the calls, more seldom win (``bench``)
_LONG = 32  # blocks of a run that can spare some: they become fewer and larger
_COSTLY, _FEWEST = 1_024, 192  # games of a block, however much each decision costs
_PARTS = 8, 4, 2  # blocks of a costly run, that have the fewest games at least
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
        if len(cells) == 1 and number > size:
            size = _even(number, size)
    if cost > 1:  # parts for some cores, which play several together (``Sharing``)
        parts = next((n for n in _PARTS if number >= n * _FEWEST), 1)
        size = min(max(size // cost, _COSTLY), -(-number // parts))
    return size


def _even(number: int, size: int) -> int:
    """Games of a block, so that each has as many, and two or four hands too."""
    blocks = -(-number // size)
    return -(-number // (blocks if blocks < 3 else -(-blocks // 4) * 4))


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
        played, both = side_by_side(cell.one, cell.other, block, report)
        found = joined([paired(*sides) for sides in both])
    elif cell.how == "trial":
        return play_trials([cell], [block])[0]
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
    """Sums of what the game's report says of a decision that is declined."""
    names, course = _recorded(pair), Course(games.load(pair.game), block.count)
    played, raw = record(pair.one, block, names, [course])
    _, other = record(pair.other, block, names, [], partial(Following, course))
    return played, _differ(pair, block, played, raw, other)


def _recorded(pair: Pair) -> tuple[str, ...]:
    """What is recorded of a what-if."""
    report = report_of(pair.game)
    return tuple(dict.fromkeys([*report.records, *report.what_ifs.records]))


def _differ(
    pair: Pair, block: Block, played: PlayedGames, one: Raw, other: Raw
) -> pl.DataFrame:
    """The sums of what the game's report says of a what-if, of raw tables of both."""
    values, report = about_pair(pair, played), report_of(pair.game)
    counts = report.differences_of(one, other, values, block.first)
    return joined([nothing(), sums_of(counts)])


def play_trials(pairs: Sequence[Pair], blocks: Sequence[Block]) -> list[Outcome]:
    """Play blocks of experiments on deals that are alike but for chance, at one table.

    Both games of all of them.
    """
    keep_freed_memory()
    cells, names = [one.one for one in pairs], _recorded(pairs[0])
    numbers = [numbers_of(block) for block in blocks] * 2
    of = np.repeat(np.arange(len(numbers)), [len(its) for its in numbers])
    made = np.zeros(len(numbers), dtype=np.int64)
    trial: Any = replace(cells[0].trial, turned=of >= len(pairs))
    notes = Notes(games.load(pairs[0].game), names, 0, len(of))
    how = notes.listeners, partial(Shared, of, made), trial
    played = played_together([*cells, *(one.other for one in pairs)], numbers, *how)
    raw, found = notes.tables(played), []
    ends = np.cumsum([0, *(len(its) for its in numbers)]).tolist()
    for number, (pair, block) in enumerate(zip(pairs, blocks, strict=True)):
        sides = (slice(*ends[at : at + 2]) for at in (number, number + len(pairs)))
        one, other = (of_block(raw, names, side, block) for side in sides)
        sums = _differ(pair, block, played, one, other)
        found.append(outcome(block, sums, int(made[number]), {}))
    return found


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
