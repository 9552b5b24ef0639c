"""The course of a game: who is ahead, whether that changes, and how games are decided.

Every game has the same measures, each compared with chance. A game declares a function
that returns how its seats stand (``Standing``), and makes a section of it:

    def standing(played):
        return Standing.of(played.about, played.score, played.winner, played.game)

    SECTION = course.section(standing, "Scores are known after every round.", own)
"""

from reports.course.decisions import OPTIONS
from reports.course.decisions import counts as options
from reports.course.parts import changes, decided, ranks, scores
from reports.course.shown import section
from reports.course.standing import Standing, as_told

__all__ = [
    "OPTIONS",
    "Standing",
    "as_told",
    "changes",
    "decided",
    "options",
    "ranks",
    "scores",
    "section",
]
