"""Estimate what a study will take, in time and disk, from a few games of a few cells.

The time of a block is modelled as a part for the block and a part for each game; both
come from two small blocks of up to ``SAMPLE`` cells spread over the plan.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from experiments.core.block_records import Block
from experiments.core.blocks import Outcome, block_size, play_block
from experiments.core.cells import Cell
from experiments.execution.atomic_files import to_bytes
from experiments.execution.worker_pool import process_count
from experiments.studies.plans import Plan
from experiments.studies.run_study import stopping_rule

SAMPLE = 6
_BLOCKS = 512, 4_096  # games of the two blocks, each played twice
_COSTLY_BLOCKS = 32, 128  # games of the two blocks with costly decisions, played once
_START = 1.0  # seconds until worker processes have imported fairdeal
_CELL_BYTES = 12_000  # of a cell in manifest.json and study.json
_FIXED_BYTES = 8_000  # of files that are written once


@dataclass(frozen=True)
class CostEstimate:
    """What a study will take; ``games`` is the total, the most if it may stop early."""

    cells: int
    games: int
    blocks: int
    seconds: float
    bytes: int
    jobs: int
    tried: int  # cells
    expected: int | None  # games that a precision will probably need
    lessons: float  # seconds, of one core, for which players learn before


@dataclass(frozen=True)
class _CellCost:
    """What a cell took."""

    block: float  # seconds a block
    game: float  # seconds a game
    sums: int  # bytes a block
    raw: float  # bytes a game
    expected: float  # games until it is precise enough


def estimate_cost(plan: Plan, jobs: int = 1) -> CostEstimate:
    """Play a little of a plan, and estimate what all of it will take."""
    costs = list(_costs(plan))
    games = plan.games * len(plan.cells)
    expected = None
    if plan.precision is not None:
        needed = [min(cost.expected, plan.games) for cost in costs]
        expected = round(sum(needed) / len(needed) * len(plan.cells))
    detailed, looked_at = plan.detailed or bool(plan.tables), plan.precision is not None
    size = block_size(plan.cells, plan.games, detailed, looked_at)
    played = games if expected is None else expected
    blocks = max(len(plan.cells), math.ceil(played / size))
    mean = {
        name: sum(getattr(cost, name) for cost in costs) / len(costs)
        for name in ("block", "game", "sums", "raw")
    }
    workers = max(1, min(process_count(jobs), process_count(-1), blocks))
    return CostEstimate(
        cells=len(plan.cells),
        games=games,
        blocks=blocks,
        seconds=(mean["block"] * blocks + mean["game"] * played) / workers
        + (_START if workers > 1 else 0.0),
        bytes=round(
            mean["sums"] * (blocks + len(plan.cells))
            + mean["raw"] * played
            + _CELL_BYTES * len(plan.cells)
            + _FIXED_BYTES
        ),
        jobs=workers,
        tried=len(costs),
        expected=expected,
        lessons=plan.adapt * len(plan.learners),
    )


def _costs(plan: Plan) -> Iterator[_CellCost]:
    """Yield the costs of a few cells, from the first to the last."""
    count = min(SAMPLE, len(plan.cells))
    numbers = np.linspace(0, len(plan.cells) - 1, count).round().astype(int)
    # Imports and first calls are not timed
    _timed(plan, plan.cells[0], _sizes(plan.cells[0])[0])
    for number in numbers:
        yield _cost(plan, plan.cells[number])


def _sizes(cell: Cell) -> tuple[int, int]:
    return _BLOCKS if cell.cost == 1 else _COSTLY_BLOCKS


def _cost(plan: Plan, cell: Cell) -> _CellCost:
    small, large = _sizes(cell)
    times = 2 if cell.cost == 1 else 1  # the faster of two is less noisy
    short, _ = min((_timed(plan, cell, small) for _ in range(times)), key=itemgetter(0))
    long, played = min(
        (_timed(plan, cell, large) for _ in range(times)), key=itemgetter(0)
    )
    game = max(long - short, 0.0) / (large - small)
    stop = stopping_rule(plan)
    reached = math.nan if stop is None else stop.expected(played.sums, large)
    return _CellCost(
        block=max(short - game * small, 0.0),
        game=game or long / large,
        sums=len(to_bytes(played.sums)),
        raw=sum(len(to_bytes(frame)) for frame in played.tables.values()) / large,
        expected=plan.games if math.isnan(reached) else reached,
    )


def _timed(plan: Plan, cell: Cell, games: int) -> tuple[float, Outcome]:
    start = time.perf_counter()
    played = play_block(cell, Block(0, 0, games), plan.detailed, plan.tables)
    return time.perf_counter() - start, played
