"""The report of Kunitame: what was simulated, the findings, and the sections."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports import building
from reports.kunitame import cards, contracts, course, pledges, returns, schools, seats
from reports.page import Report

SECTIONS = (seats, pledges, contracts, returns, cards, course, schools)


def build(sums: pl.DataFrame, cells: pl.DataFrame, about: Mapping[str, Any]) -> Report:
    """Make the report of a run, as ``reports.building`` does."""
    return building.build("Kunitame", SECTIONS, sums, cells, about)
