"""What a worker of a cluster does: say what it is, and play blocks.

Imports nothing heavy by itself: whoever loads this module first, a worker that was
just started, has its threads held to one before the arrays are there.
"""

import os
import sys
from typing import Any

if "polars" not in sys.modules:
    os.environ["POLARS_MAX_THREADS"] = "1"


def identify() -> dict[str, str]:
    """What results depend on; it is sent as code, so it needs no fairdeal there."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    for name in ("fairdeal", "numpy", "polars"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    try:
        from experiments.execution.manifests import source

        found["source"] = source()
        from experiments.execution.version import VERSION

        found["fairdeal"] = VERSION  # of an old checkout, pip says what once was
    except ImportError:
        found.setdefault("source", "none")
    return found


def play_sent(packed: bytes, here: dict[str, str]) -> Any:
    """Play a packed task; ``here`` is what results depend on where they are merged.

    Returns a ``BlockResult`` or ``BlockFailure``, or this worker's versions if they
    differ.
    """
    import pickle

    mine = identify()
    if mine != here:
        return mine
    from experiments.execution.tasks import work

    return work(pickle.loads(packed))  # noqa: S301 - dask runs what it is sent anyway
