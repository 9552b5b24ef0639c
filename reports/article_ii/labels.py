"""Words and columns that sections of Article II share."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from reports.article_ii.game_arrays import PHASE_WORDS
from reports.measure_tables import WordColumn
from reports.report_data import ReportData
from reports.report_document import Column

GROUPS = (
    Column("phase", "phase", "1 Primary, 2 General", "count"),
    Column("card", "card", "the card"),
    Column("rank", "rank", "1 + seats with a higher total of the Primary", "count"),
    Column("standing", "standing", "how a seat stands as the General begins", "count"),
    Column("decider", "decider", "whose choice is the last to decide", "count"),
    Column("decides", "decides", "what the options of a choice change", "count"),
    Column("round", "round", "round of the General", "count"),
)
"""The columns that group the measures of Article II."""
PHASE = WordColumn("election", "phase", "Primary or General", PHASE_WORDS, "phase")


def card_column(data: ReportData) -> WordColumn:
    """Return the column of cards in words."""
    doc = "Electability and Affiliation, or that it is a Style"
    return WordColumn("card_words", "card", doc, partial(card_words, data), "card")


def card_words(data: ReportData, card: str) -> str:
    """Return a card with its numbers, as (Electability, Affiliation)."""
    row: Mapping[str, Any] = next(
        (row for row in data.rules["cards"] if row["id"] == card), {}
    )
    kinds = {"style": "Style", "draw": "draws", "remove": "removes"}
    electability, affiliation = (
        f"{row.get(name, 0):+d}".replace("-", "\N{MINUS SIGN}").replace("+0", "0")
        for name in ("electability", "affiliation")
    )
    values = kinds.get(str(row.get("kind")), f"{electability}, {affiliation}")
    return f"{card.replace('-', ' ')} ({values})"
