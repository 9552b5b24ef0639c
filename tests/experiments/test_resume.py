"""A run that is stopped, killed or disturbed loses nothing, and goes on the same."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from experiments.core.blocks import play_block
from experiments.core.cells import Cell, UsageError
from experiments.execution import file_locks
from experiments.execution import run as running
from experiments.execution.results import load
from experiments.execution.run import RunFailed, run
from experiments.execution.run_status import inspect_run
from sim import games

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

CELL = Cell(
    "kunitame",
    games.load("kunitame").rules(),
    4,
    ("greedy", "random", "random", "random"),
    rotate=True,
    seed=7,
)
GAMES, BLOCK, LONG = 6_000, 1_000, 20_000  # the last is slowed down to be killed
SCRIPT = f"""
import sys
import time
from pathlib import Path
from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import load
lineup = ("greedy", "random", "random", "random")
cell = Cell("kunitame", load("kunitame").rules(), 4, lineup, rotate=True, seed=7)
if __name__ == "__main__":
    run([cell], {LONG}, block={BLOCK}, jobs=int(sys.argv[2]), tables=["gem"],
        out=Path(sys.argv[1]), progress=lambda *_: time.sleep(0.1))
"""


@contextmanager
def started(script: Path, *words: str):
    """A run in a process group of its own."""
    process = subprocess.Popen(
        [sys.executable, str(script), *words],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(count: int, folder: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while len(list(folder.glob("blocks/*.parquet"))) < count:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def go(out: Path | None, games: int = GAMES, **how):
    keep = {"tables": ["gem"]} if out else {}
    return run([CELL], games, block=BLOCK, out=out, **keep, **how)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "jobs"),
    [
        (signal.SIGKILL, "2"),
        pytest.param(signal.SIGKILL, "1", marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, "2", marks=pytest.mark.slow),
    ],
)
def test_killed_and_gone_on_with(tmp_path, number, jobs):
    script, out = tmp_path / "go.py", tmp_path / "o"
    script.write_text(SCRIPT)
    with started(script, str(out), jobs) as process:
        wait_for(3, out, process)
        os.killpg(process.pid, number)
        assert process.wait(30) != 0
    assert inspect_run(out).status == "unfinished"
    kept = inspect_run(out).blocks
    stopped_after = inspect_run(out).manifest.get("seconds", 0.0)
    assert 3 <= kept < LONG // BLOCK
    partial = load(out)
    [played] = partial.played  # without a gap: of two processes one may be late
    assert (3 * BLOCK if jobs == "1" else 0) <= played < LONG
    if played:
        assert partial.sums.equals(go(None, played).sums)
    assert "finished" not in partial.manifest
    gone_on = go(out, LONG, jobs=2)
    whole = go(tmp_path / "p", LONG)
    assert gone_on.sums.equals(whole.sums)
    assert gone_on.raw("gem").equals(whole.raw("gem"))
    assert gone_on.manifest["decisions"] == whole.manifest["decisions"] > 0
    assert gone_on.manifest["seconds"] > stopped_after
    for name in sorted(path.name for path in (tmp_path / "p/blocks").iterdir()):
        parts = [(tmp_path / at / "blocks" / name).read_bytes() for at in ("o", "p")]
        assert parts[0] == parts[1]
    assert load(out).sums.equals(whole.sums)
    assert not list(out.glob("**/*.part"))


@pytest.mark.slow
def test_workers_end_with_a_run_that_was_killed(tmp_path):
    psutil = pytest.importorskip("psutil")
    script, out = tmp_path / "go.py", tmp_path / "o"
    script.write_text(SCRIPT)
    with started(script, str(out), "2") as process:
        wait_for(2, out, process)
        workers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait(30)
        _, alive = psutil.wait_procs(workers, timeout=20)
    assert len(workers) >= 2
    assert not alive


def test_another_process_holds_it(tmp_path):
    script, out = tmp_path / "go.py", tmp_path / "o"
    script.write_text(SCRIPT)
    with started(script, str(out), "1") as process:
        wait_for(1, out, process)
        assert inspect_run(out).status == "running"
        with pytest.raises(UsageError, match="another process is writing to"):
            go(out, LONG)
    assert inspect_run(out).status == "unfinished"


def test_a_lock_is_held_once(tmp_path):
    path = tmp_path / "lock"
    assert not file_locks.is_locked(path)
    with (
        file_locks.acquire_lock(path) as first,
        file_locks.acquire_lock(path) as second,
    ):
        assert first
        assert not second
        assert file_locks.is_locked(path)
    assert not file_locks.is_locked(path)
    (tmp_path / "file").touch()
    below = file_locks.acquire_lock(tmp_path / "file/lock")
    with pytest.raises(RunFailed, match="cannot lock"), below:
        pass


def test_a_lock_does_not_follow_a_link(tmp_path):
    (tmp_path / "lock").symlink_to(tmp_path / "victim")
    held = file_locks.acquire_lock(tmp_path / "lock")
    with pytest.raises(RunFailed, match="it is a symbolic link"), held:
        pass
    assert not (tmp_path / "victim").exists()
    assert not file_locks.is_locked(tmp_path / "lock")


def test_a_finished_run_is_not_played_again(tmp_path, monkeypatch):
    first = go(tmp_path / "o")
    about = (tmp_path / "o/manifest.json").read_bytes()
    monkeypatch.setattr(running, "play_block", None)
    again = go(tmp_path / "o")
    assert again.sums.equals(first.sums)
    for what in ("decisions", "seconds"):
        assert again.manifest[what] == first.manifest[what] > 0
    assert (tmp_path / "o/manifest.json").read_bytes() == about
    loaded = load(tmp_path / "o")
    assert loaded.played == (GAMES,)
    assert loaded.to_polars().equals(first.to_polars())
    assert loaded.cells[0].rules == CELL.rules
    assert loaded.manifest["machine"]["polars"] == pl.__version__


def test_a_stopped_run_goes_on_to_the_same_stop(tmp_path):
    class Enough:
        def enough(self, sums: pl.DataFrame, games: int) -> bool:
            return games >= 6_000

    def broken(cell, block, *rest):
        if block.first == 4_000:
            raise KeyboardInterrupt
        return play_block(cell, block, *rest)

    out = tmp_path / "o"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "play_block", broken)
        with pytest.raises(KeyboardInterrupt):
            go(out, stop=Enough())
    gone_on, whole = go(out, stop=Enough(), jobs=2), go(None, stop=Enough())
    assert gone_on.played == whole.played == (6_000,)
    assert gone_on.sums.equals(whole.sums)
    assert len(list((out / "blocks").iterdir())) == 6


def test_killed_before_the_manifest(tmp_path):
    (tmp_path / "o").mkdir()
    (tmp_path / "o/lock").touch()
    (tmp_path / "o/manifest.json.77.part").write_text("{")
    assert go(tmp_path / "o").played == (GAMES,)
    assert not list(tmp_path.glob("**/*.part"))


def test_no_run_to_load(tmp_path):
    with pytest.raises(UsageError, match="holds no run of fairdeal"):
        load(tmp_path)


def test_manifest_says_what_was_run(tmp_path):
    go(tmp_path / "o")
    about = json.loads((tmp_path / "o/manifest.json").read_text())
    assert about["finished"]
    assert about["played"] == [GAMES]
    assert about["seconds"] > 0
    assert about["names"][0]["specs"] == list(CELL.lineup)
    assert about["format"] == "fairdeal manifest 4"
    assert len(about["source"]) == 16
    assert about["cells"][0]["rules"]["life"] == 3
