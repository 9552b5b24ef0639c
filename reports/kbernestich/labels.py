"""Columns shared by tables of Kbernestich, and squares in words."""

from reports import counterfactuals, pledges
from reports.report_document import Column

ROUND = Column("round", "round", "round of the game", "count")
GROUPS = (
    *counterfactuals.COUNTERFACTUAL_GROUPS,
    *pledges.PLEDGE_GROUPS,
    ROUND,
    Column("square", "square", "square of the plot sheet"),
    Column("trick", "before trick", "the trick that comes next", "count"),
    Column("rank", "rank", "1 + seats ahead after the round", "count"),
    Column("standing", "standing", "the setter's rank before the round", "count"),
    Column("row", "row", "row of the refill table, from 1", "count"),
    Column("bid", "bid", "tricks bid on"),
    Column("bust", "bust value", "base that may not be exceeded", "count"),
)
"""The columns that group the measures of Kbernestich."""
_COLOURS = {"B": "blue", "R": "red", "Y": "yellow", "G": "green"}
AREA_WORDS = {
    "to": "Letter to Marie",
    "hunch": "Hunch of Growth",
    "from": "Letter from Marie",
    "zabine": "Zabine's Aftermath",
    "grace": "Hannah's Grace",
    "action": "Action",
    "kept": "kept",
}
"""Areas of the sheet in words, and the cubes that are not placed."""


def square_words(square: str) -> str:
    """Return a square in words."""
    first, _, rest = square.partition("-")
    if first == "from":
        colour, _, value = rest.rpartition("-")
        return f"from Marie: {_COLOURS.get(colour, 'a colour')} {value}"
    words = {
        "to": f"to Marie: {rest}",
        "hunch": f"hunch {rest}",
        "bust": f"bust {rest}",
        "grace": "Hannah's Grace",
    }
    return words.get(first, square)


def rank_words(rank: int, players: int) -> str:
    """Return a rank in words."""
    return {1: "the leader", players: "the last"}.get(rank, f"rank {rank}")
