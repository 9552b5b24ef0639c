"""Several runs, and calls of any kind, on the same cores: none waits for another's end.

They begin in their order; a core that is free goes on with what comes next.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from experiments.execution.backends import as_done
from experiments.execution.run import Begun
from experiments.execution.tasks import TableCall, grouped


def play_at_once(works: Sequence[Begun | Callable[[], Any]], jobs: int) -> list[Any]:
    """Play all that is left of runs, and make calls: what the calls return.

    An error ends all; what was played of runs on disk is kept.
    """
    for one in works:
        if isinstance(one, Begun):
            one.tell(None)
    found: dict[int, Any] = {}

    def parts() -> Iterator[tuple[int, Callable[[], Any]]]:
        for number, one in enumerate(works):
            if isinstance(one, Begun):
                for some in grouped(one.tasks):
                    yield number, TableCall(some)
            else:
                yield number, one

    apart = any(one.apart for one in works if isinstance(one, Begun))
    with closing(as_done(parts(), jobs, busy=True, apart=apart)) as done:
        for number, what in done:
            one = works[number]
            if isinstance(one, Begun):
                for block in what:
                    one.take(block)
            else:
                found[number] = what
    return [found[number] for number in sorted(found)]
