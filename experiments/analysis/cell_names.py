"""How the cells of a comparison are told apart, in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.analysis.sides import seats_of
from experiments.core.cells import Cell


@dataclass(frozen=True)
class CellNames:
    """Columns that tell cells apart, and a row a cell; none where there is one cell."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> "CellNames":
        """By players and lineup, or by number where that is not enough."""
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
        """The name of a cell in words: ``4 players, allround``; "" of the only one."""
        told = dict(zip(self.columns, self.rows[cell], strict=True))
        parts = [f"cell {told['cell']}"] if "cell" in told else []
        parts += [f"{told['players']} players"] if "players" in told else []
        return ", ".join([*parts, *([told["lineup"]] if "lineup" in told else [])])
