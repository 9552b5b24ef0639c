"""What a worker counts for the report of Devil, section by section."""

import polars as pl

from reports.devil import (
    cards,
    columns,
    course,
    dealer,
    declares,
    doubling,
    draws,
    ends,
    length,
)
from reports.devil import pairs as declined
from reports.devil.played import About, Played, Raw
from reports.measures import Measure

RAW = ("dealer", "deal", "declaring", "round", "result")
"""The notes that are recorded."""
_DENSE = (length, ends, cards, dealer, doubling, draws, course)

MEASURES: list[Measure] = declares.MEASURES
PAIRED = declined.PAIRED
decline = declined.decline
DOCS = columns.DOCS
pairs = declined.pairs


def tidy(raw: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Tidy tables of a block; ``DOCS`` describes their columns."""
    return declares.tables(Played(raw, about))


def grids(raw: Raw, about: About) -> list[pl.DataFrame]:
    """Sums that need no tidy table: of rounds, hands and places."""
    played = Played(raw, about)
    return [part for section in _DENSE for part in section.grids(played)]
