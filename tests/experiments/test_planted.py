"""Files of Python in a working directory: nothing of them runs, whoever sent them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from typer.main import get_command

from experiments.commands.cli import app
from experiments.execution.checksummed_json import seal, unseal
from experiments.studies.run_catalog import COMMANDS
from tests.experiments.clusters import ROOT

PLANTED = (
    "joblib/__init__.py",
    "random.py",
    "numpy.py",
    "sitecustomize.py",
    "usercustomize.py",
    "encodings/__init__.py",
    "polars/__init__.py",
    "pickle.py",
    "psutil.py",
    "sim/__init__.py",
    "experiments/__init__.py",
)
CODE = """
with open({mark!r}, "a") as mark:
    mark.write(__file__ + chr(10))
raise SystemExit("planted")
"""
OWN = '''
from dataclasses import dataclass
import beside_it
from strategies.base import Strategy, parameter
from strategies.scalar import Scalar


@dataclass(frozen=True)
class Bold(Scalar):
    """Plays its last card."""

    name = "bold"
    gems: int = parameter(1, 1, 2)

    def play(self, view):
        return view.legal[beside_it.LAST]
'''
STUDY = """
game = "devil"
strategies = ["mine.py:Bold"]
lineups = ["Bold", "random"]
games = 60
seed = 1
[targets.seats]
measure = "won by position"
gap = 0.9
"""
VARIANT = 'game = "devil"\nname = "small"\n[rules]\nhand = 5\n'
FEW = ("--seed", "1", "-n", "40")
TWO = ("-j", "2")
AIM = ("positions <= 50pp", "--vary=hand=4..5")
EITHER = ("--strategies", "random,Bold")
SEARCH = ("--budget", "10", "--samples", "0", "--lineup", "Bold")
MINE = ("--add-strategy", "mine.py:Bold")
WHO = ("--strategy", "mine.py:Bold")
WORDS: dict[str, tuple[str, ...]] = {
    "games": (),
    "rules": ("devil",),
    "strategies": ("devil",),
    "measures": ("devil",),
    "run": ("devil", *FEW, *TWO, *MINE, "--variant", "small.toml"),
    "compare": ("base", "small.toml", "--game", "devil", *FEW, *TWO, *MINE),
    "power": (
        "base",
        "small.toml",
        "--game",
        "devil",
        "--seed",
        "1",
        "--pilot",
        "200",
        *TWO,
        *MINE,
    ),
    "luck": ("devil", "--lineup", "Bold,random", *FEW, *TWO, *MINE, "--out", "o"),
    "levers": ("devil", "--only", "hand", *FEW, *TWO, *WHO),
    "find": (
        *AIM,
        "--game",
        "devil",
        "--adapt",
        "0",
        "--seed",
        "1",
        "-n",
        "1024",
        *TWO,
    ),
    "explore": ("devil", "--seed", "1", *TWO, *WHO, "--port", "0"),
    "tournament": ("devil", "--strategies", "mine.py:Bold,random", *FEW, *TWO),
    "check": ("study.toml", *TWO),
    "knockout": ("devil", *FEW, *TWO, *WHO),
    "what-if": ("devil", "--other-rules", "hand=4", *FEW, *TWO, *MINE),
    "exploit": (
        "devil",
        *FEW,
        *TWO,
        "--budget",
        "10",
        "--samples",
        "0",
        *MINE,
        "--lineup",
        "Bold",
    ),
    "skill": ("devil", *FEW, *TWO, *MINE, "--samples", "1", "--strategies", "random"),
    "learn": ("devil", "--players", "2", "--blocks", "1", "--seed", "1", *TWO),
    "tune": ("devil", "mine.py:Bold", "--trials", "2", "--fresh", "40", *FEW, *TWO),
    "report": ("devil", "--players", "2", *FEW, *TWO, "--quick"),
    "trace": ("devil", "--seed", "1", *MINE),
    "ask": ("devil", "length", "--levels", "good", *FEW, *TWO),
    "playtest": ("sheet.csv", "--game", "devil", "-n", "1000", *MINE, *EITHER),
    "check-game": ("devil", "--games", "1", "--set", "hand=5"),
    "new-game": ("his_game",),
    "check-strategy": ("mine.py:Bold", "--game", "devil", "-n", "10"),
    "bench": ("devil", "--repeats", "1", "--seconds", "0.01"),
    "schema": ("devil",),
    "cards": ("kunitame",),
    "runs list": (".",),
    "runs show": ("gift",),
    "runs diff": ("gift", "other"),
    "runs resume": ("gift", *TWO),
    "variant validate": ("small.toml",),
    "variant diff": ("small.toml",),
    "variant show": ("small.toml",),
    "variant new": ("devil", "new.toml", "--set", "hand=4"),
}
QUICK = ("run", "runs resume")
SHEET = "session,winner,a,b\n1,a,5,3\n2,b,2,4\n3,a,6,1\n"


def commands(group: Any, before: tuple[str, ...] = ()) -> list[str]:
    """The names of all commands."""
    found = []
    for name, one in group.commands.items():
        more = hasattr(one, "commands")
        found += commands(one, (*before, name)) if more else [" ".join((*before, name))]
    return found


def test_every_command_is_tried():
    assert sorted(WORDS) == sorted(commands(get_command(app)))


def plant(folder: Path, mark: Path) -> None:
    """Put files there that say when they are run."""
    for name in PLANTED:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(CODE.format(mark=str(mark)))


def started(place: Path, *words: str) -> "subprocess.Popen[str]":
    """The command line as a console script begins it: from a folder of its own."""
    script = place / "bin" / "fairdeal"
    script.parent.mkdir(exist_ok=True)
    script.write_text("from experiments.commands.cli import main\nmain()\n")
    return subprocess.Popen(
        [sys.executable, str(script), *words],
        cwd=place / "here",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def given(place: Path, *words: str) -> tuple[int, str, str]:
    """What becomes of a command."""
    process = started(place, *words)
    told = process.communicate(timeout=500)
    return process.returncode, *told


@pytest.fixture
def place(tmp_path):
    """A folder to stand in, ``here``, with nothing planted yet."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "mine.py").write_text(OWN)
    (here / "beside_it.py").write_text("LAST = -1\n")
    (here / "study.toml").write_text(STUDY)
    (here / "small.toml").write_text(VARIANT)
    (here / "sheet.csv").write_text(SHEET)
    return tmp_path


