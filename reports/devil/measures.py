"""What a worker counts for the report of Devil, section by section."""

import polars as pl

from reports.devil import (
    cards,
    columns,
    declares,
    doubling,
    draws,
    ends,
    length,
    places,
    standing,
)
from reports.devil import pairs as declined
from reports.devil.played import About, Played, Raw
from reports.measures import Measure

RAW = ("dealer", "deal", "declaring", "round", "result")
"""The notes that are recorded."""
GAMES = 4_096
"""Games of each cell of a report: rounds are long, and steps have a price of their own
whatever the number of games."""
COUNTS = (2, 4, 8)
"""Numbers of players at which other strategies sit than the leading one."""
_DENSE = (length, ends, cards, places, doubling, draws, standing)

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
