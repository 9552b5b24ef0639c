"""The number of games for a line of the scorecard, from a pilot that does not count.

Games are spent where a verdict is open: if the pilot's number lies well within its
tolerance, or far outside, the usual games are enough; near a bound it takes more. The
pilot plays other games than those that count, so the number of games does not depend on
their results, and the usual intervals are valid. (Counting the pilot too makes errors a
little more frequent: Wittes & Brittain 1990, Stat. Med. 9:65-72.) A pilot of few games
does not pay, because a step costs about the same for any number of games: the most
games are played then.
"""

import math

from reports.scorecard.line_estimate import Z
from reports.scorecard.score_line import LineTolerance
from reports.statistics.intervals import games_needed

MOST = 4
"""Games, at most, as a multiple of the usual number."""
PAYS = 128
"""A pilot of this many games, in all its cells, takes as long as playing the most."""
_PART = 4  # the usual games are divided by this for a pilot


def pilot_games(usual: int, cells: int = 1) -> int:
    """Return the games of a pilot: a quarter of the usual ones; 0 if it does not pay.

    ``cells``: how many cells play each game.

    >>> pilot_games(4_096), pilot_games(512), pilot_games(512, cells=8)
    (1024, 0, 128)
    """
    games = usual // _PART
    return games if games * cells > PAYS else 0


def games_for(
    result: tuple[float, float, float], pilot: int, limits: LineTolerance, usual: int
) -> int:
    """Return the games that will probably decide a verdict: 1, 2 or 4 times the usual.

    result: the number with its interval, from ``pilot`` games; without an interval, the
    answer is the usual number.

    >>> limits = LineTolerance(most=0.03, margin=0.03)
    >>> games_for((0.17, 0.14, 0.20), 1_000, limits, 4_000)
    4000
    >>> games_for((0.02, 0.0, 0.06), 1_000, limits, 4_000)
    16000
    """
    middle, low, high = result
    se = max(middle - low, high - middle) / Z  # one end may be cut off
    needed = max(
        float(games_needed(middle, se, pilot, ends))
        for ends in (limits.fair_range, limits.watch_range)
    )
    if math.isnan(needed):
        return usual
    games = usual
    while games < min(needed, usual * MOST):
        games *= 2
    return games
