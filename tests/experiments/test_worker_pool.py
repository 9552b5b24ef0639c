"""Workers begin ahead, do calls beside what is done here, and are ended at once."""

import os
import signal
import sys
import time
from functools import partial

import pytest

from experiments.execution import worker_pool
from experiments.execution.background_pool import BackgroundPool
from experiments.execution.failures import RunFailed
from sim.guard import LIMIT


@pytest.fixture(autouse=True)
def ended():
    """Workers of no other test, and none that stay."""
    worker_pool.end_workers()
    yield
    worker_pool.end_workers()


def calls(one):
    """What it returns, made by workers four times."""
    hired = worker_pool.get_pool(2)
    return [made.result() for made in [hired.submit(one) for _ in range(4)]]


def has(module):
    return os.getpid(), module in sys.modules


def test_they_begin_ahead_with_what_they_will_need(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    worker_pool.start_workers(2, "colorsys")
    found = calls(partial(has, "colorsys"))
    assert os.getpid() not in dict(found)
    assert any(there for _, there in found)
    assert "colorsys" not in sys.modules  # it came not back
    assert all(there for _, there in calls(partial(has, "experiments.core.blocks")))


def test_with_one_job_there_are_none(monkeypatch):
    monkeypatch.setattr(worker_pool, "get_pool", None)
    assert worker_pool.start_workers(worker_pool.extra_workers(1)) == []
    assert worker_pool.start_workers(worker_pool.extra_workers(1, busy=True)) == []


def test_this_process_is_one_of_the_jobs_unless_it_is_busy():
    assert [worker_pool.extra_workers(jobs) for jobs in (1, 2, 3)] == [0, 1, 2]
    assert [worker_pool.extra_workers(jobs, busy=True) for jobs in (1, 2, 3)] == [
        0,
        2,
        3,
    ]


def test_others_come_while_the_first_still_begin():
    for count in (1, 2, 1):
        assert len(worker_pool.start_workers(count)) == count
    assert worker_pool.get_pool(1).submit(os.getpid).result() != os.getpid()


def test_they_are_ended_whatever_they_do():
    hired = worker_pool.get_pool(2)
    sleeping = [hired.submit(partial(time.sleep, 60)) for _ in range(4)]
    start = time.monotonic()
    worker_pool.end_workers()
    assert time.monotonic() - start < 30
    assert all(one.done() for one in sleeping)
    assert calls(os.getpid)  # others begin where they are wanted


def test_workers_keep_to_the_limit_of_now(monkeypatch):
    for limit in ("2.5", "3.5"):
        monkeypatch.setenv(LIMIT, limit)
        assert calls(partial(os.environ.get, LIMIT)) == [limit] * 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_has_begun_is_made_once(jobs, tmp_path):
    beside = BackgroundPool(jobs)
    every = {name: partial(once, tmp_path / name) for name in "abcd"}
    beside.begin({"a": every["a"]})
    beside.begin({"a": every["a"], "b": every["b"]})
    assert dict(beside.all(every)) == {name: name for name in "abcd"}


def once(path):
    path.touch(exist_ok=False)
    return path.name


def test_calls_are_made_of_what_is_there_when_they_begin():
    held = {"one": 1}
    found = worker_pool.get_pool(2).submit(partial(dict, held))
    held["other"] = 2
    assert found.result() == {"one": 1}


def test_of_nothing_comes_nothing():
    assert list(BackgroundPool(2).all({})) == []


def test_an_error_of_a_call_is_told_and_a_lost_worker_too():
    with pytest.raises(ZeroDivisionError):
        dict(BackgroundPool(2).all({"a": partial(divmod, 1, 0)}))
    with pytest.raises(RunFailed, match="a worker process was lost: its process ended"):
        dict(BackgroundPool(2).all({"a": partial(os._exit, 1)}))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_they_never_hear_of_ctrl_c_and_their_parent_does():
    assert calls(deaf) == [True] * 4
    assert not deaf()


def deaf():
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
