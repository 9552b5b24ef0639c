"""Several runs, and calls of any kind, on the same cores: none waits for another's end.

They begin in their order; a core that is free goes on with what comes next.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

from experiments.execution.backends import as_done
from experiments.execution.run import Begun
from experiments.execution.tasks import grouped, work_together


def play_at_once(
    runs: Sequence[Begun], calls: Sequence[Callable[[], Any]], jobs: int
) -> list[Any]:
    """Play all that is left of some runs, and make the calls: what these return.

    An error ends all; what was played of runs on disk is kept.
    """
    for one in runs:
        one.tell(None)
    found: dict[int, Any] = {}

    def works() -> Iterator[tuple[tuple[bool, int], Callable[[], Any]]]:
        for number, one in enumerate(runs):
            for some in grouped(one.tasks):
                yield (True, number), partial(work_together, some)
        for number, call in enumerate(calls):
            yield (False, number), call

    with closing(as_done(works(), jobs)) as done:
        for (is_run, number), what in done:
            if not is_run:
                found[number] = what
                continue
            for block in what:
                runs[number].take(block)
    return [found[number] for number in range(len(calls))]
