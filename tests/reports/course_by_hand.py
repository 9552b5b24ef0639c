"""The course of a game, told anew from one game at a time, as a reader would do it."""

from fractions import Fraction
from itertools import pairwise

from reports.course.measures import COURSE_MEASURES


def told(moments, winner, rounds=None):
    """What a game adds to each measure.

    moments: for each, what each seat has, more being better; winner: a seat or None.
    ``rounds`` is their number, where a round has several moments.
    """
    each = len(moments) // (rounds or len(moments))
    leaders = [leader(now) for now in moments]
    names = [who for who in leaders if who is not None]
    found = {"lead changes": sum(a != b for a, b in pairwise(names))}
    if winner is None:
        return found
    half = moments[max(len(moments) // 2, 1) - 1]
    found["leader at half wins"] = shared(half, winner, max(half))
    found["comeback"] = shared(half, winner, min(half))
    late = moments[max(len(moments) - each, 1) - 1]
    found["led before the last round"] = shared(late, winner, max(late))
    final = len(moments)
    while final and leaders[final - 1] == winner:
        final -= 1
    final = min(final + 1, len(moments))  # the first moment of the lead, from 1
    found["decisiveness"] = Fraction(final, len(moments))
    found["runaway"] = final <= max(len(moments) // 3, 1)
    way = moments[:-1]
    ahead = [sum(points > now[winner] for points in now) for now in way]
    found["drama"] = Fraction(sum(ahead), max(len(way), 1) * (len(moments[0]) - 1))
    return found


def leader(now):
    """Who alone has most, or None."""
    return now.index(max(now)) if now.count(max(now)) == 1 else None


def shared(now, winner, points):
    """1/k where the winner is among the k who have so many points."""
    return Fraction(now[winner] == points, now.count(points))


def same(counts, games):
    """Whether counts by name are the sums of what games told, rounded as they are."""
    for what in COURSE_MEASURES:
        values = [game[what.name] for game in games if what.name in game]
        rounded = sum(round(4096 * value) for value in values) / 4096
        assert counts[what.name][()] == (rounded, len(values)), what.name
