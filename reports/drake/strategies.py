"""Strategies: who wins against whom, of the games that somebody at the table wins."""

import polars as pl

from reports import strategies
from reports.drake.played import tables
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Section
from reports.report_data import ReportData

_WON = "won at the table by strategy"
MEASURES = (
    Measure(
        _WON,
        "games won, of those that somebody at the table wins",
        "share",
        "seats",
        pl.col("won"),
        by=("strategy",),
    ),
)


def section(data: ReportData) -> Section:
    """Win shares of each strategy in each lineup."""
    less = "of the games that no absent Virtue wins"
    return strategies.section(data, less=less, won=_WON)


SECTION = ReportSection(section, MEASURES, tables)