def stopped(place: Path, name: str) -> Path:
    """The directory of a run that was stopped, which names another folder as its own.

    There somebody planted the same files, and in the directory too.
    """
    here = place / "here"
    words = ("run", "devil", *FEW, *MINE, "--variant", "small.toml", "--out", name)
    code, _, wrong = given(place, *words)
    assert code == 0, wrong
    out, gift = here / name, place / "gift"
    if not gift.exists():
        shutil.copytree(here, gift, ignore=shutil.ignore_patterns(name))
    for kind, change in (
        ("manifest", lambda values: values.pop("finished")),
        ("command", lambda values: values.update(cwd=str(here))),
    ):
        values = unseal(out / f"{kind}.json", kind)
        change(values)
        (out / f"{kind}.json").write_bytes(seal(kind, values))
    for path in (out / "blocks").iterdir():
        path.unlink()
    (out / "sums.parquet").unlink()
    return out


def explored(place: Path, *words: str) -> tuple[int, str, str]:
    """``explore``, ended when its workers play."""
    process = started(place, *words)
    until = time.monotonic() + 300
    parent = psutil.Process(process.pid)
    while time.monotonic() < until and process.poll() is None:
        workers = [
            one for one in parent.children() if "popen_loky" in str(one.cmdline())
        ]
        if len(workers) == 2 and all(sum(w.cpu_times()[:2]) > 1 for w in workers):
            break
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    told = process.communicate(timeout=100)
    return process.returncode, *told


def _slow(name: str) -> pytest.MarkDecorator:
    return pytest.mark.soak if name == "bench" else pytest.mark.slow


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "command",
    [pytest.param(name, marks=() if name in QUICK else _slow(name)) for name in WORDS],
)
def test_nothing_in_the_folder_is_run(place, command):
    here, mark = place / "here", place / "mark"
    if command.startswith("runs"):
        stopped(place, "gift")
    if command == "runs diff":
        shutil.copytree(here / "gift", here / "other")
    for folder in (here, *(one for one in (here / "gift",) if one.exists())):
        plant(folder, mark)
    control = subprocess.run(
        [sys.executable, "-c", "import random"],
        cwd=here,
        capture_output=True,
        check=False,
    )
    assert control.returncode, "these files would not say that they are run"
    mark.unlink()
    do = explored if command == "explore" else given
    code, told, wrong = do(place, *command.split(), *WORDS[command])
    assert not mark.exists(), mark.read_text()
    assert code == 0, wrong
    assert told
    for word in ("Traceback", "resource_tracker", "loky"):
        assert word not in wrong


