"""One thread for a process: what is spread over the cores are processes.

Calls of libraries are too short to be worth more threads, which wait for each other
and keep cores from other processes.
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
"""The environment that says so, to libraries that are not imported yet."""
