"""The one place that starts processes, safely.

Python puts the current folder first on the path of processes that start with ``-c`` or
``-m``, as joblib's workers and their trackers do. So a file "random.py" or a folder
"joblib" there, a user's strategy or a file from a stranger, would run in place of the
library. Processes that start here do so without that folder (``-P``,
``PYTHONSAFEPATH``). The path of this process is left to whoever started it, and its
environment is restored as soon as the new process has started.
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

from experiments.execution.single_thread import ONE_THREAD

_SAFE = "PYTHONSAFEPATH"
_lock = threading.Lock()


def start_process(work: Callable[..., None], *given: Any) -> BaseProcess:
    """Start a process that calls ``work``, with one thread for each of its libraries.

    Its path is that of this process with the current folder last, so that no file there
    can replace a library. It ignores Ctrl-C, which goes to all processes at once: only
    this process reacts to it.
    """
    from joblib.externals.loky.backend import get_context

    env = ONE_THREAD | {_SAFE: "1", "PYTHONFAULTHANDLER": ""}
    process_class: Any = get_context("loky").Process
    started: BaseProcess = process_class(target=work, args=given, env=env)
    with _lock, _safe(), _deaf():
        started.start()
    return started


def end_process(made: BaseProcess) -> None:
    """Kill a process and all its children at once, whatever they do."""
    from joblib.externals.loky.backend.utils import kill_process_tree

    if made.exitcode is None:
        kill_process_tree(made)


def prepare_launch() -> None:
    """Import what ``start_process`` needs, so that any thread may call it."""
    import_module("joblib.externals.loky.backend.context")


def run_module(
    module: str, *words: str, env: Mapping[str, str]
) -> tuple[int, str, str]:
    """Run a module in a process of its own; return exit code, output and errors."""
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
    """Return the folder that contains fairdeal's packages."""
    return str(Path(__file__).parents[2])


@contextmanager
def _safe() -> Iterator[None]:
    """Start processes safely inside this context: a worker, and the two trackers.

    A worker is given the path of this process, so the current folder comes last here.
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
    """Return whether a place on the path is the current folder, or the first one."""
    began: str = getattr(process, "ORIGINAL_DIR", None) or ""  # what "" means to Python
    return Path(place).resolve() in {Path().resolve(), Path(began).resolve()}


@contextmanager
def _deaf() -> Iterator[None]:
    """Start processes that ignore Ctrl-C inside this context."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # unblocks all signals once it has started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
