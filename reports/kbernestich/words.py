"""Columns that many tables of Kbernestich have, and squares in words."""

from reports.page import Column

ROUND = Column("round", "round", "round of the game", "count")
SQUARE = Column("square", "square", "square of the plot sheet")
COLOURS = {"B": "blue", "R": "red", "Y": "yellow", "G": "green"}
AREA_WORDS = {
    "to": "Letter to Marie",
    "hunch": "Hunch of Growth",
    "from": "Letter from Marie",
    "zabine": "Zabine's Aftermath",
    "grace": "Hannah's Grace",
    "action": "Action",
    "kept": "kept",
}
"""Areas of the sheet, and where cubes stay that are not placed."""


def square_words(square: str) -> str:
    """A square as one would say it."""
    first, _, rest = square.partition("-")
    if first == "from":
        colour, _, value = rest.rpartition("-")
        return f"from Marie: {COLOURS.get(colour, 'a colour')} {value}"
    said = {
        "to": f"to Marie: {rest}",
        "hunch": f"hunch {rest}",
        "bust": f"bust {rest}",
        "grace": "Hannah's Grace",
    }
    return said.get(first, square)


def place_name(place: int) -> str:
    """A place after the start player, in words."""
    return f"{place} after" if place else "start player"
