"""The totals of both elections, after every turn of everybody."""

from reports import course
from reports.article_ii.played import PlayedGames


def standing(played: PlayedGames) -> course.Standing:
    """Return the totals of the election in progress, those of the Primary first."""
    shape = (played.players, played.first, played.size)
    values, rounds = course.as_told(played.raw["totals"], "totals", *shape)
    ends = played.winner, played.game, 1, rounds
    return course.Standing.of(played.about, values, *ends)


SECTION = course.section(
    standing,
    "The highest total is ahead, first of the Primary and then of the General, "
    "contender or not. A round is a turn of everybody.",
    records=("totals",),
)
