"""Seats and start: whether it matters who begins."""

from reports.game_report import ReportSection, Shown
from reports.page import Column, Section
from reports.positions import by_position, by_seat, in_words
from reports.report_data import ReportData

_WHERE = Column("where", "where", "position in the order of turns, or seat")
_FIRST = "who begins"
_NOTE = "Games that are broken off count for nobody."


def section(data: ReportData) -> Shown:
    """Win share by position in the order of turns, and by seat."""
    yield Section(
        "seats",
        "Seats and start",
        f"With {data.who}. Who begins is drawn, so seats as such cannot differ.",
    )
    yield from by_position(
        data,
        "seats-place",
        "Win share by order of turns",
        _NOTE,
        _WHERE,
        in_words(_FIRST),
        "the position in the order of turns",
        lambda where: where if where == _FIRST else f"the {where}",
    )
    yield by_seat(data, "Win share by seat (a check)", _NOTE, _WHERE)


SECTION = ReportSection(section)
