"""Looking again once there are more games: how the error is spent over the looks.

Whoever looks at games, adds more while they do not decide, and looks again, has several
chances to be wrong. So each look has a part of the 5 %, and by the look after a part t
of all games the square root of t is spent: with looks after 1, 4, 16 and 64 parts of
64, an eighth, an eighth, a quarter and a half. Spending functions are due to Lan &
DeMets (1983, Biometrika 70:659-663), powers of t to Kim & DeMets (1987, Biometrika
74:149-154). That looks share games is not used (Bonferroni), so the errors are a little
fewer than that. Ending before the last look, for whatever reason, makes them fewer
still.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

GROWTH = 4
"""Games of a look, as a multiple of those of the look before."""
_ERROR = 0.05


def looks(first: int, most: float) -> tuple[int, ...]:
    """Return the games, in all, at which to look, from ``first`` to ``most``.

    The last look is at ``most`` if that is many more than at the look before.

    >>> looks(256, 5_000), looks(256, 300)
    ((256, 1024, 4096), (256,))
    >>> looks(256, 8_000)
    (256, 1024, 4096, 8000)
    """
    sizes = [first]
    while sizes[-1] * GROWTH <= most:
        sizes.append(sizes[-1] * GROWTH)
    if most >= _MANY * sizes[-1]:
        sizes.append(int(most))
    return tuple(sizes)


_MANY = 1.5


def widening(sizes: Sequence[int], at: int) -> float:
    """Return how many times wider intervals are at a look; 1 if there is one only.

    It is the factor of a test on one side, which is greater than that of two sides.

    >>> [round(widening((256, 1_024, 4_096), at), 2) for at in range(3)]
    [1.36, 1.36, 1.19]
    >>> widening((256,), 0)
    1.0
    """
    spent = [math.sqrt(size / sizes[-1]) for size in (0, *sizes)]
    normal = NormalDist()
    wider = normal.inv_cdf(1 - _ERROR * (spent[at + 1] - spent[at]))
    return wider / normal.inv_cdf(1 - _ERROR)


LAST = widening((1, GROWTH), 1)
"""About how many times wider intervals are at the last of several looks."""
