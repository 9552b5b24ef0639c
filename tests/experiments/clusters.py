"""A cluster to test with: a scheduler and workers, as processes on this machine."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import load

RULES = load("kunitame").rules()
CELL = Cell("kunitame", RULES, 4, ("greedy", *["random"] * 3), rotate=True, seed=3)
ROOT = Path(__file__).parents[2]
QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}


@dataclass
class Cluster:
    """A scheduler, and its workers as they were started."""

    address: str
    workers: list[subprocess.Popen[str]]
    folder: Path
    process: subprocess.Popen[str]

    def add(self, path: Path | None = None, *more: str) -> subprocess.Popen[str]:
        """Start a worker in an empty folder of its own; ``path`` comes first there."""
        here = self.folder / f"worker-{len(self.workers)}"
        here.mkdir()
        places = [str(place) for place in (path, ROOT) if place]
        words = ("dask_worker", self.address, "--nthreads", "1", "--no-dashboard")
        env = {"PYTHONPATH": os.pathsep.join(places)}
        alone = more or ("--no-nanny",)
        worker = _start(here, env, *words, "--host", "127.0.0.1", *alone)
        self.workers.append(worker)
        return worker

    def ready(self, count: int) -> None:
        """Wait until so many workers are known to the scheduler."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)


def _start(folder: Path, env: dict[str, str], *words: str) -> subprocess.Popen[str]:
    name, *rest = words
    with (folder / "log").open("w") as log:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *rest],
            cwd=folder,
            env={k: v for k, v in os.environ.items() if "_NUM_THREADS" not in k}
            | QUIET
            | env,
            stderr=log,
            text=True,
            start_new_session=True,
        )


@contextmanager
def scheduler(folder: Path) -> Iterator[Cluster]:
    """A scheduler on a port that is free, without workers."""
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    words += ("--idle-timeout", "5 minutes")  # where the tests are killed
    loud = {
        "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info",
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
    }
    process = _start(folder, loud, "dask_scheduler", *words)
    cluster = Cluster("", [], folder, process)
    try:
        deadline = time.monotonic() + 60
        while not cluster.address:
            assert process.poll() is None
            assert time.monotonic() < deadline
            told = re.search(r"tcp://127\.0\.0\.1:\d+", (folder / "log").read_text())
            cluster.address = told[0] if told else ""
            time.sleep(0.05)
        yield cluster
    finally:
        for one in (process, *cluster.workers):
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.wait()


def on(cluster: Cluster, cells: list[Cell], games: int = 6_000, **how):
    """Play on a cluster, in blocks of 500 games."""
    how = {"block": 500, **how}
    return run(cells, games, backend="dask", scheduler=cluster.address, **how)
