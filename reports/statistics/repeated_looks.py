"""Looking again once there are more games: how the error is spent over the looks.

Whoever looks at games, adds more while they do not decide, and looks again, has several
chances to be wrong. So each look has a part of the 5 %: the first a half, and each
later one half of what is left. Where the games of the first look were planned to be
enough, it has four fifths, and each later one four fifths of what is left. Such a plan
has no end (it is a spending function of Lan & DeMets 1983, Biometrika 70:659-663): who
goes on later, with more time than was meant at first, goes on with what is left of the
5 %, and the looks before stay as they were.
That looks share games is not used (Bonferroni), so the errors are a little fewer than
that. Ending for whatever reason makes them fewer still.
"""

from statistics import NormalDist

GROWTH = 4
"""Games of a look, as a multiple of those of the look before."""
USUAL, PLANNED = 0.5, 0.8
"""What each look has of the error that is left: as a rule, or if the first was planned
to be enough."""
_ERROR = 0.05


def looks(first: int, most: float) -> tuple[int, ...]:
    """Return the games, in all, at which to look, from ``first`` to ``most``.

    With more time there are more of them, after the same ones.

    >>> looks(256, 5_000), looks(256, 300)
    ((256, 1024, 4096), (256,))
    """
    sizes = [first]
    while sizes[-1] * GROWTH <= most:
        sizes.append(sizes[-1] * GROWTH)
    return tuple(sizes)


def widening(at: int, part: float = USUAL) -> float:
    """Return how many times wider intervals are at a look, from 0, than at one only.

    part: of the error that is left, what each look has. It is the factor of a test on
    one side, which is greater than that of two sides.

    >>> [round(widening(at), 2) for at in range(3)]
    [1.19, 1.36, 1.52]
    >>> [round(widening(at, PLANNED), 2) for at in range(3)]
    [1.06, 1.46, 1.79]
    """
    normal = NormalDist()
    wider = normal.inv_cdf(1 - _ERROR * part * (1 - part) ** at)
    return wider / normal.inv_cdf(1 - _ERROR)


LATER = widening(2)
"""About how many times wider intervals are after a look or two."""
