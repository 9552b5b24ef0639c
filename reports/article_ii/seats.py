"""Seats and start: whether it matters who begins, in either phase.

Who begins is drawn anew for each phase, so seats themselves cannot differ; positions
can: the last ones play the last cards.
"""

from functools import partial

from reports.game_report import ReportSection
from reports.positions import by_position, player_words, with_position_words
from reports.report_document import Column
from reports.scorecard.line_statistics import LATER

_SHARES = partial(
    by_position,
    note="Games that nobody wins alone count for no position.",
    where=Column("where", "where", "position in the order of turns"),
    words=with_position_words("who begins"),
    named=player_words,
)
SECTION = ReportSection(
    id="seats",
    title="Seats and start",
    question="Does it matter where you sit, and who begins?",
    intro="With {who}. Each phase is begun by a player drawn at random; the last "
    "position plays the last card of the phase, if all hands are alike.",
    tables=(
        partial(
            _SHARES,
            name="seats-primary",
            title="Win share by position in the Primary",
            subject="who begins the Primary",
        ),
        partial(
            _SHARES,
            name="seats-general",
            title="Win share by position in the General",
            subject="who begins the General",
            measure=LATER,
        ),
    ),
)
