"""One thread for each process, as cores are shared among processes.

Calls of libraries are too short to gain from more threads, which would wait for each
other and take cores from other processes.
"""

from collections.abc import Callable
from typing import TypeVar

Returned = TypeVar("Returned")

ONE_THREAD = dict.fromkeys(
    (
        "POLARS_MAX_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ),
    "1",
)
"""The environment that limits libraries that are not imported yet."""


def call_here(call: Callable[[], Returned]) -> Returned:
    """Make a call in this process with one thread of BLAS, as workers do.

    Afterwards this process, which may be the user's, has as many threads as before.
    More would also sum products of matrices in another order, so that what is learned
    would depend on the number of processes.
    """
    from threadpoolctl import threadpool_limits  # slow to import

    with threadpool_limits(1, "blas"):
        return call()
