"""Joblib's dask backend, made to work with one worker and to raise dask's own errors.

It imports joblib and distributed, so import it only where they are needed.
"""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from joblib._dask import DaskDistributedBackend

if TYPE_CHECKING:
    from distributed import Client

Tell = Callable[[Any], None]  # joblib's callback for a call that is done


@dataclass(frozen=True)
class _Lost:
    """Stands for a result that will never come."""

    error: BaseException


class DaskPool(DaskDistributedBackend):  # type: ignore[misc] # joblib is untyped
    """The workers of a cluster, as joblib uses them."""

    def __init__(self, client: "Client") -> None:
        super().__init__(client=client)
        self.error: BaseException | None = None  # the first that dask reported
        self._waiting: dict[Future[Any], Tell] = {}

    def effective_n_jobs(self, n_jobs: int) -> int:
        """Return the number of cores of the cluster, but at least two.

        With one core joblib would send nothing, but work in this process.
        """
        return max(2, super().effective_n_jobs(n_jobs))

    def submit(self, func: Any, callback: Tell) -> Future[Any]:
        """Send a call to the cluster; ``callback`` is called on errors, too.

        Joblib does not call it when dask itself fails, and would wait forever.
        """
        future: Future[Any] = super().submit(func, callback)
        self._waiting[future] = callback
        future.add_done_callback(self._done)
        return future

    def check(self) -> None:
        """Give up calls that dask has given up without telling joblib.

        Dask does so if a result is lost with its worker and cannot be computed again.
        """
        states: list[Any] = list(self.client.futures.values())
        for state in states:
            if state.status == "error":
                self.give_up(state.exception)

    def give_up(self, error: BaseException) -> None:
        """Raise this error where joblib waits for results."""
        self.error = self.error or error
        for callback in list(self._waiting.values()):
            callback(_Lost(error))

    def retrieve_result_callback(self, out: Any) -> Any:
        """Return the result of a call; raises the error that dask reported."""
        if isinstance(out, _Lost):
            raise out.error
        return super().retrieve_result_callback(out)

    def _done(self, future: Future[Any]) -> None:
        error = future.exception()
        if error is not None:
            self.give_up(error)
        del self._waiting[future]
