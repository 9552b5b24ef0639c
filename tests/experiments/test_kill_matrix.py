"""Every signal at every phase of a run, to the main process and to a worker.

After each, going on gives the files of a run that was never stopped, bit for bit,
and what else lies in the directory stays as it is.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments.execution.run_status import inspect_run
from tests.experiments.clusters import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

SCRIPT = '''
"""The command line, which gets a signal at a phase: argv is phase, signal, words."""

import os
import sys
import time

home = os.getpid()
phase, number, *words = sys.argv[1:]
worker = "--worker" in words  # one of them, whatever it plays, gets the signal
sys.argv[1:] = words = [w for w in words if w not in ("--main", "--worker")]

from experiments.core import blocks
from experiments.execution import run as running
from experiments.commands import show_study
from experiments.execution.run_directory import RunDirectory

blocks.BLOCK = blocks.DETAILED = 500
play, write = running.play_block, os.fsync


def strike():
    """Once, as the mark says that it was."""
    try:
        os.close(os.open(os.environ["MARK"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), int(number))


def meant():
    return worker == (os.getpid() != home)


def played(cell, block, *rest):
    os.fsync = forced  # in a worker too
    if worker and not meant():
        time.sleep(0.3)  # so that workers have some
    if phase == "play" and meant() and (worker or block.first == 1_500):
        strike()
    return play(cell, block, *rest)


def forced(file):
    write(file)
    path = os.readlink(f"/proc/self/fd/{file}")
    where = "tables/gem/0000-" if worker else "blocks/0000-000000001500-"
    if phase == "save" and meant() and where in path:
        strike()
    if phase == "manifest" and "manifest.json" in path:
        strike()
    if phase == "sums" and "sums.parquet" in path:
        strike()
    if phase == "report" and "summary.json" in path:
        strike()


def settles(self, counted, real=RunDirectory.settle):
    if phase == "settle":
        strike()
    return real(self, counted)


running.play_block = played
os.fsync = forced
RunDirectory.settle = settles

if __name__ == "__main__":
    from experiments.commands.cli import main

    main()
'''
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
PHASES = ["play", "save", "manifest", "settle", "sums", "report"]
WORDS = {
    "game": (
        "run",
        "kunitame",
        "-n",
        "4000",
        "--lineup",
        "greedy,random,random,random",
        "--rotate",
        "--seed",
        "1",
        "--tables",
        "gem",
    ),
    "study": ("run", "s.toml", "--tables", "gem"),
}
STUDY = """
game = "kunitame"
lineups = ["greedy,random,random,random", "random"]
games = 2_000
detailed = false
seed = 1
"""


def command(place: Path, phase: str, number: int, *words: str):
    """The command line in a group of its own; the signal is 0 for none."""
    process = subprocess.Popen(
        [sys.executable, str(place / "go.py"), phase, str(int(number)), *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MARK": str(place / "mark")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        told = process.communicate(timeout=180)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, *told


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Where runs lie that were never stopped."""
    place = tmp_path_factory.mktemp("whole")
    (place / "go.py").write_text(SCRIPT)
    (place / "s.toml").write_text(STUDY)
    return place


def never_stopped(whole: Path, kind: str) -> Path:
    """Such a run, played when it is first asked for."""
    if not (whole / kind).exists():
        code, _, told = command(whole, "none", 0, *WORDS[kind], "--out", kind)
        assert code == 0, told
    return whole / kind


def results(out: Path) -> dict[str, bytes]:
    """All that has to be the same."""
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in out.rglob("*")
        if path.suffix in {".parquet", ".csv", ".svg"}
    }


def killed(whole: Path, place: Path, kind: str, phase: str, number: int, who: str):
    """Stop a run so, look at it, and go on with it."""
    for name in ("go.py", "s.toml"):
        shutil.copy(whole / name, place)
    words = (*WORDS[kind], "--out", "o", "-j", "2" if who == "worker" else "1")
    code, _, told = command(place, phase, number, f"--{who}", *words)
    assert (place / "mark").exists(), "the signal was never sent"
    assert (code == 0) == (who == "worker"), told  # another takes its place
    if who == "main" and number != signal.SIGKILL:
        assert (code, "Traceback" in told) == (130, False), told
        assert "error: interrupted." in told
    assert "Traceback" not in told
    mine = {"notes.txt": "mine", "half.part": "mine"}
    if (place / "o/manifest.json").exists():
        assert inspect_run(place / "o").status in {"unfinished", "finished"}
        for name, text in mine.items():
            (place / "o" / name).write_text(text)
        again = ("runs", "resume", "o")
    else:
        mine, again = {}, words
    if not (place / "o/command.json").exists() and kind == "game":
        again = words
    code, _, told = command(place, "none", 0, *again)
    assert code == 0, told
    expected, found = results(never_stopped(whole, kind)), results(place / "o")
    assert sorted(found) == sorted(expected)
    assert [name for name in expected if found[name] != expected[name]] == []
    assert all((place / "o" / name).read_text() == text for name, text in mine.items())
    left = [path.name for path in (place / "o").rglob("*.part")]
    assert left == [name for name in mine if name.endswith(".part")]


FEW = [
    ("study", "sums", signal.SIGTERM, "main"),
    ("game", "play", signal.SIGKILL, "worker"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "phase", "number", "who"), FEW)
def test_a_few_ways_to_be_stopped(whole, tmp_path, kind, phase, number, who):
    killed(whole, tmp_path, kind, phase, number, who)


@pytest.mark.soak
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("kind", WORDS)
def test_the_main_process_is_stopped(whole, tmp_path, kind, phase, number):
    killed(whole, tmp_path, kind, phase, number, "main")


@pytest.mark.soak
@pytest.mark.parametrize("number", SIGNALS[1:])
@pytest.mark.parametrize("phase", ["play", "save"])
@pytest.mark.parametrize("kind", WORDS)
def test_a_worker_is_stopped(whole, tmp_path, kind, phase, number):
    killed(whole, tmp_path, kind, phase, number, "worker")


@pytest.mark.soak
def test_a_worker_leaves_an_interrupt_to_the_main_process(whole, tmp_path):
    shutil.copy(whole / "go.py", tmp_path)
    words = (*WORDS["game"], "--out", "o", "-j", "2")
    code, _, told = command(tmp_path, "play", signal.SIGINT, "--worker", *words)
    assert (tmp_path / "mark").exists(), "the signal was never sent"
    assert code == 0, told
    assert results(tmp_path / "o") == results(never_stopped(whole, "game"))


@pytest.mark.soak
@pytest.mark.parametrize("pause", [0, 0.02, 0.05, 0.1])
def test_an_interrupt_twice_is_told_without_a_traceback(tmp_path, pause):
    words = ("run", "kunitame", "-n", "9000000", "-j", "2", "--out", "o")
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments.commands.cli", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not list(tmp_path.glob("o/blocks/*.parquet")):
        assert process.poll() is None
        time.sleep(0.05)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(pause)
    told = process.communicate(timeout=180)[1]
    assert process.returncode == 130
    assert "error: interrupted." in told
    assert "Traceback" not in told
