"""What a worker does: it makes calls that it is sent, until nobody asks any more.

What goes wrong in a call is an answer too. What ends the process is not: whoever waits
for the answer sees that there will be none, and finds in a pipe of its own where the
code was (``faulthandler`` writes it there when a crash in compiled code ends Python).
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

from sim import guard

PLAYING = "experiments.execution.tasks"
"""The module that a worker needs whatever it is to play."""


class Answer(NamedTuple):
    """What a call returns, or the error that it raised."""

    found: Any = None
    error: Exception | None = None


def work(calls: Connection, last_words: Connection, parent: int) -> None:
    """Make calls and answer them; ends with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its parent hears of Ctrl-C
    threading.Thread(target=_end_with, args=[parent], daemon=True).start()
    _tell_the_end(last_words.fileno())
    import_module(PLAYING)
    gc.freeze()  # what was imported stays
    with suppress(EOFError, OSError):  # nobody asks any more
        while True:
            limit, packed = pickle.loads(calls.recv_bytes())  # noqa: S301 - our parent's
            _keep_to(limit)
            calls.send_bytes(_answer(packed))


def pack(item: Any) -> bytes:
    """Anything as it travels, functions of scripts and notebooks too."""
    from joblib.externals.loky.backend.reduction import dumps

    return bytes(dumps(item))


def _answer(packed: bytes) -> bytes:
    try:
        call: Callable[[], Any] = pickle.loads(packed)  # noqa: S301 - our parent's
        return pack(Answer(call()))
    except BaseException as error:
        return _packed(error)


def _packed(error: BaseException) -> bytes:
    """An error as it can travel, with where it was raised as a note."""
    from sim.errors import error_text

    where = "".join(traceback.format_exception(error))
    if isinstance(error, Exception):
        error.add_note(where)
        with suppress(Exception):
            packed = pack(Answer(error=error.with_traceback(None)))
            pickle.loads(packed)  # noqa: S301 - made in the line above
            return packed
    other = RuntimeError(error_text(error))
    other.add_note(where)
    return pack(Answer(error=other))


def _keep_to(limit: str | None) -> None:
    """Have the parent's limit of now for a strategy's answer."""
    if limit is None:
        os.environ.pop(guard.LIMIT, None)
    else:
        os.environ[guard.LIMIT] = limit


def _tell_the_end(file: int) -> None:
    """Write where the code is when a signal ends this process."""
    faulthandler.enable(file, all_threads=False)
    if guard.LAST:
        faulthandler.register(guard.LAST, file, all_threads=False, chain=True)
        guard.give_up_the_process()


def _end_with(parent: int) -> None:
    """Leave when the parent is gone (it may have been killed): nobody asks any more."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
