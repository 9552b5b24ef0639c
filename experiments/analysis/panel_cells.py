"""The cells of a report's panel: their purposes and numbers of games."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from experiments.core.cells import Cell, Pair
from reports.report_data import BEGINNER, ONE_BEGINNER

_NEEDS = {
    **dict.fromkeys(("self", "noisy", "beside"), (4, 2_048)),
    **dict.fromkeys(("one", BEGINNER, ONE_BEGINNER), (8, 1_024)),
    **dict.fromkeys(("against", "mixed"), (16, 512)),
}
"""Games of lineups other than the leading one, by kind: divisor, and least number."""
_WHAT_IFS = ("paired", "tried", "beside")
"""Kinds of cells that are what-ifs of a section."""
_TRYING = 2, 4_096
"""Divisor and least number for another strategy whose decisions are tried."""


@dataclass(frozen=True)
class PanelCell:
    """A cell of the panel, and its purpose."""

    cell: Cell | Pair
    # self, against, mixed, given; what-ifs; noisy, beginner, one beginner, one, search;
    # strong, taught, and one strong, one taught
    kind: str
    declining: str = ""
    moment: int = 0
    changes: str = ""
    of: str = ""  # the section with its what-ifs; "": all sections use its games
    tried: bool = False  # whether a section, made or not, tries its decisions

    @property
    def is_what_if(self) -> bool:
        """Whether the cell is played for its section alone."""
        return self.kind in _WHAT_IFS

    @property
    def without_interventions(self) -> "PanelCell":
        """The cell whose games are played only as they are."""
        if isinstance(self.cell, Pair):
            return self
        return replace(self, cell=replace(self.cell, interventions=None))

    def games(self, lead: str, most: int) -> int:
        """Return how many games it needs if the leading lineup plays ``most``.

        Enough for the precision that its part of the page needs. If findings are tested
        with it (other strategies or rules), win shares need a precision of 2 points;
        if one strategy meets a table of another, 3 to 4 points, because these differ by
        more. But never less than a fixed part of ``most``: who asks for more games
        wants the whole page to be more precise.
        """
        if self.kind not in _NEEDS or (self.kind, self.cell.title()) == ("self", lead):
            return most
        part, least = _TRYING if self.tried else _NEEDS[self.kind]
        return max(most // part, min(most, least))


Searching = tuple[list[PanelCell], int]
"""Cells with search players, and the number of games of each."""


def detailed_of(counts: Sequence[int]) -> int:
    """Return the number of players that details are about: 4, or the nearest."""
    return min(counts, key=lambda n: (abs(n - 4), n))
