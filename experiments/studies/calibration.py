"""What a study will take: games, time and disk, from a few games of a few cells.

The time of a block is taken as a part for each block and a part for each game; both
come from two small blocks of up to ``SAMPLE`` cells spread over the plan.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from experiments.core.blocks import Outcome, play_block, size_of
from experiments.core.cells import Cell
from experiments.core.recording import Block
from experiments.execution.disk import to_bytes
from experiments.execution.workers import processes
from experiments.studies.plans import Plan
from experiments.studies.play import stop_of

SAMPLE = 6
_BLOCKS = 512, 4_096  # games of the two blocks, each played twice
_DEAR = 32, 128  # the same where somebody's decisions cost much, each once
_START = 1.0  # seconds until worker processes have imported fairdeal
_TOLD = 12_000  # bytes a cell in manifest.json and study.json
_REST = 8_000  # bytes of what is written once


@dataclass(frozen=True)
class Estimate:
    """What a study will take; ``games`` are all of it, the most where it may stop."""

    cells: int
    games: int
    blocks: int
    seconds: float
    bytes: int
    jobs: int
    tried: int  # cells
    expected: int | None  # games, where a precision is wanted and may be reached


@dataclass(frozen=True)
class _Tried:
    """What a cell took."""

    block: float  # seconds a block
    game: float  # seconds a game
    sums: int  # bytes a block
    raw: float  # bytes a game
    expected: float  # games until it is precise enough


def estimate(plan: Plan, jobs: int = 1) -> Estimate:
    """Play a little of a plan and tell what all of it will take."""
    tried = list(_tries(plan))
    games = plan.games * len(plan.cells)
    expected = None
    if plan.precision is not None:
        wanted = [min(one.expected, plan.games) for one in tried]
        expected = round(sum(wanted) / len(wanted) * len(plan.cells))
    detailed, looked_at = plan.detailed or bool(plan.tables), plan.precision is not None
    size = size_of(plan.cells, plan.games, detailed, looked_at)
    played = games if expected is None else expected
    blocks = max(len(plan.cells), math.ceil(played / size))
    each = {
        name: sum(getattr(one, name) for one in tried) / len(tried)
        for name in ("block", "game", "sums", "raw")
    }
    hands = max(1, min(_processes(jobs), blocks))
    return Estimate(
        cells=len(plan.cells),
        games=games,
        blocks=blocks,
        seconds=(each["block"] * blocks + each["game"] * played) / hands
        + (_START if hands > 1 else 0.0),
        bytes=round(
            each["sums"] * (blocks + len(plan.cells))
            + each["raw"] * played
            + _TOLD * len(plan.cells)
            + _REST
        ),
        jobs=hands,
        tried=len(tried),
        expected=expected,
    )


def _tries(plan: Plan) -> Iterator[_Tried]:
    """A few cells, from the first to the last."""
    count = min(SAMPLE, len(plan.cells))
    numbers = np.linspace(0, len(plan.cells) - 1, count).round().astype(int)
    # Imports and first calls are not counted.
    _timed(plan, plan.cells[0], _sizes(plan.cells[0])[0])
    for number in numbers:
        yield _try(plan, plan.cells[number])


def _sizes(cell: Cell) -> tuple[int, int]:
    return _BLOCKS if cell.cost == 1 else _DEAR


def _try(plan: Plan, cell: Cell) -> _Tried:
    small, large = _sizes(cell)
    times = 2 if cell.cost == 1 else 1
    few, _ = min((_timed(plan, cell, small) for _ in range(times)), key=itemgetter(0))
    many, found = min(
        (_timed(plan, cell, large) for _ in range(times)), key=itemgetter(0)
    )
    game = max(many - few, 0.0) / (large - small)
    stop = stop_of(plan)
    reached = math.nan if stop is None else stop.expected(found.sums, large)
    return _Tried(
        block=max(few - game * small, 0.0),
        game=game or many / large,
        sums=len(to_bytes(found.sums)),
        raw=sum(len(to_bytes(frame)) for frame in found.tables.values()) / large,
        expected=plan.games if math.isnan(reached) else reached,
    )


def _timed(plan: Plan, cell: Cell, games: int) -> tuple[float, Outcome]:
    start = time.perf_counter()
    found = play_block(cell, Block(0, 0, games), plan.detailed, plan.tables)
    return time.perf_counter() - start, found


def _processes(jobs: int) -> int:
    return min(processes(jobs), processes(-1))
