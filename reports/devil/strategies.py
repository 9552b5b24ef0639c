"""Which strategies win against which."""

from reports import strategy_section
from reports.formatting import estimated
from reports.game_report import SectionParts
from reports.report_data import ReportData

_TOTAL = estimated(
    "total", "points of a seat at the end; fewer are better", name="last"
)


def section(data: ReportData) -> SectionParts:
    """Return the win shares of each strategy in each lineup."""
    less = "less its part of the games that are shared"
    return strategy_section.section(data, "scores by strategy", _TOTAL, less=less)


SECTION = strategy_section.of(section)
