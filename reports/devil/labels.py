"""Columns shared by tables of Devil; endings and cards in words."""

from reports.measure_tables import WordColumn
from reports.report_document import Column

ENDING_WORDS = {
    "out": "out, last card ordinary",
    "out 4S": "out with a Special 4",
    "out 1S": "out with a Special 1",
    "end 4S": "declared with a Special 4",
    "end 1S": "declared with a Special 1",
    "oni": "Onifuda",
}
GROUPS = (
    Column("round", "round", "round of the game", "count"),
    Column("card", "card", "kind of card: a rank, 1S or 4S a Special, blank, oni"),
    Column("beyond", "longer than", "turns or rounds", "count"),
    Column("band", "band", "band of the cost of the player's hand, from 0", "count"),
    Column("ends", "ends", "1: ended the round, 0: went on", "count"),
)
"""The columns that group the measures of Devil."""
POINTS = Column("n", "n", "points added", "count")


def card_words(card: str) -> str:
    """Return a kind of card in words."""
    named = {"1S": "Special 1", "4S": "Special 4", "oni": "Onifuda"}
    return named.get(card, card)


def card_place(card: str) -> tuple[bool, int, str]:
    """Return a sort key of cards: ranks first, then the others by name."""
    return (not card.isdigit(), int(card) if card.isdigit() else 0, card)


CARD = WordColumn("words", "card", "kind of card", card_words, "card")
ENDING = WordColumn("how", "how", "how the round ended", ENDING_WORDS, "by")
