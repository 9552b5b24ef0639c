"""Calls are taken by whoever is free; each is made once, and told once."""

import os
import time
from contextlib import closing
from functools import partial

import pytest

from experiments.execution import worker_pool
from experiments.execution.failures import RunFailed
from experiments.execution.work_queue import run_queue


@pytest.fixture(autouse=True)
def ended():
    """Workers of no other test, and none that stay."""
    worker_pool.end_workers()
    yield
    worker_pool.end_workers()


def slow(seconds, name):
    time.sleep(seconds)
    return name, os.getpid()


def calls(many, seconds=0.0):
    return ((number, partial(slow, seconds, number)) for number in range(many))


@pytest.mark.parametrize("here", [True, False])
@pytest.mark.parametrize("count", [1, 2])
def test_each_call_is_made_once(here, count):
    found = list(run_queue(calls(40), count, here=here))
    assert sorted(key for key, _ in found) == list(range(40))
    assert all(key == name for key, (name, _) in found)
    assert here or os.getpid() not in {where for _, (_, where) in found}


def test_this_process_plays_until_workers_are_there_and_beside_them():
    found = []
    with closing(run_queue(calls(2_000, 0.05), 1, here=True)) as every:
        for _, (_, where) in every:
            found.append(where)
            if len(set(found)) == 2:
                break
    assert found[0] == os.getpid()
    assert len(set(found)) == 2


def test_workers_go_on_while_this_process_is_busy():
    with closing(run_queue(calls(40, 0.01), 2, here=False)) as every:
        next(every)
        time.sleep(1)
        start = time.monotonic()
        assert len(list(every)) == 39
    assert time.monotonic() - start < 0.2  # they had not waited


def test_calls_are_taken_as_they_are_wanted():
    taken = []

    def counted():
        for one in calls(1_000):
            taken.append(one)
            yield one

    with closing(run_queue(counted(), 2, here=True)) as every:
        next(every)
        assert len(taken) == 1  # workers are not there yet
    assert len(taken) < 1_000


@pytest.mark.parametrize("here", [True, False])
def test_what_goes_wrong_is_raised_wherever_it_does(here):
    def broken():
        yield from calls(5)
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        list(run_queue(broken(), 1, here=here))
    with pytest.raises(ZeroDivisionError):
        list(run_queue([*calls(3), (4, partial(divmod, 1, 0))], 1, here=here))
    dies = [(number, partial(left, os.getpid())) for number in range(400)]
    with pytest.raises(RunFailed, match=r"exit code 1 \(3 times in a row\)"):
        list(run_queue(dies, 1, here=here))


def left(home):
    """A worker dies of it; its parent takes some time."""
    if os.getpid() != home:
        os._exit(1)
    time.sleep(0.01)


def test_others_begin_after_an_error():
    with pytest.raises(ZeroDivisionError):
        list(run_queue([(0, partial(divmod, 1, 0))] * 2, 1, here=False))
    assert len(list(run_queue(calls(9), 1, here=False))) == 9


def test_a_worker_that_cannot_begin_is_told(monkeypatch):
    monkeypatch.setattr(
        worker_pool,
        "start_workers",
        partial(worker_pool.start_workers, module="no.such.room"),
    )
    from experiments.execution import work_queue

    monkeypatch.setattr(work_queue, "start_workers", worker_pool.start_workers)
    with pytest.raises(ModuleNotFoundError):
        list(run_queue(calls(3), 1, here=False))
    found = list(run_queue(calls(3), 1, here=True))
    assert {where for _, (_, where) in found} == {os.getpid()}
