"""Play several runs and make other calls on the same cores, without waiting in between.

They begin in order; a free core takes whatever comes next, so none stands idle while
the last blocks of a run finish.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from experiments.execution.backends import completed_calls
from experiments.execution.block_tasks import TableCall, group_tasks
from experiments.execution.run import OpenRun


def run_many(works: Sequence[OpenRun | Callable[[], Any]], jobs: int) -> list[Any]:
    """Play the remaining blocks of runs, and make calls; return what the calls return.

    An error ends all; finished blocks of runs on disk are kept.
    """
    for work in works:
        if isinstance(work, OpenRun):
            work.tell(None)
    returned: dict[int, Any] = {}

    def parts() -> Iterator[tuple[int, Callable[[], Any]]]:
        for number, work in enumerate(works):
            if isinstance(work, OpenRun):
                for tasks in group_tasks(work.tasks):
                    yield number, TableCall(tasks)
            else:
                yield number, work

    apart = any(work.runs_user_code for work in works if isinstance(work, OpenRun))
    with closing(completed_calls(parts(), jobs, busy=True, user_code=apart)) as done:
        for number, result in done:
            work = works[number]
            if isinstance(work, OpenRun):
                for block in result:
                    work.record(block)
            else:
                returned[number] = result
    return [returned[number] for number in sorted(returned)]
