"""Seats and start: whether it matters who begins."""

from reports.game_report import ReportSection
from reports.page import Column, Section
from reports.positions import finding, in_words, seat_in_words, shares, versus_even
from reports.report_data import ReportData

_WHERE = Column("where", "where", "position in the order of turns, or seat")
_FIRST = "who begins"


def section(data: ReportData) -> Section:
    """Win share by position in the order of turns, and by seat."""
    words = in_words(_FIRST)
    places = versus_even(data, "won by position", ("position",), words)
    seats = versus_even(data, "won by seat", ("seat",), seat_in_words)
    note = "Games that are broken off count for nobody."
    return Section(
        "seats",
        "Seats and start",
        f"With {data.who}. Who begins is drawn, so seats as such cannot differ.",
        (
            shares("seats-place", "Win share by order of turns", note, places, _WHERE),
            shares("seats-seat", "Win share by seat (a check)", note, seats, _WHERE),
        ),
        tuple(
            finding(
                data,
                places.filter(players=players),
                f"With {players} players the position in the order of turns",
                lambda where: where if where == _FIRST else f"the {where}",
            )
            for players in data.counts
        ),
    )


SECTION = ReportSection(section)
