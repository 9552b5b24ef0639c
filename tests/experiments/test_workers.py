"""Workers begin ahead, do calls beside what is done here, and are ended at once."""

import os
import signal
import sys
import time
from functools import partial

import pytest

from experiments.execution import workers
from experiments.execution.failures import RunFailed
from experiments.execution.side_by_side import SideBySide
from sim.guard import LIMIT


@pytest.fixture(autouse=True)
def ended():
    """Workers of no other test, and none that stay."""
    workers.end()
    yield
    workers.end()


def calls(one):
    """What it returns, made by workers four times."""
    hired = workers.hired(2)
    return [made.result() for made in [hired.submit(one) for _ in range(4)]]


def has(module):
    return os.getpid(), module in sys.modules


def test_they_begin_ahead_with_what_they_will_need(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    workers.begin(2, "colorsys")
    found = calls(partial(has, "colorsys"))
    assert os.getpid() not in dict(found)
    assert any(there for _, there in found)
    assert "colorsys" not in sys.modules  # it came not back
    assert all(there for _, there in calls(partial(has, "experiments.core.blocks")))


def test_with_one_job_there_are_none(monkeypatch):
    monkeypatch.setattr(workers, "hired", None)
    assert workers.begin(workers.beside(1)) == []
    assert workers.begin(workers.beside(1, busy=True)) == []


def test_this_process_is_one_of_the_jobs_unless_it_is_busy():
    assert [workers.beside(jobs) for jobs in (1, 2, 3)] == [0, 1, 2]
    assert [workers.beside(jobs, busy=True) for jobs in (1, 2, 3)] == [0, 2, 3]


def test_others_come_while_the_first_still_begin():
    for count in (1, 2, 1):
        assert len(workers.begin(count)) == count
    assert workers.hired(1).submit(os.getpid).result() != os.getpid()


def test_they_are_ended_whatever_they_do():
    hired = workers.hired(2)
    sleeping = [hired.submit(partial(time.sleep, 60)) for _ in range(4)]
    start = time.monotonic()
    workers.end()
    assert time.monotonic() - start < 30
    assert all(one.done() for one in sleeping)
    assert calls(os.getpid)  # others begin where they are wanted


def test_workers_keep_to_the_limit_of_now(monkeypatch):
    for limit in ("2.5", "3.5"):
        monkeypatch.setenv(LIMIT, limit)
        assert calls(partial(os.environ.get, LIMIT)) == [limit] * 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_has_begun_is_made_once(jobs, tmp_path):
    beside = SideBySide(jobs)
    every = {name: partial(once, tmp_path / name) for name in "abcd"}
    beside.begin({"a": every["a"]})
    beside.begin({"a": every["a"], "b": every["b"]})
    assert dict(beside.all(every)) == {name: name for name in "abcd"}


def once(path):
    path.touch(exist_ok=False)
    return path.name


def test_calls_are_made_of_what_is_there_when_they_begin():
    held = {"one": 1}
    found = workers.hired(2).submit(partial(dict, held))
    held["other"] = 2
    assert found.result() == {"one": 1}


def test_of_nothing_comes_nothing():
    assert list(SideBySide(2).all({})) == []


def test_an_error_of_a_call_is_told_and_a_lost_worker_too():
    with pytest.raises(ZeroDivisionError):
        dict(SideBySide(2).all({"a": partial(divmod, 1, 0)}))
    with pytest.raises(RunFailed, match="a worker process was lost: its process ended"):
        dict(SideBySide(2).all({"a": partial(os._exit, 1)}))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_they_never_hear_of_ctrl_c_and_their_parent_does():
    assert calls(deaf) == [True] * 4
    assert not deaf()


def deaf():
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
