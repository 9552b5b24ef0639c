"""Which strategies win against which."""

from reports import strategy_section
from reports.formatting import estimated
from reports.game_report import ReportSection
from reports.report_data import ReportData
from reports.report_document import Section

_TOTAL = estimated(
    "total", "points of a seat at the end; fewer are better", name="last"
)


def section(data: ReportData) -> Section:
    """Return the win shares of each strategy in each lineup."""
    less = "less its part of the games that are shared"
    return strategy_section.section(data, "scores by strategy", _TOTAL, less=less)


SECTION = ReportSection(section)
