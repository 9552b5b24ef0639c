"""Count how often each bit is set in a sequence of masks, game by game.

Counting bit by bit would touch 64 numbers of a game with every mask. So the counts are
kept as bit planes: one mask a game for the ones of all 64 counts, one for the twos, one
for the fours and so on. A mask is added as on paper, by carrying, to all bits at once.
"""

import numpy as np
from numpy.typing import NDArray

from sim.masks import Masks
from sim.view import Rows


class BitCounter:
    """Counts of 64 bits for each of a number of games."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._planes: list[Masks] = []  # (games,) each

    def add(self, rows: Rows, sets: Masks) -> None:
        """Count the bits of (rows,) masks; the rows are of different games."""
        carried = sets
        for plane in self._planes:
            if not carried.any():
                return
            before = plane.take(rows)
            plane[rows] = before ^ carried
            carried = before & carried
        if carried.any():
            plane = np.zeros(self._games, dtype=np.uint64)
            plane[rows] = carried
            self._planes.append(plane)

    def counts(self, places: slice = slice(None)) -> NDArray[np.uint16]:
        """Return (games, 64) how often each bit was set, of the games at ``places``."""
        games = len(range(*places.indices(self._games)))
        totals = np.zeros((games, 64), dtype=np.uint16)
        for number, plane in enumerate(self._planes):
            octets = plane[places].astype("<u8").view(np.uint8).reshape(-1, 8)
            bits = np.unpackbits(octets, axis=1, bitorder="little")
            totals += bits.astype(np.uint16) << np.uint16(number)
        return totals
