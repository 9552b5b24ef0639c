"""The course of a game: who is ahead, whether that changes, and how games are decided.

Every game has the same measures, each compared with chance. A game declares a function
that returns how its seats stand (``Standings``), and makes a section of it:

    def standing(played):
        return Standings.of(played.about, played.score, played.winner, played.game)

    SECTION = course.section(standing, "Scores are known after every round.", own)
"""

from reports.course.course_tables import (
    changes,
    ranks,
    scores,
    ways_decided,
)
from reports.course.decisions import OPTIONS, decision_counts
from reports.course.section import section
from reports.course.standings import Standings, from_note

__all__ = [
    "OPTIONS",
    "Standings",
    "changes",
    "decision_counts",
    "from_note",
    "ranks",
    "scores",
    "section",
    "ways_decided",
]
