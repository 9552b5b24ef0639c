"""Seats: whether it matters who begins."""

from reports import positions
from reports.game_report import ReportSection
from reports.page import Column, Section
from reports.report_data import ReportData

_PLACES = ("first", "second", "third", "fourth")
_WHERE = Column("where", "place", "in the order of turns")


def section(data: ReportData) -> Section:
    """Win shares by place in the order of turns, and by seat."""
    parts = []
    findings = []
    for name, measure, by, words in (
        ("place", "won by position", "position", lambda at: _PLACES[at - 1]),
        ("seat", "won by seat", "seat", positions.seat_name),
    ):
        rows = positions.versus_even(data, measure, (by,), words)
        note = "Games that nobody at the table wins count for no seat."
        title = f"Win share by {name}"
        parts.append(positions.shares(f"seats-{name}", title, note, rows, _WHERE))
        if name == "place":
            findings += [
                positions.finding(
                    data,
                    rows.filter(players=players),
                    f"With {players} players the place in the order of turns",
                )
                for players in data.counts
            ]
    return Section(
        "seats",
        "Places and seats",
        f"With {data.who}. Update II draws who begins; update I has the order Pride, "
        "Greed, Wrath, Gluttony, so there a place is a Virtue.",
        tuple(parts),
        tuple(findings),
    )


SECTION = ReportSection(section)
