"""Workers that are killed, crash, or cannot be stopped: others play on, it is told."""

import os
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import psutil
import pytest

from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.execution import worker_pool
from experiments.execution.failures import BlockLost
from experiments.execution.run import run
from experiments.execution.worker_pool import FewerWorkers, WorkerPool
from sim.games import load
from tests.experiments.clusters import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

RULES = load("devil").rules()
CELL = Cell("devil", RULES, 2, ("random",) * 2, seed=1)
OTHER = Cell("devil", RULES, 3, ("random",) * 3, seed=1)
NOISE = ("Traceback", "resource_tracker", "loky", "leaked", "Warning", "Fatal")
BAD = '''
import itertools
import os
import signal
import time
from strategies.base import Strategy


class Crash(Strategy):
    """Crashes as compiled code does."""

    name = "crash"

    def decide(self, view):
        os.kill(os.getpid(), signal.SIGSEGV)


class Swallows(Strategy):
    """Cannot be stopped."""

    name = "swallows"

    def decide(self, view):
        while True:
            try:
                time.sleep(1)
            except BaseException:
                pass


class Interrupts(Strategy):
    """Raises what Ctrl-C does."""

    name = "interrupts"

    def decide(self, view):
        raise KeyboardInterrupt


class Locks(Strategy):
    """Keeps Python's lock."""

    name = "locks"

    def decide(self, view):
        sum(itertools.repeat(0))


dozed = []


class Dozes(Strategy):
    """Takes its time, and computes little."""

    name = "dozes"

    def decide(self, view):
        for _ in range(5 - len(dozed)):
            dozed.append(time.sleep(0.1))
        return view.legal & -view.legal
'''
STUDY = """
game = "devil"
players = 2
strategies = ["bad.py:Crash"]
lineups = ["random", "crash"]
games = 60
seed = 1
"""


@pytest.fixture(autouse=True)
def ended():
    """Workers of no other test, and none that stay."""
    worker_pool.end_workers()
    yield
    worker_pool.end_workers()


