"""Strategies: who wins against whom, and who fulfils contracts."""

from reports import strategies
from reports.formatting import estimated
from reports.game_report import ReportSection
from reports.page import Section
from reports.report_data import ReportData

_KEPT = estimated(
    "contract fulfilled", "contracts that are fulfilled", "number", "last"
)


def section(data: ReportData) -> Section:
    """Win shares of each strategy in each lineup."""
    return strategies.section(
        data, "fulfilled by strategy", _KEPT, less="less half of the draws"
    )


SECTION = ReportSection(section)
