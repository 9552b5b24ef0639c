"""Strategies: who wins against whom, and who becomes a Candidate."""

from reports import schools
from reports.found import Found
from reports.page import Section
from reports.words import estimated

_NAMED = estimated(
    "Candidate", "games in which a seat becomes Candidate", "share", "last"
)


def section(found: Found) -> Section:
    """Win shares of each strategy in each lineup.

    With parties they are of a seat alone, and say so: what it plays for is its party's.
    """
    parties = found.rules["parties"]
    alone = "a seat's own Presidency counts and its partner's does not"
    return schools.section(
        found,
        "candidates by strategy",
        _NAMED,
        kind="rate",
        less="less what nobody wins alone" + (f"; {alone}" if parties else ""),
        wins=f"wins (with parties, where {alone})" if parties else "wins",
    )
