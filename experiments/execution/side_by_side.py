"""Calls side by side on the cores of this machine, and beside what is done here."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, as_completed
from typing import Generic

from experiments.execution.workers import Found, beside, hired


class SideBySide(Generic[Found]):
    """Calls that know nothing of one another, by name; ``jobs`` processes make them.

    Calls and what they return have to travel to other processes. With one job they are
    made here, when they are asked for.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._begun: dict[str, Future[Found]] = {}

    def begin(self, calls: Mapping[str, Callable[[], Found]]) -> None:
        """Have some made, while this process goes on."""
        new = {name: call for name, call in calls.items() if name not in self._begun}
        count = beside(self._jobs, busy=True)
        if new and count:
            workers = hired(count)
            self._begun |= {name: workers.submit(call) for name, call in new.items()}

    def all(
        self, calls: Mapping[str, Callable[[], Found]]
    ) -> Generator[tuple[str, Found], None, None]:
        """What each of them returns, with its name, in any order. An error ends all."""
        self.begin(calls)
        if not self._begun:
            yield from ((name, call()) for name, call in calls.items())
            return
        names = {self._begun[name]: name for name in calls}
        for future in as_completed(names):
            yield names[future], future.result()
