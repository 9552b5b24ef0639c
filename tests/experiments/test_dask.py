"""A cluster: a real scheduler and real workers, as processes on this machine."""

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

import polars as pl
import pytest

from experiments import backends, remote
from experiments import cluster as network
from experiments.backends import Done, PlayBlock, Task
from experiments.blocks import Block, Outcome, play_block
from experiments.cells import Cell
from experiments.run import RunFailed, run
from sim.games import load

pytest.importorskip("distributed")

RULES = load("kunitame").rules()
CELL = Cell("kunitame", RULES, 4, ("greedy", *["random"] * 3), rotate=True, seed=3)
ROOT = Path(__file__).parents[2]
BLAS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
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
            env={**os.environ, **QUIET, **env},
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


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler that has no workers yet."""
    (tmp_path / "cluster").mkdir()
    with scheduler(tmp_path / "cluster") as cluster:
        yield cluster


@pytest.fixture
def cluster(lone: Cluster) -> Cluster:
    """A scheduler and two workers."""
    lone.add()
    lone.add()
    lone.ready(2)
    return lone


def on(cluster: Cluster, cells: list[Cell], games: int = 6_000, **how):
    how = {"block": 500, **how}
    return run(cells, games, backend="dask", scheduler=cluster.address, **how)


def test_the_same_results_and_a_worker_is_killed(cluster, tmp_path):
    def kills(done: int, total: int) -> None:
        if done == 1_000:
            cluster.workers[0].send_signal(signal.SIGKILL)

    cells = [CELL, Cell("kunitame", RULES, 3, ("planner",) * 3, seed=4)]
    how = {"tables": ["gem"], "detailed": True}
    found = on(cluster, cells, 3_000, out=tmp_path / "o", progress=kills, **how)
    assert cluster.workers[0].wait(10) == -signal.SIGKILL
    here = run(cells, 3_000, block=500, out=tmp_path / "p", **how)
    assert found.sums.equals(here.sums)
    assert found.raw("gem").equals(here.raw("gem"))
    for part in ("blocks", "tables/gem"):
        for path in (tmp_path / "p" / part).iterdir():
            assert path.read_bytes() == (tmp_path / "o" / part / path.name).read_bytes()
    assert found.manifest["fingerprint"] == here.manifest["fingerprint"]


def test_own_strategies_travel_along(cluster, here):
    (here / "helper.py").write_text("def last(cards):\n    return cards[-1]\n")
    text = (here / "my.py").read_text().replace("view.legal[-1]", "last(view.legal)")
    own = here / "own.py"
    own.write_text(f"from helper import last\n{text}")
    cell = Cell("kunitame", RULES, 4, ("own.py:Bold", *["random"] * 3), seed=3)
    assert on(cluster, [cell], 2_000).sums.equals(run([cell], 2_000).sums)
    # the same workers, another helper, in a new session of the user
    (here / "helper.py").write_text("def last(cards):\n    return cards[0]\n")
    (here / "again.py").write_text(SESSION)
    done = subprocess.run(
        [sys.executable, "again.py", cluster.address],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "the same", done.stderr


SESSION = """
import sys
from experiments.cells import Cell
from experiments.run import run
from sim.games import load
rules = load("kunitame").rules()
cell = Cell("kunitame", rules, 4, ("own.py:Bold", *["random"] * 3), seed=3)
there = run([cell], 2_000, block=500, backend="dask", scheduler=sys.argv[1])
print("the same" if there.sums.equals(run([cell], 2_000).sums) else "another")
"""


def test_a_strategy_that_fails_there(cluster, here):
    late = Cell("kunitame", RULES, 4, ("my.py:Late",) * 4, seed=3)
    found = on(cluster, [late, CELL], fail_fast=False)
    assert found.played == (0, 6_000)
    assert "raised RuntimeError" in found.failures[0]
    with pytest.raises(Exception, match="raised RuntimeError") as raised:
        on(cluster, [late])
    assert type(raised.value).__name__ == "StrategyFailed"


def tells() -> PlayBlock:
    """An outcome that says who worked, and with how many threads."""

    def play(cell: Cell, block: Block, *rest: object) -> Outcome:
        play_block(cell, block)
        held = [os.environ.get(name) for name in BLAS]
        told = {"by": [os.getpid()], "threads": [pl.thread_pool_size()]}
        return Outcome(block, pl.DataFrame(told | {"held": [held.count("1")]}), {}, 0)

    return play


def test_one_worker_does_the_work_with_one_thread(lone):
    lone.add(None, "--nanny")
    lone.ready(1)
    tasks = [Task(CELL, Block(0, first, 9), False, (), tells()) for first in range(3)]
    done = list(backends.finished(tasks, 1, "dask", lone.address))
    told = pl.concat(one.sums for one in done if isinstance(one, Done))
    assert told.height == 3
    assert os.getpid() not in told["by"]
    assert told["threads"].to_list() == [1] * 3
    assert told["held"].to_list() == [len(BLAS)] * 3


def deadly() -> PlayBlock:
    def play(cell: Cell, block: Block, *rest: object) -> Outcome:
        if block.first == 1_000:
            os._exit(1)
        return play_block(cell, block)

    return play


def test_a_block_that_ends_its_workers_stops_the_run(cluster, tmp_path):
    with pytest.raises(RunFailed, match="a block was lost with its worker"):
        on(cluster, [CELL], play=deadly(), out=tmp_path / "o")
    assert list((tmp_path / "o/blocks").iterdir())


def other(folder: Path, name: str = "9.9") -> Path:
    """A place that says fairdeal is of another version."""
    about = folder / "path" / f"fairdeal-{name}.dist-info"
    about.mkdir(parents=True)
    about.joinpath("METADATA").write_text(f"Name: fairdeal\nVersion: {name}\n")
    return about.parent


def test_a_worker_of_another_version_is_refused(lone, tmp_path):
    lone.add()
    lone.add(other(tmp_path))
    lone.ready(2)
    ours = "fairdeal " + re.escape(remote.identify()["fairdeal"])
    with pytest.raises(RunFailed, match=f"has fairdeal 9.9; here it is {ours}"):
        on(lone, [CELL])


def test_one_that_comes_later_is_refused_too(lone, tmp_path):
    lone.add()
    lone.ready(1)

    def adds(done: int, total: int) -> None:
        if done == 500:
            lone.add(other(tmp_path))
            lone.ready(2)
            lone.workers[0].kill()

    with pytest.raises(RunFailed, match=r"a worker has fairdeal 9\.9; here it is"):
        on(lone, [CELL], 2_000_000, progress=adds)


def test_one_without_fairdeal_is_refused(lone, tmp_path):
    (tmp_path / "path").mkdir()
    for name in ("sim", "experiments", "strategies", "reports"):
        (tmp_path / "path" / f"{name}.py").write_text("raise ImportError('none')\n")
    lone.add(tmp_path / "path")
    lone.ready(1)
    with pytest.raises(RunFailed, match=r"other source files \(none\)"):
        on(lone, [CELL])


def test_no_workers(lone, monkeypatch):
    monkeypatch.setattr(network, "_WAIT", 1)
    with pytest.raises(
        RunFailed, match=f"has no workers. .*dask worker {lone.address}"
    ):
        on(lone, [CELL])


def test_all_workers_are_lost(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(network, "_ALONE", 2)

    def kills(done: int, total: int) -> None:
        if done == 1_000:
            for worker in cluster.workers:
                worker.kill()

    with pytest.raises(RunFailed, match="is lost: no worker was left for 2 s"):
        on(cluster, [CELL], 200_000, progress=kills, out=tmp_path / "o")
    assert list((tmp_path / "o/blocks").iterdir())


def test_the_scheduler_is_lost(cluster, tmp_path):
    def kills(done: int, total: int) -> None:
        if done == 1_000:
            cluster.process.kill()

    with pytest.raises(RunFailed, match="is lost: it is gone"):
        on(cluster, [CELL], 200_000, progress=kills, out=tmp_path / "o")
    assert list((tmp_path / "o/blocks").iterdir())


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr(network, "_WAIT", 1)
    with pytest.raises(RunFailed, match="no scheduler answers at tcp://127"):
        run([CELL], 100, backend="dask", scheduler="tcp://127.0.0.1:9")


def test_versions_in_words():
    here = {"fairdeal": "1", "numpy": "2", "source": "a"}
    told = remote._told("w", {"fairdeal": "1", "numpy": "3", "source": "b"}, here)
    assert told.startswith("w has numpy 3; here it is numpy 2. Install the same there")
    told = remote._told("w", here | {"source": "b"}, here)
    assert "has fairdeal 1 of other source files (b); here it is a." in told
