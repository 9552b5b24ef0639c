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
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.execution.threads import ONE_THREAD

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

_SAFE = "PYTHONSAFEPATH"
_lock = threading.Lock()


def begin(work: Callable[..., None], *given: Any) -> "BaseProcess":
    """A process that calls this, with one thread for each of its libraries.

    It has the folders on the path of this process, after its own ones: whatever lies
    there cannot stand in for a library. It never hears of Ctrl-C, which goes to all
    processes at once: what that means is this one's to say.
    """
    from joblib.externals.loky.backend import get_context

    env = ONE_THREAD | {_SAFE: "1", "PYTHONFAULTHANDLER": ""}
    make: Any = get_context("loky").Process
    process: BaseProcess = make(target=_begun, args=(work, *given), env=env)
    with _lock, _safe(), _deaf():
        process.start()
    return process


def end(process: "BaseProcess") -> None:
    """End a process and all that it began, at once, whatever they do."""
    from joblib.externals.loky.backend.utils import kill_process_tree

    if process.exitcode is None:
        kill_process_tree(process)


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


def _begun(work: Callable[..., None], *given: Any) -> None:
    """What the new process does, with the folders of its parent that are not its own.

    The library has put all of the parent's in their place, the current one first
    where the parent has it so.
    """
    places = {Path().resolve(), Path(_began_in()).resolve()}
    last = [place for place in sys.path if Path(place).resolve() in places]
    sys.path[:] = [place for place in sys.path if place not in last] + last
    work(*given)


def _began_in() -> str:
    """The folder that the parent began in, which the library means by ``""``."""
    from multiprocessing import process

    return str(process.ORIGINAL_DIR or "")  # type: ignore[attr-defined]


@contextmanager
def _safe() -> Iterator[None]:
    """Meanwhile, what begins is safe: a worker, and the library's two trackers."""
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE]
        else:
            os.environ[_SAFE] = before


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
