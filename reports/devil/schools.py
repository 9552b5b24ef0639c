"""Strategies: who wins against whom."""

from reports import schools
from reports.found import Found
from reports.page import Section
from reports.words import estimated

_TOTAL = estimated("total", "points of a seat at the end; few are good", name="last")


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    less = "less its part of the games that are shared"
    return schools.section(found, "scores by strategy", _TOTAL, less=less)
