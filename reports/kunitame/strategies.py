"""Which strategies win against which."""

from reports import strategy_section
from reports.formatting import estimated
from reports.game_report import SectionParts
from reports.kunitame.tidy_tables import tables
from reports.measures import MeasuresOf
from reports.report_data import ReportData

_SEATS = MeasuresOf("players", by="strategy")
MEASURES = (_SEATS.per_game("seats of strategy", "seats that it holds"),)
_POINTS = estimated("points", "points of a seat at the end", name="last")


def section(data: ReportData) -> SectionParts:
    """Return the win shares of each strategy in each lineup."""
    return strategy_section.section(data, "points by strategy", _POINTS)


SECTION = strategy_section.of(section, MEASURES, tables)