@pytest.mark.parametrize("where", ["elsewhere", "there"])
def test_going_on_goes_nowhere(place, where):
    """Paths of the command are meant from where it was given; nobody goes there."""
    out = stopped(place, "gift")
    values = unseal(out / "command.json", "command")
    assert "small.toml" in values["command"]
    assert "mine.py:Bold" in values["command"]
    stand = place / "stand"
    stand.mkdir()
    if where == "elsewhere":
        (place / "here").rename(place / "moved")
        shutil.copytree(place / "moved", place / "here")
        for name in ("mine.py", "small.toml"):
            assert not (stand / name).exists()
    mark = place / "mark"
    plant(out, mark)
    script = place / "bin" / "fairdeal"
    done = subprocess.run(
        [sys.executable, str(script), "runs", "resume", str(out), "-j", "2"],
        cwd=stand,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert not mark.exists()
    assert (out / "sums.parquet").exists()
    assert [path.name for path in stand.iterdir()] == []


RESUMED = {
    "run": WORDS["run"],
    "report": ("devil", "--players", "2", *FEW, "--quick", "--targets", "aims.toml"),
    "compare": WORDS["compare"],
    "knockout": WORDS["knockout"],
    "levers": (*WORDS["levers"], "--variant", "small.toml"),
    "luck": (*WORDS["luck"][:-2], "--variant", "small.toml"),
    "tournament": WORDS["tournament"],
    "what-if": WORDS["what-if"],
}


def test_each_command_that_is_remembered_is_tried():
    assert sorted(RESUMED) == sorted(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("command", RESUMED)
def test_paths_of_each_command_are_meant_from_where_it_was_given(place, command):
    here = place / "here"
    (here / "aims.toml").write_text("[targets.positions]\nmost = 0.5\n")
    words = (command, *RESUMED[command], "--out", "o")
    code, _, wrong = given(place, *words)
    assert code == 0, wrong
    before = {path: path.read_bytes() for path in here.rglob("o/**/sums.parquet")}
    here.rename(place / "moved")
    (place / "here").mkdir()
    out = place / "moved" / "o"
    values = unseal(out / "command.json", "command")
    values["cwd"] = str(place / "moved")
    (out / "command.json").write_bytes(seal("command", values))
    code, _, wrong = given(place, "runs", "resume", str(out), "--trust", "-j", "1")
    assert code == 0, wrong
    for path, data in before.items():
        assert (place / "moved" / path.relative_to(here)).read_bytes() == data
    assert list((place / "here").iterdir()) == []


def test_a_strategy_may_have_the_name_of_a_library(place):
    here = place / "here"
    shutil.move(here / "mine.py", here / "random.py")
    words = ("run", "devil", *FEW, *TWO, "--add-strategy", "random.py:Bold", "--json")
    code, told, wrong = given(place, *words)
    assert code == 0, wrong
    assert json.loads(told)
    assert "Traceback" not in wrong


SCRIPT = """
import os
from pathlib import Path

import joblib, numpy, polars, random
import experiments.core.blocks, experiments.execution.run
import experiments.execution.worker_process
import fairdeal as fd
from tests.experiments.test_planted import plant

plant(Path(), Path("mark"))
before = dict(os.environ)
own = fd.play("devil", games=60, lineup="mine.py:Bold", players=2, seed=1, jobs=2)
assert own.sums.height
assert dict(os.environ) == before
"""


@pytest.mark.parametrize("how", ["-c", "-m"])
def test_what_a_script_starts_is_safe_too(place, how):
    """Though Python has the folder first on the path of the script itself."""
    here = place / "here"
    (here / "script.py").write_text(SCRIPT)
    words = ("-c", SCRIPT) if how == "-c" else ("-m", "script")
    done = subprocess.run(
        [sys.executable, *words],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert not (here / "mark").exists()
