"""Columns shared by tables of Kbernestich; squares and ranks in words."""

from collections.abc import Callable

from reports import counterfactuals, pledges
from reports.report_document import Column

ROUND = Column("round", "round", "round of the game", "count")
GROUPS = (
    *counterfactuals.COUNTERFACTUAL_GROUPS,
    *pledges.PLEDGE_GROUPS,
    ROUND,
    Column("square", "square", "square of the plot sheet"),
    Column("trick", "trick", "trick of the round", "count"),
    Column("rank", "rank", "1 + seats ahead after the round", "count"),
    Column("standing", "standing", "rank before the round; 0 nobody", "count"),
    Column("trump", "trump", "0 to 3 the suits, 4 none", "count"),
    Column("none", "none", "1: no trump", "count"),
    Column("length", "length", "cards of the trump dealt, or longest suit", "count"),
    Column("row", "row", "row of the refill table, from 1", "count"),
    Column("edge", "edge", "first score that receives fewer cubes", "count"),
    Column("above", "above", "1: seats beyond the edge, 0: below it", "count"),
    Column("bid", "bid", "number of the bid on the sheet, from 0", "count"),
    Column("action", "action", "number on the sheet, from 0; -1 none", "count"),
    Column("value", "value", "points per card of a colour", "count"),
    Column("bust", "bust value", "base that may not be exceeded", "count"),
)
"""The columns that group the measures of Kbernestich."""
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
"""Areas of the sheet in words, and the cubes that are not placed."""


def square_words(square: str) -> str:
    """Return a square in words."""
    first, _, rest = square.partition("-")
    if first == "from":
        colour, _, value = rest.rpartition("-")
        return f"from Marie: {COLOURS.get(colour, 'a colour')} {value}"
    words = {
        "to": f"to Marie: {rest}",
        "hunch": f"hunch {rest}",
        "bust": f"bust {rest}",
        "grace": "Hannah's Grace",
    }
    return words.get(first, square)


def rank_words(players: int) -> Callable[[int], str]:
    """Return a function that puts ranks into words; 0 is nobody."""
    ends = {0: "nobody", 1: "the leader", players: "the last"}
    return lambda rank: ends.get(rank, f"rank {rank}")
