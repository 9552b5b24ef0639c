"""The totals of both elections, after every turn of everybody."""

from reports import course
from reports.article_ii.game_arrays import ArticleIIArrays


def standing(played: ArticleIIArrays) -> course.Standings:
    """Return the totals of the election in progress, those of the Primary first."""
    shape = (played.players, played.first, played.size)
    values, rounds = course.from_note(played.raw["totals"], "totals", *shape)
    ends = played.winner, played.game, 1, rounds
    return course.Standings.of(played.about, values, *ends)


SECTION = course.section(
    standing,
    "The highest total is ahead, first of the Primary and then of the General, "
    "contender or not. A round is a turn of everybody.",
    records=("totals",),
)
