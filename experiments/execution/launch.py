"""The one door through which processes of ours begin.

Python puts the current folder first on the path of what begins with ``-c`` or ``-m``.
So begin the workers of a library, and the trackers that it has beside them; and a file
``random.py`` or a folder ``joblib`` that happens to lie there would be run in place of
the library's, be it a strategy of the user's or what a stranger sent. Whatever begins
here begins without that folder (``-P``, ``PYTHONSAFEPATH``). What this process itself
imports is for whoever began it to say, and the environment that it passes on to others
is the user's again as soon as the process is there.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import process, resource_tracker
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from experiments.execution.threads import ONE_THREAD

_SAFE = "PYTHONSAFEPATH"
_lock = threading.Lock()


def begin(work: Callable[..., None], *given: Any) -> BaseProcess:
    """A process that calls this, with one thread for each of its libraries.

    It has the path of this process, but with the current folder last: what lies there
    cannot stand in for a library. It never hears of Ctrl-C, which goes to all
    processes at once: what that means is this one's to say.
    """
    from joblib.externals.loky.backend import get_context

    env = ONE_THREAD | {_SAFE: "1", "PYTHONFAULTHANDLER": ""}
    make: Any = get_context("loky").Process
    made: BaseProcess = make(target=work, args=given, env=env)
    with _lock, _safe(), _deaf():
        made.start()
    return made


def end(made: BaseProcess) -> None:
    """End a process and all that it began, at once, whatever they do."""
    from joblib.externals.loky.backend.utils import kill_process_tree

    if made.exitcode is None:
        kill_process_tree(made)


def prepare() -> None:
    """Import what ``begin`` needs, so that it may be called in any thread."""
    import_module("joblib.externals.loky.backend.context")


def called(module: str, *words: str, env: Mapping[str, str]) -> tuple[int, str, str]:
    """Run a module of ours by itself: its exit code, and what it wrote."""
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-P", "-c", _MODULE, _root(), module, *words],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | env,
    )
    return done.returncode, done.stdout, done.stderr


_MODULE = """
import runpy, sys
sys.path.append(sys.argv[1])
del sys.argv[:2]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def _root() -> str:
    """The folder that our packages are in."""
    return str(Path(__file__).parents[2])


@contextmanager
def _safe() -> Iterator[None]:
    """Meanwhile, what begins is safe: a worker, and the library's two trackers.

    A worker is given the path of this process, so that here too the folder comes last.
    """
    env, path = os.environ.get(_SAFE), sys.path
    os.environ[_SAFE] = "1"
    last = [place for place in path if _is_current(place)]
    sys.path = [place for place in path if place not in last] + last
    try:
        yield
    finally:
        path += [place for place in sys.path if place not in path]
        sys.path = path
        if env is None:
            del os.environ[_SAFE]
        else:
            os.environ[_SAFE] = env


def _is_current(place: str) -> bool:
    """Whether a place on the path is the current folder, or where Python began."""
    began: str = getattr(process, "ORIGINAL_DIR", None) or ""  # as the library means ""
    return Path(place).resolve() in {Path().resolve(), Path(began).resolve()}


@contextmanager
def _deaf() -> Iterator[None]:
    """Meanwhile, what begins never hears of Ctrl-C."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # hears all again once it has begun
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
