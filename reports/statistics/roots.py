"""The root of a function: bisection with interpolation, for speed.

Brent's method (Brent 1973, "Algorithms for minimization without derivatives", ch. 4),
with the steps of SciPy's brentq, which takes a quarter of a second to import.
"""

from collections.abc import Callable

_ABSOLUTE, _RELATIVE = 2e-12, 4 * 2.0**-52  # tolerances
_MAX_STEPS = 100


def root(of: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a function, between two ends at which its signs differ.

    >>> round(root(lambda x: x * x - 2, 0.0, 2.0), 9)
    1.414213562
    """
    before, here = low, high
    f_before, f_here = of(before), of(here)
    if f_before == 0:
        return before
    if f_here != 0 and (f_before < 0) == (f_here < 0):
        raise ValueError("the function has the same sign at both ends")
    other, f_other, last, step = before, f_before, 0.0, 0.0  # other: across the root
    for _ in range(_MAX_STEPS):
        if f_before != 0 and f_here != 0 and (f_before < 0) != (f_here < 0):
            other, f_other = before, f_before
            last = step = here - before
        if abs(f_other) < abs(f_here):
            before, here, other = here, other, here
            f_before, f_here, f_other = f_here, f_other, f_here
        near, half = (_ABSOLUTE + _RELATIVE * abs(here)) / 2, (other - here) / 2
        if f_here == 0 or abs(half) < near:
            return here
        last, step = _steps(
            (before, here, other), (f_before, f_here, f_other), (last, step, half), near
        )
        before, f_before = here, f_here
        if abs(step) > near:
            here += step
        else:
            here += near if half > 0 else -near
        f_here = of(here)
    raise RuntimeError(f"no root found in {_MAX_STEPS} steps")


Three = tuple[float, float, float]


def _steps(x: Three, f: Three, steps: Three, near: float) -> tuple[float, float]:
    """Return the last step, as it counts for the next one, and the step to take."""
    before, here, other = x
    f_before, f_here, f_other = f
    last, step, half = steps
    if abs(last) <= near or abs(f_here) >= abs(f_before):
        return half, half
    if before == other:
        tried = -f_here * (here - before) / (f_here - f_before)
    else:
        slope = (f_before - f_here) / (before - here)
        across = (f_other - f_here) / (other - here)
        top = f_other * across - f_before * slope
        tried = -f_here * top / (across * slope * (f_other - f_before))
    if 2 * abs(tried) < min(abs(last), 3 * abs(half) - near):
        return step, tried
    return half, half
