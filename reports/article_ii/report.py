"""The report of Article II: what was simulated, the findings, and the sections."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports import building
from reports.article_ii import (
    cards,
    decks,
    ends,
    parties,
    paths,
    schools,
    seats,
    takethat,
    tension,
    use,
)
from reports.page import Report

SECTIONS = (
    seats, paths, ends, cards, use, tension, takethat, decks, parties, schools,
)  # fmt: skip


def build(sums: pl.DataFrame, cells: pl.DataFrame, about: Mapping[str, Any]) -> Report:
    """Make the report of a run, as ``reports.building`` does."""
    return building.build("Article II", SECTIONS, sums, cells, about)
