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
    """The share of blocks that do not fill a table: the last one, or all, of a cell."""

    shares: Mapping[int, Share]  # by the number of the cell
    alone: Mapping[int, int]  # so many games fill a table of the cell's

    def of(self, block: Block) -> Share:
        """The share of a block."""
        share = self.shares.get(block.cell, Share())
        if block.count < self.alone.get(block.cell, 0):
            return share
        return Share(share.turn)


ALONE = Sharing({}, {})
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
    costs = [cell.cost for cell in cells]
    if max(costs) == 1:
        alone = dict.fromkeys(range(len(cells)), min(size, _FULL))
    else:  # blocks are small, for cells that cost more
        alone = {at: min(_MANY // cost, _FULL) for at, cost in enumerate(costs)}
    for turn, numbers in reversed([*enumerate(turns)]):
        tables = {at: table_of(cells[at]) for at in numbers}
        some = [at for at in numbers if tables[at] is not None]
        small = {at: _small(games[at], size, alone[at]) for at in some}
        total = sum(number * costs[at] for at, number in small.items())
        left += total  # what comes later fills the gaps; but each core has a part
        each = -(-total // cores)
        alike = len({tables[at] for at in small}) == 1
        if not (alike and total == left):  # some take longer, or must be done earlier
            each = min(left // (_EACH * cores), each)
        most = _MANY if cores == 1 else min(max(each, _FEW), _MANY)
        room = {at: -(-most // costs[at]) for at in numbers}
        shares |= {at: Share(turn, tables[at], room[at]) for at in numbers}
    return Sharing(shares, alone)


def _small(games: int, size: int, alone: int) -> int:
    """How many of the games of a cell are in blocks that do not fill a table."""
    rest = games % size
    return games if size < alone else rest if rest < alone else 0
