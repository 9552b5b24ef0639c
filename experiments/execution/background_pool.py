"""Make independent calls in the background, on the cores of this machine."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, as_completed
from typing import Generic

from experiments.execution.worker_pool import Returned, extra_workers, get_pool


class BackgroundPool(Generic[Returned]):
    """Independent calls by name, made by ``jobs`` processes.

    Calls and results must be picklable. With one job, calls are made in this process
    when their results are needed.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._begun: dict[str, Future[Returned]] = {}

    def begin(self, calls: Mapping[str, Callable[[], Returned]]) -> None:
        """Begin to make calls in the background."""
        new = {name: call for name, call in calls.items() if name not in self._begun}
        count = extra_workers(self._jobs, busy=True)
        if new and count:
            workers = get_pool(count)
            self._begun |= {name: workers.submit(call) for name, call in new.items()}

    def all(
        self, calls: Mapping[str, Callable[[], Returned]]
    ) -> Generator[tuple[str, Returned], None, None]:
        """Yield the result of each call, with its name; an error ends all."""
        self.begin(calls)
        if not self._begun:
            yield from ((name, call()) for name, call in calls.items())
            return
        names = {self._begun[name]: name for name in calls}
        for future in as_completed(names):
            yield names[future], future.result()
