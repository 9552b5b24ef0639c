"""Columns that many tables of Devil have, and endings, cards and verdicts in words."""

from collections.abc import Mapping

import polars as pl

from reports.page import Column
from reports.statistics.equivalence import judge

ENDING_WORDS = {
    "out": "out, last card ordinary",
    "out 4S": "out with a Special 4",
    "out 1S": "out with a Special 1",
    "end 4S": "declared with a Special 4",
    "end 1S": "declared with a Special 1",
    "oni": "Onifuda",
}
GROUPS = (
    Column("card", "card", "kind of card: a rank, 1S or 4S a Special, blank, oni"),
    Column("place", "place", "place in the order of turns, from 1", "count"),
    Column("rank", "rank", "1 + seats with fewer points", "count"),
    Column("beyond", "longer than", "turns or rounds", "count"),
    Column("times", "multiplied by", "points added / points of the cards", "count"),
    Column("band", "band", "band of the cost of the own hand, from 0", "count"),
    Column("ends", "ends", "1 he ended the round, 0 he went on", "count"),
)
"""What the measures of Devil are grouped by."""
ENDING = Column("how", "how", "how the round ended")
CARD = Column("words", "card", "kind of card")


def card_words(card: str) -> str:
    """A kind of card as one would say it."""
    named = {"1S": "Special 1", "4S": "Special 4", "oni": "Onifuda"}
    return named.get(card, card)


def card_place(card: str) -> tuple[bool, int, str]:
    """The order of cards: ranks, Specials, the others."""
    return (not card.isdigit(), int(card) if card.isdigit() else 0, card)


def place_words(place: int, players: int) -> str:
    """A place in the order of turns."""
    if place == players:
        return "dealer (plays last)"
    ends = {1: "1st", 2: "2nd", 3: "3rd"}
    return f"{ends.get(place, f'{place}th')} to play"


def each_count(texts: Mapping[int, str]) -> str:
    """A text for each number of players."""
    return "; ".join(f"{players} players {text}" for players, text in texts.items())


def with_verdict(
    rows: pl.DataFrame, tolerance: float, name: str, words: tuple[str, str]
) -> pl.DataFrame:
    """Rows with a column ``verdict``: a number against a tolerance around nothing.

    words: what it is called above the tolerance, and below. One family: the rows.
    """
    values = judge(rows[name], rows[_error(name)], -tolerance, tolerance)
    above, below = words
    known = {"within": "within", "undecided": "undecided"}
    verdicts = [
        known.get(verdict, above if (value or 0) > 0 else below)
        for verdict, value in zip(values, rows[name], strict=True)
    ]
    return rows.with_columns(pl.Series("verdict", verdicts, dtype=pl.String))


def _error(name: str) -> str:
    return "se" if name == "estimate" else f"{name}_se"
