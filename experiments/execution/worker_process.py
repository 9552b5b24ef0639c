"""The work of a worker process: it makes the calls that it is sent, until none come.

An error in a call is an answer, too. A crash is not: the process that waits notices it,
and reads from a second pipe where the code was (``faulthandler`` writes it there when a
crash in compiled code ends Python).
"""

import faulthandler
import gc
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from sim import guard, own_files

PLAYING = "experiments.execution.block_tasks"
"""The module that every worker needs."""


class CallResult(NamedTuple):
    """The result of a call, or the error that it raised."""

    found: Any = None
    error: Exception | None = None


def serve_calls(calls: Connection, last_words: Connection, parent: int) -> None:
    """Make calls and answer them, until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    threading.Thread(target=_end_with, args=[parent], daemon=True).start()
    _tell_the_end(last_words.fileno())
    import_module(PLAYING)
    gc.freeze()  # imported modules stay, so collections need not visit them
    with suppress(EOFError, OSError):  # the parent closed the pipe
        while True:
            settings, packed = pickle.loads(calls.recv_bytes())  # noqa: S301 - our own
            _keep_to(settings)
            calls.send_bytes(_answer(packed))


def pack(item: Any) -> bytes:
    """Pickle an item, which may have functions of scripts and notebooks."""
    from joblib.externals.loky.backend.reduction import dumps

    return bytes(dumps(item))


def _answer(packed: bytes) -> bytes:
    try:
        call: Callable[[], Any] = pickle.loads(packed)  # noqa: S301 - our parent's
        return pack(CallResult(call()))
    except BaseException as error:
        return _packed(error)


def _packed(error: BaseException) -> bytes:
    """Pickle an error, with a note of where it was raised."""
    from sim.errors import error_text

    where = "".join(traceback.format_exception(error))
    if isinstance(error, Exception):
        error.add_note(where)
        with suppress(Exception):
            packed = pack(CallResult(error=error.with_traceback(None)))
            pickle.loads(packed)  # noqa: S301 - made in the line above
            return packed
    other = RuntimeError(error_text(error))
    other.add_note(where)
    return pack(CallResult(error=other))


def settings_of_calls() -> dict[str, str | None]:
    """What is set in this process that holds for its calls, wherever they are made."""
    return {name: os.environ.get(name) for name in (guard.LIMIT, own_files.SECTIONS)}


def _keep_to(settings: dict[str, str | None]) -> None:
    """Set in this process what is set in the one that called."""
    for name, value in settings.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _tell_the_end(file: int) -> None:
    """Write the place in the code to a file when a signal ends this process."""
    faulthandler.enable(file, all_threads=False)
    if guard.LAST:
        faulthandler.register(guard.LAST, file, all_threads=False, chain=True)
        guard.give_up_the_process()


def _end_with(parent: int) -> None:
    """Exit when the parent has ended, as it may have been killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
