"""What a strategy may not do to the process: end it, or hold it for ever."""

import os
import subprocess
import sys
import threading
import time

import pytest

from sim.guard import LIMIT, Guard, OutOfTime, seconds_for


def loops():
    while True:
        pass


def sleeps():
    time.sleep(1_000)


def swallows():
    for _ in range(100):
        try:
            time.sleep(1_000)
        except BaseException:  # noqa: S110 - what a bad strategy does
            pass
        else:
            break
        if _ == 1:
            return


@pytest.mark.parametrize("endless", [loops, sleeps])
def test_what_never_returns_is_stopped(endless):
    start = time.monotonic()
    with pytest.raises(OutOfTime), Guard(0.1):
        endless()
    assert time.monotonic() - start < 10


def test_it_is_stopped_again_where_it_swallows_the_error():
    with Guard(0.1):
        swallows()


def test_in_another_thread():
    found = []

    def play():
        try:
            with Guard(0.1):
                loops()
        except OutOfTime:
            found.append("stopped")
        with Guard(5.0):
            found.append("goes on")

    thread = threading.Thread(target=play)
    thread.start()
    thread.join(30)
    assert found == ["stopped", "goes on"]


def test_what_comes_back_in_time_is_left_alone():
    with Guard(0.05):
        pass
    time.sleep(0.1)  # no timer is left


def test_the_process_cannot_be_ended():
    with pytest.raises(SystemExit), Guard():
        os._exit(0)


def test_a_guard_within_another_ends_nothing_early():
    with Guard(30.0):
        with Guard(0.01):
            time.sleep(0.05)
        with pytest.raises(SystemExit):
            os._exit(3)


def test_outside_the_process_can_be_ended():
    code = "import os\nfrom sim.guard import Guard\nwith Guard(1.0): pass\nos._exit(7)"
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 7


def test_the_limit_can_be_set(monkeypatch):
    monkeypatch.delenv(LIMIT, raising=False)
    assert seconds_for(1_000) == 70
    monkeypatch.setenv(LIMIT, "2.5")
    assert seconds_for(1_000) == 2.5
    monkeypatch.setenv(LIMIT, "soon")
    assert seconds_for(0) == 60


def test_lines_can_be_traced_after_another_thread_was_guarded():
    """CPython 3.11 traces for ever if an error set for a thread is taken back."""
    program = (
        "import sys, threading\n"
        "from sim.guard import Guard, OutOfTime\n"
        "def play(late):\n"
        "    try:\n"
        "        with Guard(0.05):\n"
        "            while late: pass\n"
        "    except OutOfTime:\n"
        "        print('late')\n"
        "for late in (False, True, False):\n"
        "    thread = threading.Thread(target=play, args=(late,))\n"
        "    thread.start(); thread.join()\n"
        "sys.settrace(lambda frame, event, argument: None)\n"
        "(lambda: None)()\n"
        "print('traced')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.split() == ["late", "traced"]