def cli(place: Path, *words: str, **env: str) -> "subprocess.Popen[str]":
    """The command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.commands.cli", *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def said(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """How it ended, and what it told."""
    told = process.communicate(timeout=300)
    assert [word for word in NOISE if word in told[1]] == [], told[1]
    return process.returncode, *told


def once(cell: Any, block: Any, *rest: Any) -> Any:
    """Play a block; the first worker that is asked is lost."""
    if str(os.getpid()) != os.environ["HOME_PROCESS"]:
        try:
            Path(os.environ["MARK"]).touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), int(os.environ["NUMBER"]))
    else:  # until it is
        wait = time.monotonic() + 100
        while not Path(os.environ["MARK"]).exists() and time.monotonic() < wait:
            time.sleep(0.05)
    return play_block(cell, block, *rest)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_block_whose_worker_is_lost_is_played_again(tmp_path, monkeypatch, number):
    mark = tmp_path / "mark"
    monkeypatch.setenv("MARK", str(mark))
    monkeypatch.setenv("HOME_PROCESS", str(os.getpid()))
    monkeypatch.setenv("NUMBER", str(int(number)))
    done = run([CELL], 1_000, jobs=2, block=100, play=once, out=tmp_path / "o")
    assert mark.exists()
    assert done.sums.equals(run([CELL], 1_000, block=100).sums)
    assert not done.failures


def kills(cell: Any, block: Any, *rest: Any) -> Any:
    """Play a block; one of them ends every worker."""
    if (block.cell, block.first) == (0, 500):
        os.kill(os.getpid(), signal.SIGKILL)
    return play_block(cell, block, *rest)


@pytest.mark.filterwarnings("ignore::experiments.execution.worker_pool.FewerWorkers")
def test_a_block_that_ends_every_worker_is_named_and_others_are_kept(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("experiments.execution.run.OpenRun.runs_user_code", True)
    how: Any = {"block": 100, "play": kills, "jobs": 2}
    done = run([CELL, OTHER], 1_000, fail_fast=False, out=tmp_path / "a", **how)
    told = "games 500 to 599 of random,random: its process was killed from outside"
    assert done.failures[0].startswith(told)
    assert "(3 times in a row)" in done.failures[0]
    assert done.played == (0, 1_000)
    with pytest.raises(BlockLost, match="games 500 to 599 of random,random"):
        run([CELL], 1_000, out=tmp_path / "b", **how)
    assert len(list((tmp_path / "b/blocks").iterdir())) >= 4


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_strategy_that_crashes_is_named(tmp_path, jobs):
    (tmp_path / "bad.py").write_text(BAD)
    words = ("run", "devil", "--add-strategy", "bad.py:Crash", "-n", "60", "-j", jobs)
    code, _, wrong = said(cli(tmp_path, *words, "--players", "2", "--out", "o"))
    assert code == 1
    place = f"{tmp_path}/bad.py, line 15 in decide"
    told = f"games 0 to 59 of crash,crash: its process crashed with SIGSEGV, at {place}"
    assert f"error: {told} (3 times in a row)." in wrong
    assert "No block was finished yet." in wrong


def test_other_cells_are_played_though_one_crashes(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "s.toml").write_text(STUDY)
    code, told, wrong = said(cli(tmp_path, "run", "s.toml", "-j", "2", "--out", "o"))
    assert code == 1
    assert "1 of 2 cells failed. The first: games 0 to 59 of " in wrong
    assert "crashed with SIGSEGV" in wrong
    assert "won by position" in told


@pytest.mark.parametrize(
    "name", ["Swallows", pytest.param("Locks", marks=pytest.mark.slow)]
)
def test_a_strategy_that_cannot_be_stopped_ends_its_worker(tmp_path, name):
    (tmp_path / "bad.py").write_text(BAD)
    words = ("run", "devil", "--add-strategy", f"bad.py:{name}", "-n", "60", "-j", "1")
    limit = ("--decision-limit", "0.1")
    code, _, wrong = said(cli(tmp_path, *limit, *words, "--players", "2", "--out", "o"))
    assert code == 1
    who = name.lower()
    told = f"games 0 to 59 of {who},{who}: a strategy gave no answer and could not be "
    assert f"error: {told}stopped, at {tmp_path}/bad.py, line " in wrong
    assert "in a row" not in wrong  # it is not tried again


ALONE = {"trace": ("trace", "devil"), "check": ("check-strategy", "--game", "devil")}
TOLD = {
    "Crash": "its process crashed with SIGSEGV, at ",
    "Swallows": "a strategy gave no answer and could not be stopped, at ",
    "Interrupts": "strategy 'interrupts' raised KeyboardInterrupt at ",
}


def alone(command: str, name: str) -> tuple[str, ...]:
    """The words of a command that plays, but no run."""
    own = f"bad.py:{name}"
    words = ("--decision-limit", "0.1") * (name == "Swallows") + ALONE[command]
    return (
        *words,
        *(("--add-strategy", own) if command == "trace" else ("-n", "10", own)),
    )


@pytest.mark.parametrize(
    ("command", "name"), [*product(["trace"], TOLD), ("check", "Crash")]
)
def test_commands_without_a_run_name_it_too(fairdeal, here, command, name):
    (here / "bad.py").write_text(BAD)
    done = fairdeal(*alone(command, name))
    assert done.exit_code == 1
    assert TOLD[name] in " ".join(done.output.split())
    assert ("error: " if command == "trace" else "legal  NO") in done.output


@pytest.mark.slow
def test_ctrl_c_ends_them_though_a_strategy_goes_on(tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    process = cli(tmp_path, *alone("trace", "Locks"))
    wait_for(process, partial(workers_of, process))
    os.killpg(process.pid, signal.SIGINT)
    code, _, wrong = said(process)
    assert (code, wrong) == (130, "error: interrupted.\n")


def test_a_game_with_a_users_strategy_is_told_as_any_other(fairdeal, here):
    mine = "class Mine(Random):\n    name = 'mine'\n"
    (here / "mine.py").write_text(f"from strategies.random import Random\n{mine}")
    words = ("trace", "devil", "--seed", "3")
    found = ("--find", "closest", "--among", "600")
    for more in (found, ("--format", "jsonl"), ("--log",)):
        own = fairdeal(*words, *more, "--add-strategy", "mine.py:Mine")
        other = fairdeal(*words, *more, "--lineup", "random")
        told, expected = (
            [line for line in one.stdout.splitlines() if "again:" not in line]
            for one in (own, other)
        )
        assert [line.replace("mine", "random") for line in told] == expected


def test_waiting_is_no_computing(tmp_path):
    """As where the machine is busy with other things."""
    (tmp_path / "bad.py").write_text(BAD)
    words = ("run", "devil", "--add-strategy", "bad.py:Dozes", "-n", "4", "-j", "1")
    limit = ("--decision-limit", "0.3")
    code, _, wrong = said(cli(tmp_path, *limit, *words, "--players", "2", "--out", "o"))
    assert code == 0, wrong


def test_where_workers_are_killed_again_there_is_one_fewer():
    pool = WorkerPool(2)
    try:
        lost = pool.submit(partial(ends, signal.SIGKILL))
        with pytest.warns(FewerWorkers, match=r"one fewer \(1\)"):
            lost.exception(timeout=120)
        assert lost.exception() is not None
        assert pool.count == 1
        every = [pool.submit(os.getpid) for _ in range(6)]
        assert len({one.result(timeout=120) for one in every}) == 1
    finally:
        pool.end()


def ends(number: int) -> None:
    """End the worker that is asked."""
    os.kill(os.getpid(), number)


def test_one_crash_leaves_the_calls_of_others_alone():
    pool = WorkerPool(2)
    try:
        slow = pool.submit(partial(time.sleep, 2))
        lost = pool.submit(partial(ends, signal.SIGSEGV))
        assert "SIGSEGV" in str(lost.exception(timeout=120))
        assert slow.result(timeout=120) is None
        assert pool.count == 2
    finally:
        pool.end()


def test_a_pool_that_is_ended_tells_who_waits():
    pool = WorkerPool(1)
    waiting = [pool.submit(partial(time.sleep, 60)) for _ in range(3)]
    pool.end()
    assert all(isinstance(one.exception(), worker_pool.WorkersEnded) for one in waiting)
    with pytest.raises(worker_pool.WorkersEnded):
        pool.submit(os.getpid)


LONG = ("run", "devil", "-n", "4000000", "--players", "2", "-j", "2", "--out", "o")


def wait_for(process: "subprocess.Popen[str]", what: Any) -> None:
    """Wait until something is so, while a command goes on."""
    until = time.monotonic() + 200
    while not what():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.05)


def workers_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """Its workers, that have begun to do something."""
    begun = []
    for one in psutil.Process(process.pid).children():
        with suppress(psutil.Error):  # it is ending, or has just begun
            if "popen_loky" in str(one.cmdline()) and one.cpu_times()[0] > 1:
                begun.append(one)
    return begun


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_command_that_is_ended_leaves_no_noise(tmp_path, number):
    process = cli(tmp_path, *LONG)
    wait_for(process, partial(workers_of, process))
    os.killpg(process.pid, number)
    code, _, wrong = said(process)
    assert code == (-number if number == signal.SIGKILL else 130), wrong


@pytest.mark.slow
def test_a_command_goes_on_without_a_word_where_a_worker_is_killed(tmp_path):
    words = ("run", "devil", "-n", "400000", "--seed", "1", "--players", "2")
    process = cli(tmp_path, *words, "-j", "2", "--out", "o")
    wait_for(process, partial(workers_of, process))
    workers_of(process)[0].kill()
    code, _, wrong = said(process)
    assert code == 0, wrong
    code, _, wrong = said(cli(tmp_path, *words, "-j", "1", "--out", "alone"))
    assert code == 0, wrong
    one, other = ((tmp_path / n / "sums.parquet").read_bytes() for n in ("o", "alone"))
    assert one == other


def test_warnings_of_the_pool_stop_nothing():
    pool = WorkerPool(2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lost = pool.submit(partial(ends, signal.SIGKILL))
            assert lost.exception(timeout=120) is not None
        assert pool.submit(os.getpid).result(timeout=120) != os.getpid()
    finally:
        pool.end()
