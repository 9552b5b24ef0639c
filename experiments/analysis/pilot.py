"""How many games a line of the scorecard takes: a pilot says it, and does not count.

Games go where a verdict is open: where the pilot's number lies well within what is
allowed, or far beyond it, the usual games tell; near a bound it takes more. A pilot's
games are others than those that count, so how many these are hangs on nothing in them,
and intervals are the usual ones. (To count the pilot too makes errors a little more
frequent: Wittes & Brittain 1990, Stat. Med. 9:65-72.) Where games are few a pilot does
not pay, since what a moment costs hangs little on how many games have it: the most are
played then.
"""

import math

from reports.scorecard.found import Z
from reports.scorecard.lines import Tolerance
from reports.statistics.intervals import games_needed

MOST = 4
"""So many times the usual games are played at most."""
PAYS = 1_024
"""Games of a pilot, in all its cells, that take about as long as all others would."""
_PART = 4


def look(usual: int, cells: int = 1) -> int:
    """The games of a pilot: a quarter of the usual ones; 0 where none is worth it.

    ``cells``: so many are played of each game.

    >>> look(16_384), look(4_096), look(2_048, cells=8)
    (4096, 0, 512)
    """
    games = usual // _PART
    return games if games * cells > PAYS else 0


def games_for(
    found: tuple[float, float, float], pilot: int, limits: Tolerance, usual: int
) -> int:
    """The games that will most likely settle a verdict, if any number of them may.

    found: the number with its interval, as so many games of a ``pilot`` tell it; where
    they do not, the answer is the usual number. Else it is that, or twice or four times
    as many.

    >>> limits = Tolerance(most=0.03, margin=0.03)
    >>> games_for((0.17, 0.14, 0.20), 1_000, limits, 4_000)
    4000
    >>> games_for((0.02, 0.0, 0.06), 1_000, limits, 4_000)
    16000
    """
    middle, low, high = found
    se = max(middle - low, high - middle) / Z  # one end may be cut off
    needed = max(
        float(games_needed(middle, se, pilot, ends))
        for ends in (limits.fair, limits.watched)
    )
    if math.isnan(needed):
        return usual
    games = usual
    while games < min(needed, usual * MOST):
        games *= 2
    return games
