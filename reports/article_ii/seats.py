"""Seats and start: whether it matters who begins, in either phase.

Who begins is drawn anew for each phase, so seats themselves cannot differ; positions
can: the last ones play the last cards.
"""

from reports.game_report import ReportSection
from reports.positions import PositionTable
from reports.scorecard.line_statistics import LATER

SECTION = ReportSection(
    id="seats",
    title="Seats and start",
    question="Does it matter where you sit, and who begins?",
    intro="With {who}. Each phase is begun by a player drawn at random; the last "
    "position plays the last card of the phase, if all hands are alike.",
    tables=(
        PositionTable(
            "seats-primary",
            "who begins the Primary",
            "Win share by position in the Primary",
        ),
        PositionTable(
            "seats-general",
            "who begins the General",
            "Win share by position in the General",
            first="who begins the General",
            measure=LATER,
        ),
    ),
)
