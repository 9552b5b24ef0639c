"""What a worker counts for the report of Kbernestich, section by section."""

import polars as pl

from reports.kbernestich import (
    bids,
    busts,
    colours,
    columns,
    course,
    economy,
    schools,
    seats,
    squares,
    trumps,
)
from reports.kbernestich import pairs as declined
from reports.kbernestich.played import About, Played, Raw
from reports.measures import Measure

RAW = (
    "start",
    "deal",
    "plot",
    "trump",
    "trick",
    "sheet",
    "score",
    "cubes",
    "result",
)
"""The notes and choices that are recorded."""

_SECTIONS = (
    seats, trumps, economy, squares, bids, colours, busts, course, schools,
)  # fmt: skip
_DENSE = (seats, economy, squares, course)

MEASURES: list[Measure] = [
    measure for section in _SECTIONS for measure in section.MEASURES
]
PAIRED = declined.PAIRED
decline = declined.decline
DOCS = columns.DOCS
pairs = declined.pairs


def tidy(raw: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Tidy tables of a block; ``DOCS`` describes their columns."""
    played, found = Played(raw, about), {}
    for section in _SECTIONS:
        found.update(section.tables(played))
    return found


def grids(raw: Raw, about: About) -> list[pl.DataFrame]:
    """Sums that need no tidy table: of cubes, squares and places."""
    played = Played(raw, about)
    return [part for section in _DENSE for part in section.grids(played)]
