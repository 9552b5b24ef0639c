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

import pytest

from experiments import remote
from experiments.cells import Cell
from experiments.run import RunFailed, run
from sim.games import load

pytest.importorskip("distributed")

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

    def add(self, path: Path | None = None) -> subprocess.Popen[str]:
        """Start a worker in an empty folder of its own; ``path`` comes first there."""
        here = self.folder / f"worker-{len(self.workers)}"
        here.mkdir()
        places = [str(place) for place in (path, ROOT) if place]
        words = ("dask_worker", self.address, "--nthreads", "1", "--no-nanny")
        env = {"PYTHONPATH": os.pathsep.join(places)}
        worker = _start(here, env, *words, "--no-dashboard", "--host", "127.0.0.1")
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
        )


@contextmanager
def scheduler(folder: Path) -> Iterator[Cluster]:
    """A scheduler on a port that is free, without workers."""
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    loud = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "info"}
    process = _start(folder, loud, "dask_scheduler", *words)
    cluster = Cluster("", [], folder)
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
                one.kill()
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
        if done == 2_000:
            cluster.workers[0].send_signal(signal.SIGKILL)

    cells = [CELL, Cell("kunitame", RULES, 3, ("planner",) * 3, seed=4)]
    how = {"tables": ["gem"], "detailed": True}
    found = on(cluster, cells, out=tmp_path / "o", progress=kills, **how)
    assert cluster.workers[0].wait(10) == -signal.SIGKILL
    here = run(cells, 6_000, block=500, out=tmp_path / "p", **how)
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
    monkeypatch.setattr(remote, "_WAIT", 1)
    with pytest.raises(
        RunFailed, match=f"has no workers. .*dask worker {lone.address}"
    ):
        on(lone, [CELL])


def test_all_workers_are_lost(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(remote, "_ALONE", 2)

    def kills(done: int, total: int) -> None:
        if done == 1_000:
            for worker in cluster.workers:
                worker.kill()

    with pytest.raises(RunFailed, match="is lost: no worker was left for 2 s"):
        on(cluster, [CELL], 200_000, progress=kills, out=tmp_path / "o")
    assert list((tmp_path / "o/blocks").iterdir())


def test_nobody_answers(monkeypatch):
    monkeypatch.setattr(remote, "_WAIT", 1)
    with pytest.raises(RunFailed, match="no scheduler answers at tcp://127"):
        run([CELL], 100, backend="dask", scheduler="tcp://127.0.0.1:9")


def test_versions_in_words():
    here = {"fairdeal": "1", "numpy": "2", "source": "a"}
    told = remote._told("w", {"fairdeal": "1", "numpy": "3", "source": "b"}, here)
    assert told.startswith("w has numpy 3; here it is numpy 2. Install the same there")
    told = remote._told("w", here | {"source": "b"}, here)
    assert "has fairdeal 1 of other source files (b); here it is a." in told
