"""A run of six blocks, and how it is interrupted in the fourth."""

from pathlib import Path
from typing import Any

import pytest

from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.execution import run as running
from experiments.execution.results import Results
from experiments.execution.run import run
from sim import games

CELL = Cell(
    "kunitame",
    games.load("kunitame").rules(),
    4,
    ("greedy", "random", "random", "random"),
    rotate=True,
    seed=7,
)
GAMES, BLOCK = 1_200, 200


def go(out: Path | None, games: int = GAMES, **how: Any) -> Results:
    """Play it, or go on with it, with a raw table where there is a directory."""
    keep = {"tables": ["gem"]} if out else {}
    return run([CELL], games, block=BLOCK, out=out, **keep, **how)


def interrupted(out: Path) -> None:
    """Play three blocks of it."""

    def broken(cell, block, *rest):
        if block.first == 600:
            raise KeyboardInterrupt
        return play_block(cell, block, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "play_block", broken)
        with pytest.raises(KeyboardInterrupt):
            go(out)


def block_of(out: Path) -> Path:
    """The file of the second block."""
    return out / "blocks" / "0000-000000000200-200.parquet"
