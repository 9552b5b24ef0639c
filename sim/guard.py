"""What code of a strategy may not do to the process: end it, or hold it for ever.

    with Guard(seconds=60):
        answer = player.decide(view)

Inside, ``os._exit`` raises ``SystemExit``, and what has not come back in time is
stopped with ``OutOfTime``: in the main thread by a timer of the system, which also
wakes a call that sleeps; in others between two steps of Python code. A guard within
another (a search asks strategies of its own) does nothing.
"""

import ctypes
import math
import os
import signal
import threading
from functools import cache
from types import FrameType, TracebackType
from typing import Any, NoReturn

LIMIT = "FAIRDEAL_DECISION_LIMIT"
"""The environment variable that sets the seconds for an answer."""
_FIXED, _EACH = 60.0, 0.01  # seconds: for an answer, and for each game it is about
_RAISE_AGAIN_AFTER = 1.0  # seconds, where the error was swallowed


class OutOfTime(BaseException):
    """The time for an answer is over; no ``except Exception`` catches it."""


class _Thread(threading.local):
    """Whether a thread is in guarded code."""

    inside = False


_here = _Thread()
_leave = os._exit


def seconds_for(rows: int) -> float:
    """How long a strategy may take to answer for so many games at once."""
    try:
        return float(os.environ[LIMIT])
    except (KeyError, ValueError):
        return _FIXED + _EACH * rows


class Guard:
    """Keeps what runs inside from ending the process, and from going on for ever.

    With ``rows`` it has the time of an answer for so many games.
    """

    def __init__(self, seconds: float = math.inf, rows: int | None = None) -> None:
        self._seconds = seconds
        self._rows = rows
        self._outer = False
        self._watch: _Watch | None = None

    def __enter__(self) -> None:
        if _here.inside:
            return
        _patch_exit()
        self._outer = _here.inside = True
        if self._rows is not None:
            self._seconds = seconds_for(self._rows)
        if not math.isfinite(self._seconds):
            return
        if threading.current_thread() is threading.main_thread() and _has_alarm():
            signal.setitimer(signal.ITIMER_REAL, self._seconds, _RAISE_AGAIN_AFTER)
        else:
            self._watch = _Watch(self._seconds)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._outer:
            return
        if self._watch is not None:
            self._watch.end()
        elif math.isfinite(self._seconds):
            signal.setitimer(signal.ITIMER_REAL, 0)
        _here.inside = False


@cache
def _patch_exit() -> None:
    """From now on ``os._exit`` asks where it is called."""
    setattr(os, "_exit", _asked_to_exit)  # noqa: B010 - mypy refuses the assignment


def _asked_to_exit(status: int) -> NoReturn:
    """In place of ``os._exit``."""
    if _here.inside:
        raise SystemExit(status)
    _leave(status)


@cache
def _has_alarm() -> bool:
    """Take the system's timer, unless there is none or somebody else has it."""
    if not hasattr(signal, "setitimer") or signal.getsignal(signal.SIGALRM):
        return False
    signal.signal(signal.SIGALRM, _alarmed)
    return True


def _alarmed(number: int, frame: FrameType | None) -> None:
    if _here.inside:
        raise OutOfTime


class _Watch:
    """A thread that stops the one that made it, where it takes too long."""

    def __init__(self, seconds: float) -> None:
        self._thread = threading.get_ident()
        self._done = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._wait, args=(seconds,), daemon=True).start()

    def _wait(self, seconds: float) -> None:
        while not self._done.wait(seconds):
            seconds = _RAISE_AGAIN_AFTER
            with self._lock:
                if not self._done.is_set():
                    _raise_in(self._thread, OutOfTime)

    def end(self) -> None:
        """It came back."""
        with self._lock:
            self._done.set()
            _raise_in(self._thread, None)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have a thread raise this at its next step; None takes it back."""
    what: Any = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
