"""What code of a strategy may not do to the process: end it, or hold it for ever.

    with Guard(seconds=60):
        answer = player.decide(view)

Inside, ``os._exit`` raises ``SystemExit``, and what has not come back in time is
stopped with ``OutOfTime``: in the main thread by timers of the system, which also
wake a call that sleeps; in others between two steps of Python code. A guard within
another (a search asks strategies of its own) does nothing.

Time is processor time, so that a machine that is busy with other things stops nobody.
What waits and computes nothing is stopped too, with ``OutOfPatience``, after ten times
as long by the clock. What cannot be stopped so, since it swallows the error or keeps
Python's lock, is left alone, but for a process that may be lost
(``give_up_the_process``).
"""

import ctypes
import math
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from types import FrameType, TracebackType
from typing import NoReturn

LIMIT = "FAIRDEAL_DECISION_LIMIT"
"""The environment variable that sets the seconds for an answer."""
_FIXED, _EACH = 60.0, 0.01  # seconds: for an answer, and for each game it is about
_RAISE_AGAIN_AFTER = 1.0  # seconds, where the error was swallowed
_PATIENCE = 10  # times as long by the clock, for what computes nothing
_TRIES = 5  # errors that may be swallowed
_GRACE = 10.0  # seconds of computing in which Python's lock may be kept


class OutOfTime(BaseException):
    """The time for an answer is over; no ``except Exception`` catches it."""

    @staticmethod
    def limit(seconds: float) -> str:
        """The limit that was passed, in words."""
        return f"{seconds:g} s of processor time"


class OutOfPatience(OutOfTime):
    """So it is by the clock, though hardly anything was computed."""

    @staticmethod
    def limit(seconds: float) -> str:
        """The limit that was passed, in words."""
        return f"{_PATIENCE * seconds:g} s"


class _Thread(threading.local):
    """Whether a thread is in guarded code."""

    inside = False
    raised = 0  # errors, since it is


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

    ``seconds`` are of processor time; with ``rows`` it has the time of an answer for so
    many games.
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
        _here.raised = 0
        if self._rows is not None:
            self._seconds = seconds_for(self._rows)
        if not math.isfinite(self._seconds):
            return
        if threading.current_thread() is threading.main_thread() and _has_alarm():
            _set_timers(self._seconds)
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
            _set_timers(None)
        _here.inside = False


def may_be_interrupted() -> bool:
    """Whether a ``KeyboardInterrupt`` may be Ctrl-C; else a strategy raised it itself.

    Python raises it in the main thread only, and not where the signal is ignored, as in
    worker processes.
    """
    main = threading.current_thread() is threading.main_thread()
    return main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


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
    """Take the system's timers, unless there are none or somebody else has them."""
    if not hasattr(signal, "setitimer"):
        return False
    numbers = (signal.SIGPROF, signal.SIGALRM)
    if any(signal.getsignal(number) for number in numbers):
        return False
    for number in numbers:
        signal.signal(number, _alarmed)
    return True


def _set_timers(seconds: float | None) -> None:
    """Have alarms when so much time is over; none take them back."""
    if seconds is None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        if _is_last_resort():
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return
    signal.setitimer(signal.ITIMER_PROF, seconds, _RAISE_AGAIN_AFTER)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE * seconds, _RAISE_AGAIN_AFTER)
    if _is_last_resort():
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds + _GRACE)


def _alarmed(number: int, frame: FrameType | None) -> None:
    if not _here.inside:
        return
    _here.raised += 1
    if _here.raised > _TRIES and _is_last_resort():
        signal.raise_signal(LAST)
    raise OutOfTime if number == signal.SIGPROF else OutOfPatience


LAST = getattr(signal, "SIGVTALRM", 0)
"""The signal that ends a process in which somebody cannot be stopped; 0: there is none.
"""
_last_resort: list[bool] = []


def _is_last_resort() -> bool:
    return bool(_last_resort)


def give_up_the_process() -> None:
    """From now on, end the process by a signal where nothing else stops a guarded call.

    Its parent sees by which. What keeps Python's lock is ended by it as well.
    """
    if LAST:
        _last_resort.append(True)


class _Watch:
    """A thread that stops the one that made it, where it takes too long."""

    def __init__(self, seconds: float) -> None:
        self._thread = threading.get_ident()
        self._done = threading.Event()
        self._lock = threading.Lock()
        self._raised = False
        clock = _clock_of(self._thread)
        limits = clock() + seconds, time.monotonic() + _PATIENCE * seconds
        how = clock, *limits
        threading.Thread(target=self._wait, args=how, daemon=True).start()

    def _wait(self, clock: Callable[[], float], most: float, latest: float) -> None:
        error: type[OutOfTime] | None = None
        while not self._done.wait(
            _RAISE_AGAIN_AFTER if error else max(most - clock(), 0.001)
        ):
            error = OutOfTime if clock() >= most else error
            error = error or (OutOfPatience if time.monotonic() >= latest else None)
            with self._lock:
                if error and not self._done.is_set():
                    self._raised = True
                    _raise_in(self._thread, error)

    def end(self) -> None:
        """It came back."""
        with self._lock:
            self._done.set()
        if self._raised:
            _take_back()


def _clock_of(thread: int) -> Callable[[], float]:
    """The processor time of a thread; of the whole process where that is not told."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    return partial(time.clock_gettime, time.pthread_getcpuclockid(thread))


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Have a thread raise this at its next step."""
    what = ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


def _take_back() -> None:
    """Swallow what this thread may still have to raise.

    To set None instead would leave CPython 3.11 looking for an error at each step, and
    ``sys.settrace`` then goes on for ever.
    """
    with suppress(OutOfTime):
        _raise_in(threading.get_ident(), OutOfTime)
        while True:  # until it is raised, which is at once
            pass
