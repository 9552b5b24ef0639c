"""Seats: whether it matters who begins."""

from reports import positions
from reports.game_report import ReportSection
from reports.page import Column, Section
from reports.report_data import ReportData

_WHERE = Column("where", "position", "in the order of turns")


def section(data: ReportData) -> Section:
    """Win shares by position in the order of turns, and by seat."""
    parts = []
    findings = []
    for name, measure, by, words in (
        (
            "position",
            "won by position",
            "position",
            positions.in_words("first"),
        ),
        ("seat", "won by seat", "seat", positions.seat_in_words),
    ):
        rows = positions.versus_even(data, measure, (by,), words)
        note = "Games that nobody at the table wins count for no seat."
        title = f"Win share by {name}"
        parts.append(positions.shares(f"seats-{name}", title, note, rows, _WHERE))
        if name == "position":
            findings += [
                positions.finding(
                    data,
                    rows.filter(players=players),
                    f"With {players} players the position in the order of turns",
                )
                for players in data.counts
            ]
    return Section(
        "seats",
        "Positions and seats",
        f"With {data.who}. Update II draws who begins; update I has the order Pride, "
        "Greed, Wrath, Gluttony, so there a position is a Virtue.",
        tuple(parts),
        tuple(findings),
    )


SECTION = ReportSection(section)
