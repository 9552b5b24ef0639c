"""Any calls side by side on the cores of this machine; what they return, in order."""

from collections.abc import Callable, Sequence
from contextlib import closing

from experiments.execution.backends import Found, as_done


def side_by_side(calls: Sequence[Callable[[], Found]], jobs: int) -> list[Found]:
    """What each call returns; ``jobs`` processes do them (-1: all cores).

    Calls and what they return have to travel to other processes. An error ends all.
    """
    with closing(as_done(enumerate(calls), jobs)) as done:
        found = dict(done)
    return [found[number] for number in range(len(calls))]
