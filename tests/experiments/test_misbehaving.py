"""Strategies that raise, exit, or never return: a message, and never exit code 0."""

import pytest

import fairdeal as fd
from experiments.core.cells import UsageError
from experiments.execution.run import run
from sim.table import StrategyFailed
from strategies.base import Strategy
from tests.experiments.test_disturbed import CELL
from tests.games.room import first_few

BAD = '''
import os, time
import polars.exceptions
from dataclasses import dataclass, field
from strategies.base import Strategy


class Exits(Strategy):
    name = "exits"
    def play(self, view):
        raise SystemExit(0)


class Leaves(Strategy):
    name = "leaves"
    def play(self, view):
        os._exit(0)


class Stops(Strategy):
    name = "stops"
    def play(self, view):
        raise GeneratorExit


class Base(Strategy):
    name = "base"
    def play(self, view):
        raise BaseException("no idea")


class Panics(Strategy):
    name = "panics"
    def play(self, view):
        raise polars.exceptions.PanicException("rust is sad")


class Loops(Strategy):
    name = "loops"
    def play(self, view):
        while True:
            pass


class Sleeps(Strategy):
    name = "sleeps"
    def play(self, view):
        time.sleep(1_000_000)


class Breaks(Strategy):
    """Writes what the rules go on with."""
    name = "breaks"
    def play(self, view):
        for value in vars(view._state).values():
            if hasattr(value, "dtype") and value.dtype.kind == "u":
                value[...] = 255
        return view.legal & -view.legal


class Speechless(Exception):
    def __str__(self):
        raise SystemExit(0)


class Says(Strategy):
    name = "says"
    def play(self, view):
        raise Speechless


class Sets(Strategy):
    """Asks for tracebacks, of which nobody should see any."""
    name = "sets"
    def play(self, view):
        os.environ["FAIRDEAL_DEBUG"] = "1"
        raise RuntimeError("no idea")


class Goes(Strategy):
    name = "goes"
    def play(self, view):
        os.chdir("/")
        return view.pick(view.legal)


@dataclass(frozen=True)
class Lists(Strategy):
    """Has a field that cannot be hashed."""
    name = "lists"
    seen: list = field(default_factory=list)


class Unhashable(Strategy):
    name = "unhashable"
    def __hash__(self):
        raise TypeError("no")
'''
SAID = {
    "Exits": "raised SystemExit at 'play', first asked in game 0",
    "Leaves": "raised SystemExit at 'play', first asked in game 0",
    "Stops": "raised GeneratorExit at 'play'",
    "Base": "raised BaseException at 'play', first asked in game 0 (week 1, round",
    "Panics": "raised PanicException at 'play'",
    "Says": "raised Speechless at 'play', first asked in game 0",
    "Sets": "raised RuntimeError at 'play'",
    "Loops": "gave no answer within 0.5 s of processor time at 'play', first asked in "
    "game 0",
    "Sleeps": "gave no answer within 5 s at 'play'",
}
STUDY = """
game = "kunitame"
players = 3
lineups = ["bad.py:Exits", "random"]
games = 50
seed = 1
[targets.seats]
measure = "won by position"
gap = 0.9
"""


@pytest.fixture
def bad(here, monkeypatch):
    (here / "bad.py").write_text(BAD)
    monkeypatch.setenv("FAIRDEAL_DECISION_LIMIT", "0.5")
    return here


@pytest.mark.parametrize("name", SAID)
def test_a_run_fails_and_says_why(fairdeal, bad, name):
    told = fairdeal(
        "run", "kunitame", "-n", "50", "--add-strategy", f"bad.py:{name}", "--seed", "1"
    )
    assert told.exit_code == 1
    assert f"error: strategy '{name.lower()}' {SAID[name]}" in told.stderr
    assert "Traceback" not in told.output


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("name", first_few(["Exits", "Panics", "Leaves", "Loops"], 2))
def test_in_another_process_too(fairdeal, bad, name):
    told = fairdeal(
        "run", "kunitame", "-n", "2000", "--add-strategy", f"bad.py:{name}", "-j", "2"
    )
    assert told.exit_code == 1
    assert f"strategy '{name.lower()}' " in told.stderr


