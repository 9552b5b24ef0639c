"""Playing a run in blocks: what joblib distributes, what is saved and merged.

A block is a range of games of one cell. It returns sums that add up to those of
the run in any order, and, where they are wanted, raw tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, Pair, PlayedGames
from experiments.core.choices import MEASURES, Choices
from experiments.core.following import Course, Following
from experiments.core.measures import report_in, report_of
from experiments.core.memory import keep_freed_memory
from experiments.core.one_table import Numbers, Shared, of_block, played_together
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
    if isinstance(cell, Pair) and cell.how != "compare":
        return play_what_ifs([cell], [block])[0]
    keep_freed_memory()
    raw: dict[str, pl.DataFrame] = {}
    if isinstance(cell, Cell):
        played, raw, found = _sums_of(cell, block, report, keep)
    else:
        played, both = side_by_side(cell.one, cell.other, block, report)
        found = joined([paired(*sides) for sides in both])
    tables = {name: raw[name] for name in keep if name in raw}
    return outcome(block, found, played.decisions, tables)


def outcome(
    block: Block,
    sums: pl.DataFrame,
    decisions: int,
    tables: dict[str, pl.DataFrame],
) -> Outcome:
    """The outcome of a block with these sums and raw tables of its cell.

    ``cell`` is the number of the cell; what an event itself calls so (Socialism's board
    has cells) is ``event_cell`` in its raw table.
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
    """The summary's sums, and those of the report."""
    end = Summary(games.load(cell.game))
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


def play_what_ifs(pairs: Sequence[Pair], blocks: Sequence[Block]) -> list[Outcome]:
    """Play blocks of what-ifs of one kind at one table: what became of each.

    These are experiments on deals that are alike but for chance, or games in which
    somebody declines.
    """
    keep_freed_memory()
    names, numbers = _recorded(pairs[0]), [numbers_of(block) for block in blocks]
    play = _trials if pairs[0].how == "trial" else _declined
    played, made, sides = play(pairs, numbers, names)
    begins = np.cumsum([0, *(block.count for block in blocks[:-1])]).tolist()
    found = []
    for number, (pair, block) in enumerate(zip(pairs, blocks, strict=True)):
        parts = [(raw, first + begins[number]) for raw, first in sides]
        one, other = (
            of_block(raw, names, slice(at, at + block.count), block)
            for raw, at in parts
        )
        values, report = about_pair(pair, played), report_of(pair.game)
        counts = report.differences_of(one, other, values, block.first)
        sums = joined([nothing(), sums_of(counts)])
        found.append(outcome(block, sums, int(made[number]), {}))
    return found


def _recorded(pair: Pair) -> tuple[str, ...]:
    """What is recorded of a what-if."""
    report = report_of(pair.game)
    return tuple(dict.fromkeys([*report.records, *report.what_ifs.records]))


class _Sides(NamedTuple):
    """What-ifs that were played: who played, and the decisions of each, (pairs,).

    sides: notes of both, and the number that their first game has there.
    """

    played: PlayedGames
    made: NDArray[np.int64]
    sides: tuple[tuple[Raw, int], tuple[Raw, int]]


def _declined(
    pairs: Sequence[Pair], numbers: Sequence[Numbers], names: tuple[str, ...]
) -> _Sides:
    """Games in which somebody declines: until then they take the others' course."""
    game, of, made = games.load(pairs[0].game), *_each(numbers)
    course = Course(game, len(of))
    one, other = (Notes(game, names, 0, len(of)) for _ in range(2))
    listeners, at = [*one.listeners, course], partial(Shared, of, made)
    played = played_together([its.one for its in pairs], numbers, listeners, at)
    raw = one.tables(played)
    how = other.listeners, partial(Following, course)
    again = played_together([its.other for its in pairs], numbers, *how)
    return _Sides(played, made, ((raw, 0), (other.tables(again), 0)))


def _trials(
    pairs: Sequence[Pair], numbers: Sequence[Numbers], names: tuple[str, ...]
) -> _Sides:
    """Experiments on deals, in both games of all of them at once."""
    game, of, made = games.load(pairs[0].game), *_each([*numbers, *numbers])
    trial: Any = replace(pairs[0].one.trial, turned=of >= len(pairs))
    notes = Notes(game, names, 0, len(of))
    cells = [*(its.one for its in pairs), *(its.other for its in pairs)]
    how = notes.listeners, partial(Shared, of, made), trial
    played = played_together(cells, [*numbers, *numbers], *how)
    raw = notes.tables(played)
    return _Sides(played, made[: len(pairs)], ((raw, 0), (raw, len(of) // 2)))


def _each(numbers: Sequence[Numbers]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(games,) which of these each game is of, and (these,) zeros."""
    sizes = [len(some) for some in numbers]
    return np.repeat(np.arange(len(sizes)), sizes), np.zeros(len(sizes), dtype=np.int64)


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
