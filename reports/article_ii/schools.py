"""Strategies: who wins against whom, and who becomes a Candidate."""

from reports import schools
from reports.found import Found
from reports.page import Section
from reports.words import estimated

_NAMED = estimated(
    "Candidate", "games in which a seat becomes Candidate", "share", "last"
)


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup."""
    return schools.section(
        found,
        "candidates by strategy",
        _NAMED,
        kind="rate",
        less="less what nobody wins alone",
    )
