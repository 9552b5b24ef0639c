"""One thread for each process, as cores are shared among processes.

Calls of libraries are too short to gain from more threads, which would wait for each
other and take cores from other processes.
"""

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
