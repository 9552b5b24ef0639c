"""Which strategies win against which."""

from reports import strategies
from reports.formatting import estimated
from reports.game_report import ReportSection, elsewhere
from reports.kunitame.tables import tables
from reports.measures import MeasuresOf
from reports.page import Section
from reports.report_data import ReportData

_SEATS = MeasuresOf("players", by="strategy")
MEASURES = (_SEATS.per_game("seats of strategy", "seats that it holds"),)
_POINTS = estimated("points", "points of a seat at the end", name="last")


def section(data: ReportData) -> Section:
    """Return the win shares of each strategy in each lineup."""
    return strategies.section(data, "points by strategy", _POINTS)


_SEATED = [MEASURES[0].name]
SECTION = ReportSection(
    section, MEASURES, tables, elsewhere=elsewhere(own=_SEATED, mixed=_SEATED)
)
