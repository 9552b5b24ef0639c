"""The report of Devil: what was simulated, the findings, and the sections."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports import building
from reports.devil import (
    cards,
    course,
    dealer,
    declared,
    doubling,
    draws,
    ends,
    length,
    schools,
)
from reports.page import Report

SECTIONS = (
    length, ends, cards, dealer, declared, doubling, draws, course, schools,
)  # fmt: skip


def build(sums: pl.DataFrame, cells: pl.DataFrame, about: Mapping[str, Any]) -> Report:
    """Make the report of a run, as ``reports.building`` does."""
    return building.build("Devil", SECTIONS, sums, cells, about)
