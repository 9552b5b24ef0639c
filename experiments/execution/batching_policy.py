"""Which blocks of a run are played together: those that do not fill a table alone.

Every core needs blocks to play, so the number of games at a table depends on the number
of cores. Results do not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from experiments.core.batched_cells import batching_key
from experiments.core.block_records import Block
from experiments.core.cells import Cell, Pair
from experiments.execution.block_tasks import BatchKey
from experiments.execution.worker_pool import process_count

_TABLES_PER_CORE = 2  # at least, of this turn and all later ones
# Games at a table; a game with search counts once for each rollout of an option.
_MIN_GAMES = 1_024  # however many cores there are
_MAX_GAMES = 16_384  # however few cores there are
_FULL = 8_192  # games of a block that is quicker alone


@dataclass(frozen=True)
class BatchingPolicy:
    """The ``BatchKey`` of each block; blocks that fill a table are played alone."""

    shares: Mapping[int, BatchKey]  # by the number of the cell
    alone: Mapping[int, int]  # games that fill a table, by the number of the cell

    def of(self, block: Block) -> BatchKey:
        """Return the key of a block."""
        share = self.shares.get(block.cell, BatchKey())
        if block.count < self.alone.get(block.cell, 0):
            return share
        return BatchKey(share.turn)


UNBATCHED = BatchingPolicy({}, {})
"""No blocks are played together."""


def batching_policy(
    cells: Sequence[Cell | Pair],
    games: Sequence[int],
    turns: Sequence[Sequence[int]],
    size: int,
    jobs: int,
) -> BatchingPolicy:
    """Return the policy of a run; ``turns``: the numbers of cells, turn by turn."""
    shares: dict[int, BatchKey] = {}
    cores, left = process_count(jobs), 0
    costs = [cell.cost for cell in cells]
    if max(costs) == 1:
        alone = dict.fromkeys(range(len(cells)), min(size, _FULL))
    else:  # blocks are small, because a cell is costly
        alone = {at: min(_MAX_GAMES // cost, _FULL) for at, cost in enumerate(costs)}
    for turn, numbers in reversed([*enumerate(turns)]):
        tables = {at: batching_key(cells[at]) for at in numbers}
        shareable = [at for at in numbers if tables[at] is not None]
        small = {at: _small(games[at], size, alone[at]) for at in shareable}
        total = sum(number * costs[at] for at, number in small.items())
        left += total  # later turns fill gaps, but every core has a part of this one
        each = -(-total // cores)
        alike = len({tables[at] for at in small}) == 1
        if not (alike and total == left):  # tables differ in cost, or others follow
            each = min(left // (_TABLES_PER_CORE * cores), each)
        most = _MAX_GAMES if cores == 1 else min(max(each, _MIN_GAMES), _MAX_GAMES)
        room = {at: -(-most // costs[at]) for at in numbers}
        shares |= {at: BatchKey(turn, tables[at], room[at]) for at in numbers}
    return BatchingPolicy(shares, alone)


def _small(games: int, size: int, alone: int) -> int:
    """Return the games of a cell that are in blocks that do not fill a table."""
    rest = games % size
    return games if size < alone else rest if rest < alone else 0
