"""Words and columns that several sections of Article II share."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from reports.article_ii.played import PHASE_WORDS
from reports.found import Found
from reports.page import Column

PHASE = Column("election", "phase", "Primary or General")
CARD = Column(
    "card_words", "card", "Electability and Affiliation, or that it is a Style"
)


def phase_words(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the phase in words."""
    words = [PHASE_WORDS[phase] for phase in rows["phase"]]
    return rows.with_columns(pl.Series("election", words, dtype=pl.String))


def place_name(place: int) -> str:
    """A place after who begins, in words."""
    return _PLACES[place]


_PLACES = ("who begins", "next after him", "second after him", "third after him")


def card_words(found: Found, card: str) -> str:
    """A card with its numbers, as (Electability, Affiliation)."""
    row: Mapping[str, Any] = next(
        (row for row in found.rules["cards"] if row["id"] == card), {}
    )
    kinds = {"style": "Style", "draw": "draws", "remove": "removes"}
    electability, affiliation = (
        f"{row.get(name, 0):+d}".replace("-", "\N{MINUS SIGN}").replace("+0", "0")
        for name in ("electability", "affiliation")
    )
    told = kinds.get(str(row.get("kind")), f"{electability}, {affiliation}")
    return f"{card.replace('-', ' ')} ({told})"


def is_style(found: Found, card: str) -> bool:
    """Whether a card is a Style."""
    rows = found.rules["cards"]
    return any(row["id"] == card and row["kind"] == "style" for row in rows)


def with_cards(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with their cards in words."""
    words = [card_words(found, card) for card in rows["card"]]
    return rows.with_columns(pl.Series("card_words", words, dtype=pl.String))


def tables_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the number of players in words, as groups of a figure."""
    return rows.with_columns(table=pl.format("{} players", "players"))


def texts(values: Sequence[str]) -> pl.Series:
    """A column of texts, also where there are none."""
    return pl.Series(values, dtype=pl.String)
