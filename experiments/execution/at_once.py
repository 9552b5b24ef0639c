"""Play several runs and make other calls on the same cores, without waiting in between.

They begin in order; a free core takes whatever comes next, so none stands idle while
the last blocks of a run finish.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from experiments.execution.backends import as_done
from experiments.execution.run import Begun
from experiments.execution.tasks import TableCall, grouped


def play_at_once(works: Sequence[Begun | Callable[[], Any]], jobs: int) -> list[Any]:
    """Play the remaining blocks of runs, and make calls; return what the calls return.

    An error ends all; finished blocks of runs on disk are kept.
    """
    for work in works:
        if isinstance(work, Begun):
            work.tell(None)
    returned: dict[int, Any] = {}

    def parts() -> Iterator[tuple[int, Callable[[], Any]]]:
        for number, work in enumerate(works):
            if isinstance(work, Begun):
                for tasks in grouped(work.tasks):
                    yield number, TableCall(tasks)
            else:
                yield number, work

    apart = any(work.apart for work in works if isinstance(work, Begun))
    with closing(as_done(parts(), jobs, busy=True, apart=apart)) as done:
        for number, result in done:
            work = works[number]
            if isinstance(work, Begun):
                for block in result:
                    work.take(block)
            else:
                returned[number] = result
    return [returned[number] for number in sorted(returned)]
