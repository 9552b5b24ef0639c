"""A cell of a report's panel: what it is there for, and how many games it needs."""

from dataclasses import dataclass, replace

from experiments.core.branching import asked
from experiments.core.cells import Cell, Pair

_NEEDS = {
    **dict.fromkeys(("self", "noisy", "beside"), (4, 2_048)),
    "one": (8, 1_024),
    **dict.fromkeys(("against", "mixed"), (16, 512)),
}
"""Of lineups beside the leading one, by kind: one in how many games, and at least."""
_TRYING = 2, 4_096
"""The same of another strategy whose decisions are tried."""


@dataclass(frozen=True)
class PanelCell:
    """A cell of the panel, and what it is there for."""

    cell: Cell | Pair
    kind: str  # self, against, mixed, given; what-ifs; noisy, one, search
    declining: str = ""
    moment: int = 0
    changes: str = ""

    @property
    def untried(self) -> "PanelCell":
        """The same with nothing tried in it."""
        if isinstance(self.cell, Pair):
            return self
        return replace(self, cell=replace(self.cell, branching=None, knocked=None))

    def games(self, lead: str, most: int) -> int:
        """How many games it needs, where the leading lineup has ``most``.

        Enough for the precision that its part of the page needs: where it is a way to
        play, or rules beside, to which findings are held, a win share is told to the 2
        points that these are about; where one strategy meets a table of another, to 3
        and 4 points, as they differ by more. But never less than a fixed part of
        ``most``: who asks for more games wants all of the page to be more precise.
        """
        if self.kind not in _NEEDS or (self.kind, self.cell.title()) == ("self", lead):
            return most
        tries = isinstance(self.cell, Cell) and asked(self.cell.branching)
        part, least = _TRYING if self.kind == "self" and tries else _NEEDS[self.kind]
        return max(most // part, min(most, least))


Searching = tuple[list[PanelCell], int]
"""Cells in which somebody searches, and the games of each."""
