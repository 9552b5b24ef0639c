"""Which blocks of a run are played together: those that do not fill a table alone.

Each core is to have some to play, so how many play together hangs on the cores. What is
found does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from experiments.core.cells import Cell, Pair
from experiments.core.recording import Block
from experiments.core.together import table_of
from experiments.execution.tasks import Share
from experiments.execution.workers import processes

_EACH = 2  # tables that a core is to have at least, of this turn and all later ones
# Games at a table; of searchers each counts as those that it plays out for an option.
_FEW = 1_024  # however many cores there are
_MANY = 16_384  # however few
_FULL = 8_192  # games of a block that is quicker alone


@dataclass(frozen=True)
class Sharing:
    """The share of each cell's last block, if that does not fill a table."""

    shares: Mapping[int, Share]  # by the number of the cell
    size: int  # of a block that is finished, and kept, by itself

    def of(self, block: Block) -> Share:
        """The share of a block."""
        share = self.shares.get(block.cell, Share())
        return share if block.count < self.size else Share(share.turn)


ALONE = Sharing({}, 0)
"""No blocks are played together."""


def sharing(
    cells: Sequence[Cell | Pair],
    games: Sequence[int],
    turns: Sequence[Sequence[int]],
    size: int,
    jobs: int,
) -> Sharing:
    """What the cells may share: the numbers of the cells of each turn do."""
    shares: dict[int, Share] = {}
    cores, left = processes(jobs), 0
    for turn, numbers in reversed([*enumerate(turns)]):
        tables = {at: table_of(cells[at]) for at in numbers}
        costs = {at: cells[at].cost for at in numbers}
        small = {at: games[at] % size for at in numbers if tables[at] is not None}
        total = sum(rest * costs[at] for at, rest in small.items() if rest < _FULL)
        left += total  # what comes later fills the gaps; but each core has a part
        each = min(left // (_EACH * cores), -(-total // cores))
        most = _MANY if cores == 1 else min(max(each, _FEW), _MANY)
        shares |= {at: Share(turn, tables[at], most // costs[at]) for at in numbers}
    return Sharing(shares, min(size, _FULL))
