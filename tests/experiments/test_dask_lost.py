"""What a cluster may do: be of another version, be lost, have nobody in it."""

import os
import re
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from experiments.core.block_records import Block
from experiments.core.blocks import Outcome, play_block
from experiments.core.cells import Cell
from experiments.execution import cluster as network
from experiments.execution import cluster_backend
from experiments.execution.block_tasks import PlayBlock
from experiments.execution.run import RunFailed, run
from tests.experiments.clusters import CELL, on

pytest.importorskip("distributed")
pytestmark = pytest.mark.soak  # workers and schedulers that are killed


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


def greedy() -> PlayBlock:
    def play(cell: Cell, block: Block, *rest: object) -> Outcome:
        held = []
        while block.first == 1_000:  # until the nanny ends it
            held.append(bytearray(os.urandom(1 << 20) * 40))
            time.sleep(0.05)
        return play_block(cell, block)

    return play


@pytest.mark.soak
def test_a_worker_that_runs_out_of_memory_stops_the_run(lone, tmp_path):
    lone.add(None, "--nanny", "--memory-limit", "700MB")
    lone.add(None, "--nanny", "--memory-limit", "700MB")
    lone.ready(2)
    with pytest.raises(RunFailed, match="is there too little memory"):
        on(lone, [CELL], play=greedy(), out=tmp_path / "o")
    kept = list((tmp_path / "o/blocks").iterdir())
    assert kept


def test_what_dask_gives_up_without_a_word_is_told(lone):
    from distributed import Client

    from experiments.execution.dask_pool import DaskPool

    lone.add()
    told: list[object] = []
    with Client(lone.address, set_as_default=False) as client:
        pool = DaskPool(client)
        pool._waiting[Future()] = told.append
        assert client.submit(abs, -1).result() == 1
        pool.check()
        assert not told
        lost = client.submit(divmod, 1, 0)
        assert lost.exception() is not None
        pool.check()
        assert pool.effective_n_jobs(-1) == 2
    with pytest.raises(ZeroDivisionError):
        pool.retrieve_result_callback(told[0])
    assert isinstance(pool.error, ZeroDivisionError)


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
    ours = "fairdeal " + re.escape(cluster_backend.worker_identity()["fairdeal"])
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
    told = cluster_backend._version_error(
        "w", {"fairdeal": "1", "numpy": "3", "source": "b"}, here
    )
    assert told.startswith("w has numpy 3; here it is numpy 2. Results would differ")
    told = cluster_backend._version_error("w", here | {"source": "b"}, here)
    assert "has fairdeal 1 of other source files (b); here it is a." in told


def test_the_command_line_tells_the_same(fairdeal, monkeypatch):
    monkeypatch.setattr(network, "_WAIT", 1)
    words = ("run", "kunitame", "-n", "100", "--backend", "dask")
    without = fairdeal(*words)
    assert without.exit_code == 2
    assert "scheduler: backend dask needs the address" in without.stderr
    gone = fairdeal(*words, "--scheduler", "tcp://127.0.0.1:9")
    assert gone.exit_code == 1
    assert "no scheduler answers at tcp://127.0.0.1:9" in gone.stderr
