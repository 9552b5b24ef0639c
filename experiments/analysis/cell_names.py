"""Names that distinguish the cells of a comparison."""

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.analysis.comparison_arms import seats_of
from experiments.core.cells import Cell


@dataclass(frozen=True)
class CellNames:
    """Columns that distinguish cells, with one row per cell; none for a single cell."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> "CellNames":
        """Name cells by players and lineup, or by number if that is not enough."""
        values = {
            "players": [str(cell.players) for cell in cells],
            "lineup": [seats_of(cell) for cell in cells],
        }
        values = {name: words for name, words in values.items() if len(set(words)) > 1}
        if len(set(zip(*values.values(), strict=True))) < len(cells) > 1:
            values = {"cell": [str(number) for number in range(len(cells))], **values}
        rows = list(zip(*values.values(), strict=True)) or [()] * len(cells)
        return cls(list(values), rows)

    def words(self, cell: int) -> str:
        """Return a name, as ``4 players, allround``; "" for a single cell."""
        values = dict(zip(self.columns, self.rows[cell], strict=True))
        parts = [f"cell {values['cell']}"] if "cell" in values else []
        parts += [f"{values['players']} players"] if "players" in values else []
        return ", ".join([*parts, *([values["lineup"]] if "lineup" in values else [])])
