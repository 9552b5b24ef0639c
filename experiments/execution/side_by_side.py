"""Calls side by side on the cores of this machine; what they return, as it comes."""

from collections.abc import Callable, Generator, Sequence

from experiments.execution.backends import Found, as_done


def side_by_side(
    calls: Sequence[Callable[[], Found]], jobs: int
) -> Generator[tuple[int, Found], None, None]:
    """What each call returns, with its number, in any order.

    ``jobs`` processes do them (-1: all cores). Calls and what they return have to
    travel to other processes. An error ends all.
    """
    return as_done(enumerate(calls), jobs)
