"""Workers: one thread each, an environment left as it was, and what ends them."""

import os
import time
from pathlib import Path

import polars as pl
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from experiments.core.block_records import Block
from experiments.core.blocks import Outcome, play_block
from experiments.core.cells import Cell
from experiments.execution import backends, worker_pool
from experiments.execution.backends import run_tasks
from experiments.execution.block_tasks import Task, play_task
from experiments.execution.failures import BlockFailure
from experiments.execution.run import RunFailed, run
from experiments.execution.single_thread import ONE_THREAD
from experiments.execution.worker_pool import end_workers, process_count
from sim.games import load

CELL = Cell("kunitame", load("kunitame").rules(), 4, ("random",) * 4, seed=1)


def says_threads() -> tuple[int, list[str | None]]:
    """The threads of polars in a worker, and what its environment says of others."""
    return pl.thread_pool_size(), [os.environ.get(name) for name in ONE_THREAD]


def sleeps(cell: Cell, block: Block, *rest: object) -> Outcome:
    """An outcome that takes a little."""
    time.sleep(0.01)
    return Outcome(block, pl.DataFrame(), {}, 0)


def tasks(play, count: int = 4):
    for number in range(count):
        yield Task(CELL, Block(0, number, 1), False, (), play)


def test_workers_have_one_thread_each(monkeypatch):
    end_workers()  # of an earlier test
    monkeypatch.delenv("POLARS_MAX_THREADS", raising=False)
    before = dict(os.environ)
    hired = worker_pool.get_pool(2)
    told = [hired.submit(says_threads).result() for _ in range(4)]
    assert told == [(1, ["1"] * len(ONE_THREAD))] * 4
    assert dict(os.environ) == before


def blas_threads() -> set[int]:
    """The threads of the libraries of linear algebra in this process."""
    libraries = threadpool_info()
    return {one["num_threads"] for one in libraries if one["user_api"] == "blas"}


def test_this_process_plays_with_one_thread_and_keeps_its_own():
    seen = []

    def looks(cell: Cell, block: Block, *rest: object) -> Outcome:
        seen.append(blas_threads())
        return sleeps(cell, block)

    with threadpool_limits(2, "blas"):
        before = blas_threads()
        for _ in run_tasks(tasks(looks), 1, "loky", None):
            assert blas_threads() == before
    assert seen == [{1}] * 4


def test_all_cores_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "2")
    many = min(2, os.cpu_count() or 1)
    assert [process_count(jobs) for jobs in (-1, 1, 3)] == [many, 1, 3]


def test_tasks_are_taken_as_they_are_wanted():
    taken = []

    def counted():
        for number, task in enumerate(tasks(sleeps, 100)):
            taken.append(number)
            yield task

    end_workers()  # workers that are there would do many before one was looked at
    found = run_tasks(counted(), 2, "loky", None)
    next(found)
    assert len(taken) < 20
    found.close()  # without a warning


def test_an_error_is_a_value():
    def play(*_: object) -> Outcome:
        raise ValueError("no")

    [task] = tasks(play, 1)
    failed = play_task(task)
    assert isinstance(failed, BlockFailure)
    assert failed.message == "ValueError: no"
    assert "in play" in failed.where


def test_a_disk_of_a_worker_that_is_full(tmp_path):
    task = Task(CELL, Block(0, 0, 50), False, ("trick",), play_block, tmp_path / "o")
    failed = play_task(task)
    assert isinstance(failed, BlockFailure)
    assert isinstance(failed.error, RunFailed)
    assert "is gone" in failed.message


@pytest.mark.parametrize("jobs", [1, 2])
def test_raw_tables_are_the_same_bytes(tmp_path, jobs):
    out = tmp_path / str(jobs)
    run([CELL], 2_000, jobs=jobs, block=500, tables=["trick"], out=out)
    whole = run([CELL], 2_000, block=500, tables=["trick"], out=tmp_path / "whole")
    assert whole.raw("trick").equals(pl.read_parquet(f"{out}/tables/trick/*.parquet"))
    for path in (out / "tables/trick").iterdir():
        other: Path = tmp_path / "whole/tables/trick" / path.name
        assert path.read_bytes() == other.read_bytes()


def test_own_strategies_reach_the_workers_wherever_they_are(here, monkeypatch):
    own = Cell("kunitame", CELL.rules, 4, ("my.py:Bold", *["random"] * 3), seed=1)
    alone = run([own], 2_000, block=500)
    with pytest.MonkeyPatch.context() as patch:
        (here / "elsewhere").mkdir()
        real = backends.run_queue

        def moved(given, *how, **more):
            given = list(given)
            patch.chdir(here / "elsewhere")
            yield from real(given, *how, **more)

        patch.setattr(backends, "run_queue", moved)
        assert run([own], 2_000, block=500, jobs=2).sums.equals(alone.sums)
