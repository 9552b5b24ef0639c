"""Seats and start: whether it matters who begins, in either phase.

Who begins is drawn anew for each phase, so seats themselves cannot differ; positions
can: the last ones play the last cards. Positions at the table are those of the Primary.
"""

import polars as pl

from reports.game_report import ReportSection, SectionParts
from reports.positions import finding, shares, versus_even, with_position_words
from reports.report_data import ReportData
from reports.report_document import Column
from reports.scorecard.line_statistics import LATER

_WHERE = Column("where", "where", "position in the order of turns")
_NOTE = "Games that nobody wins alone count for no position."
_WORDS = with_position_words("who begins")


def section(data: ReportData) -> SectionParts:
    """Yield win shares by position and by seat."""
    by = ("position",)
    primary = versus_even(data, "won by position", by, _WORDS)
    general = versus_even(data, LATER, by, _WORDS)
    candidates = versus_even(data, "candidates by position", by, _WORDS)
    yield (
        f"With {data.who}. Each phase is begun by a player drawn at random; the last "
        "position plays the last card of the phase, if all hands are alike."
    )
    for name, rows in (("Primary", primary), ("General", general)):
        title = f"Win share by position in the {name}"
        yield shares(f"seats-{name.lower()}", title, _NOTE, rows, _WHERE)
    yield shares(
        "seats-candidates",
        "Share that become Candidates, by position in the Primary",
        "With two players both are Candidates.",
        candidates.filter(pl.col("players") > 2),
        _WHERE,
        ("Candidates", "games in which this position becomes one"),
    )
    for players in data.counts:
        for name, rows in (("Primary", primary), ("General", general)):
            subject = f"With {players} players, who begins the {name}"
            yield finding(data, rows.filter(players=players), subject)


SECTION = ReportSection(
    section,
    id="seats",
    title="Seats and start",
    question="Does it matter where you sit, and who begins?",
)
