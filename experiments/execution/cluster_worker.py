"""The work of a cluster's worker: it identifies itself and plays blocks.

It imports nothing heavy at the top, so that a worker that says first who it is has
limited itself to one thread before polars is imported.
"""

import os
import sys
from typing import Any


def worker_identity() -> dict[str, str]:
    """Return the versions that results depend on; it is sent as code."""
    if "polars" not in sys.modules:
        os.environ["POLARS_MAX_THREADS"] = "1"
    import platform
    from importlib.metadata import PackageNotFoundError, version

    versions = {"python": ".".join(platform.python_version_tuple()[:2])}
    for name in ("fairdeal", "numpy", "polars"):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "none"
    try:
        from experiments.execution.manifests import source_hash

        versions["source"] = source_hash()
        from experiments.execution.version import VERSION

        versions["fairdeal"] = VERSION  # pip has an old one for an updated checkout
    except ImportError:
        versions.setdefault("source", "none")
    return versions


def play_packed_task(packed: bytes, here: dict[str, str]) -> Any:
    """Play a packed task; ``here`` has the versions of the process that merges results.

    Return a ``BlockResult`` or ``BlockFailure``, or this worker's versions if they
    differ.
    """
    import pickle

    mine = worker_identity()
    if mine != here:
        return mine
    from experiments.execution.block_tasks import play_task

    return play_task(pickle.loads(packed))  # noqa: S301 - dask runs what it is sent anyway
