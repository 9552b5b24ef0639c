"""A rule set that is played in growing numbers of games, and its lines after each.

Base and variant play the same games, in the same blocks as everywhere
(``experiments.analysis.batches``), so the numbers are those of ``levers`` and
``compare`` with the same seed. Lines are looked at each time that games have doubled;
as that is many looks, intervals are those of a confidence sequence, which hold at all
of them (``reports.statistics.sequential``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import polars as pl

from experiments.analysis.batches import play_batches
from experiments.analysis.effects import BLOCK, seated, values_of
from experiments.analysis.score_lines import Line
from experiments.core.blocks import add_up
from experiments.core.cells import Cell
from experiments.core.recording import Block
from experiments.execution.results import Results
from experiments.execution.tasks import Task
from experiments.explore.workers import Workers
from reports.statistics import sequential
from reports.statistics.intervals import Array

FIRST = 512
"""Games of the first look; fewer where a strategy is costly."""
_COSTLY = 64
_Z = 1.959963984540054


@dataclass
class Side:
    """A rule set at its tables: sums of the games so far, and what was seen at looks.

    ``seen`` has the numbers of each line (1 + BATCHES,) by number of games.
    """

    lines: tuple[Line, ...]
    cells: tuple[Cell, ...]
    sums: pl.DataFrame | None = None
    games: int = 0
    seen: dict[int, dict[str, Array]] = field(default_factory=dict)

    @classmethod
    def of(cls, cell: Cell, *, mixed: bool = True) -> "Side":
        """The tables of these rules where this cell's strategy leads."""
        lines, cells = seated([cell], mixed=mixed)
        return cls(lines, tuple(cell.resolved() for cell in cells))

    @property
    def costly(self) -> bool:
        """Whether a strategy here takes long."""
        return any(one.cost > 1 for cell in self.cells for one in cell.strategies())

    def tasks(self, games: int) -> list[Task]:
        """What is to be played until there are so many games."""
        size = _COSTLY if self.costly else BLOCK
        return [
            Task(cell, Block(at, n, min(size, games - n)), False, (), play_batches)
            for at, cell in enumerate(self.cells)
            for n in range(self.games, games, size)
        ]

    def look(self, parts: Sequence[pl.DataFrame], games: int) -> None:
        """Add the sums of blocks, after which there are so many games."""
        self.sums = add_up([*([] if self.sums is None else [self.sums]), *parts])
        self.games = games
        played = (games,) * len(self.cells)
        found = Results(self.cells, games, self.sums, played)
        [self.seen[games]] = values_of(found, self.lines, len(self.cells))


def play(
    sides: Sequence[Side], games: int, workers: Workers, wanted: Callable[[], bool]
) -> None:
    """Play these rule sets until each has seen so many games, or raise ``Dropped``."""
    behind = [side for side in sides if games not in side.seen]
    parts: dict[int, list[pl.DataFrame]] = {at: [] for at in range(len(behind))}
    tasks = [(at, task) for at, side in enumerate(behind) for task in side.tasks(games)]
    for at, done in workers.play(tasks, wanted):
        parts[at].append(done.sums)
    for at, side in enumerate(behind):
        side.look(parts[at], games)


def first_look(side: Side) -> int:
    """After how many games this side is looked at first."""
    return _COSTLY if side.costly else FIRST


def wider(games: int, first: int) -> float:
    """How many times wider intervals are, for all the looks from the first one on."""
    return float(sequential.multiplier(games / first)) / _Z
