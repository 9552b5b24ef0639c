"""Which strategies win against which, and which become Candidates."""

from reports import strategy_section
from reports.formatting import estimated
from reports.game_report import SectionParts
from reports.report_data import ReportData

_NAMED = estimated(
    "Candidate", "games in which a seat becomes Candidate", "share", "last"
)


def section(data: ReportData) -> SectionParts:
    """Return the win shares of each strategy in each lineup.

    With parties they count a seat's own wins only, and say so: it plays for its party.
    """
    parties = data.rules["parties"]
    alone = "a seat's own Presidency counts and its partner's does not"
    return strategy_section.section(
        data,
        "candidates by strategy",
        _NAMED,
        less="less what nobody wins alone" + (f"; {alone}" if parties else ""),
        wins=f"wins (with parties, where {alone})" if parties else "wins",
    )


SECTION = strategy_section.of(section)
