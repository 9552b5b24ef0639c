"""Seats: whether it matters who begins."""

from reports.game_report import ReportSection, Shown
from reports.page import Column, Section
from reports.positions import by_position, by_seat, in_words
from reports.report_data import ReportData

_WHERE = Column("where", "position", "in the order of turns")
_NOTE = "Games that nobody at the table wins count for no seat."


def section(data: ReportData) -> Shown:
    """Win shares by position in the order of turns, and by seat."""
    yield Section(
        "seats",
        "Positions and seats",
        f"With {data.who}. Update II draws who begins; update I has the order Pride, "
        "Greed, Wrath, Gluttony, so there a position is a Virtue.",
    )
    title, subject = "Win share by position", "the position in the order of turns"
    words = in_words("first")
    yield from by_position(data, "seats-position", title, _NOTE, _WHERE, words, subject)
    yield by_seat(data, "Win share by seat", _NOTE, _WHERE)


SECTION = ReportSection(section)