def test_one_that_goes_elsewhere(fairdeal, bad, monkeypatch):
    """Results are where they were asked for, and are told as they were."""
    words = (
        "run",
        "kunitame",
        "-n",
        "50",
        "--add-strategy",
        "bad.py:Goes",
        "--out",
        "o",
    )
    told = fairdeal(*words, "--seed", "1")
    monkeypatch.chdir(bad)
    assert told.exit_code == 0, told.output
    assert "results  o" in told.stdout
    names = {path.name for path in (bad / "o").iterdir()}
    assert {"manifest.json", "sums.parquet", "summary.json", "blocks"} <= names
    assert fairdeal("runs", "show", "o").exit_code == 0


@pytest.mark.parametrize("name", ["Exits", "Loops", "Breaks"])
def test_a_check_of_the_strategy_fails(fairdeal, bad, name):
    told = fairdeal(
        "check-strategy", f"bad.py:{name}", "--game", "kunitame", "-n", "10"
    )
    assert told.exit_code == 1
    assert "legal  NO" in told.stdout
    assert "Traceback" not in told.output


def test_a_check_of_the_balance_fails(fairdeal, bad):
    (bad / "study.toml").write_text(STUDY)
    told = fairdeal("check", "study.toml")
    assert told.exit_code == 1
    assert "strategy 'exits' raised SystemExit" in told.stderr


def test_a_study_goes_on_with_its_other_cells(fairdeal, bad):
    (bad / "study.toml").write_text(STUDY)
    told = fairdeal("run", "study.toml")
    assert told.exit_code == 1
    assert "1 of 2 cells failed. The first: strategy 'exits'" in told.stderr
    assert "won by position" in told.stdout


def test_a_trace_fails(fairdeal, bad):
    told = fairdeal("trace", "kunitame", "--add-strategy", "bad.py:Exits")
    assert told.exit_code == 1
    assert "raised SystemExit" in told.stderr


@pytest.mark.parametrize("name", ["Lists", "Unhashable"])
def test_fields_need_not_be_hashable(fairdeal, bad, name):
    words = (
        "--add-strategy",
        f"bad.py:{name}",
        "--lineup",
        f"{name},random,{name},random",
    )
    assert fairdeal("run", "kunitame", "-n", "20", *words).exit_code == 0


@pytest.mark.parametrize(
    "text", ["import os; os._exit(0)", "raise SystemExit", "raise GeneratorExit"]
)
def test_a_file_that_ends_the_process_does_not_load(fairdeal, here, text):
    (here / "ends.py").write_text(text)
    told = fairdeal("run", "kunitame", "--add-strategy", "ends.py:X")
    assert told.exit_code == 2
    assert "ends.py does not load: " in told.stderr


def test_what_a_library_raises_is_a_failed_cell():
    def panics(cell, block, *rest):
        raise SystemExit(0)

    done = run([CELL], 100, play=panics, fail_fast=False)
    assert done.failures == {0: "RuntimeError: SystemExit: 0"}


class Named(Strategy):
    """A strategy of a script."""

    name = "named"


class Other(Strategy):
    """Another one that is called the same."""

    name = "named"


def test_lineups_of_the_wrong_length_are_refused_everywhere():
    alone = fd.play("kunitame", games=50, lineup="allround", seed=1, jobs=1)
    listed = fd.play("kunitame", games=50, lineup=["allround"], seed=1, jobs=1)
    assert alone.sums.equals(listed.sums)
    for wrong in (["allround"] * 2, ["allround"] * 6, []):
        with pytest.raises(UsageError, match=r"Allowed: 1 \(it fills all seats\) or 4"):
            fd.play("kunitame", games=50, lineup=wrong, jobs=1)
    with pytest.raises(UsageError, match="both called 'named'"):
        fd.play("kunitame", games=10, lineup=[Named(), Other(), Named(), Other()])


def test_the_error_can_be_caught(bad):
    with pytest.raises(StrategyFailed, match="raised SystemExit"):
        fd.play("kunitame", games=10, lineup="bad.py:Exits")
