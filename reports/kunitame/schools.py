"""Strategies: who wins against whom."""

import polars as pl

from reports import schools
from reports.found import Found
from reports.measures import Measure
from reports.page import Section
from reports.words import estimated

MEASURES = [Measure("seats of strategy", "players", pl.lit(1), by=("strategy",))]
_POINTS = estimated("points", "points of a seat at the end", name="last")


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    return schools.section(found, "points by strategy", _POINTS)
