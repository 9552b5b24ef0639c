"""Which blocks of a run are played together: those that do not fill a table alone.

Each core is to have some to play, so how many play together hangs on the cores. What is
found does not.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from experiments.core.cells import Cell, Pair
from experiments.core.recording import Block
from experiments.core.together import table_of
from experiments.execution.backends import processes

_EACH = 2  # tables that a core is to have at least
_FEW = 1_024  # games at a table, however many cores there are
_MANY = 16_384  # games at a table, however few
_FULL = 8_192  # games of a block that is quicker alone


@dataclass(frozen=True)
class Sharing:
    """Of each cell the table that it may share, and how many games that holds."""

    turns: Mapping[int, int]  # by the number of the cell
    tables: Mapping[int, Hashable]
    most: Mapping[int, int]
    size: int  # of a block that is finished, and kept, by itself

    def of(self, block: Block) -> tuple[int, Hashable, int]:
        """The turn of a block, its table, and how many games that holds."""
        cell = block.cell
        turn = self.turns.get(cell, 0)
        if block.count >= self.size or cell not in self.tables:
            return turn, None, 0
        return turn, self.tables[cell], self.most[cell]


ALONE = Sharing({}, {}, {}, 0)
"""No blocks are played together."""


def sharing(
    cells: Sequence[Cell | Pair],
    games: Sequence[int],
    turns: Sequence[Sequence[int]],
    size: int,
    jobs: int,
) -> Sharing:
    """What the cells may share: the numbers of the cells of each turn do."""
    when: dict[int, int] = {}
    tables: dict[int, Hashable] = {}
    most: dict[int, int] = {}
    cores = processes(jobs)
    for turn, numbers in enumerate(turns):
        some = {at: found for at in numbers if (found := table_of(cells[at]))}
        small = (games[at] % size for at in some)
        total = sum(rest for rest in small if rest < _FULL)
        each = _MANY if cores == 1 else max(total // (_EACH * cores), _FEW)
        when |= dict.fromkeys(numbers, turn)
        tables |= some
        most |= dict.fromkeys(some, min(each, _MANY))
    return Sharing(when, tables, most, min(size, _FULL))
