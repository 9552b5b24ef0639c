"""Seats and start: whether it matters who begins."""

from reports.game_report import ReportSection
from reports.page import Column, Section
from reports.positions import finding, seat_name, shares, versus_even
from reports.report_data import ReportData

_WHERE = Column("where", "where", "place in the order of turns, or seat")
_PLACES = ("begins", "second", "third", "fourth", "fifth")


def section(data: ReportData) -> Section:
    """Win share by place in the order of turns, and by seat."""
    places = versus_even(
        data, "won by position", ("position",), lambda place: _PLACES[place - 1]
    )
    seats = versus_even(data, "won by seat", ("seat",), seat_name)
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
                f"With {players} players the place in the order of turns",
                lambda place: f"who {place}" if place == _PLACES[0] else f"the {place}",
            )
            for players in data.counts
        ),
    )


SECTION = ReportSection(section)
