"""What a worker counts for the report of Kunitame: its sections' measures together."""

import polars as pl

from reports.kunitame import (
    cards,
    columns,
    contracts,
    course,
    pledges,
    returns,
    schools,
    seats,
    tables,
)
from reports.kunitame import (
    grids as dense,
)
from reports.kunitame import (
    pairs as declined,
)
from reports.kunitame.played import About, Played, Raw
from reports.measures import Measure

RAW = (
    "dealer",
    "deal",
    "devil",
    "trick",
    "gem",
    "contracts",
    "liquidation",
    "week",
    "result",
)
"""The notes that are recorded."""

MEASURES: list[Measure] = [
    measure
    for section in (seats, pledges, contracts, returns, cards, course, schools)
    for measure in section.MEASURES
]
PAIRED = declined.PAIRED
decline = declined.decline
DOCS = columns.DOCS
pairs = declined.pairs


def tidy(raw: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Tidy tables of a block; ``DOCS`` describes their columns."""
    return tables.tables(Played(raw, about))


def grids(raw: Raw, about: About) -> list[pl.DataFrame]:
    """Sums that need no tidy table: of squares and cards."""
    return dense.grids(Played(raw, about))
