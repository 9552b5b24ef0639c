"""Words of a command that cannot be meant: empty ones, and one of two for one value."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from experiments.commands.cli import app
from experiments.commands.resume import _without

ROOT = Path(__file__).parents[2]


def commands(group: Any = None, *above: str):
    """Every command: its words, and what click knows of it."""
    for name, one in (group or get_command(app)).commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, *above, name)
        else:
            yield (*above, name), one


OPTIONS = [
    (words, one)
    for words, command in commands()
    for one in command.params
    if one.param_type_name == "option" and not one.is_flag
]
NAMES = [" ".join([*words, max(one.opts, key=len)]) for words, one in OPTIONS]


@pytest.mark.parametrize(("words", "option"), OPTIONS, ids=NAMES)
def test_no_value_is_empty(fairdeal, here, words, option):
    before = sorted(here.iterdir())
    for empty in ("", "  "):
        told = fairdeal(*words, option.opts[0], empty)
        assert told.exit_code == 2
        assert f"error: {max(option.opts, key=len)}: empty. " in told.stderr
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize("words", [words for words, _ in commands()])
def test_no_argument_is_empty(fairdeal, words):
    [command] = [one for name, one in commands() if name == words]
    for one in command.params:
        if one.param_type_name == "argument":
            assert ": empty. " in fairdeal(*words, "").stderr


@pytest.mark.parametrize(("words", "option"), OPTIONS, ids=NAMES)
def test_one_value_is_given_once(fairdeal, words, option):
    if option.multiple:
        return
    first, long = option.opts[0], max(option.opts, key=len)
    told = fairdeal(*words, first, "1", first, "2")
    assert told.exit_code == 2
    assert f"error: {long} 1 and {long} 2: only one of them can" in told.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("rules", "kunitame", "--set", "life=4", "--set", " life=5"),
            "--set life=4 and --set  life=5: only one of them",
        ),
        (
            ("run", "kunitame", "-n", "5", "--games=6"),
            "--games 5 and --games 6: only one",
        ),
        (("run", "kunitame", "--rotate", "--no-rotate"), "--rotate: given twice"),
    ],
)
def test_two_ways_to_say_it(fairdeal, words, said):
    told = fairdeal(*words)
    assert told.exit_code == 2
    assert said in told.stderr


def test_what_may_be_repeated(fairdeal):
    words = ("--set", "life=4", "--set", "weeks=3", "--json", "--json")
    assert fairdeal("rules", "kunitame", *words).exit_code == 0


@pytest.mark.parametrize(
    "words", [["--jobs", "2"], ["--jobs=2"], ["-j", "2"], ["-j2"], []]
)
def test_an_option_of_a_repeated_command_is_replaced(words):
    """However it was written: given again beside it, it would be given twice."""
    left = _without("--jobs", ["run", "x", *words, "--json", "--out", "o"])
    assert left == ["run", "x", "--json", "--out", "o"]


SCRIPT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == {name!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv = ["fairdeal", "run", "devil", "-n", "200", "--seed", "1", "-j", "1"]
from experiments.commands.startup import main
main()
"""
LOADED = (
    "experiments.commands.cli",
    "typer",
    "experiments.commands.play_plan",
    "numpy",
    "polars",
    "pydantic",
    "sim.devil.play",
    "experiments.execution.run",
)


@pytest.mark.parametrize("name", LOADED)
def test_an_interrupt_while_it_starts(tmp_path, name):
    """Whatever is loaded at that moment."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(name=name)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FAIRDEAL_DEBUG": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    assert "error: interrupted." in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_who_ignores_interrupts_goes_on_to(tmp_path):
    """As under nohup, or in the background of a script."""
    script = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    done = subprocess.run(
        [sys.executable, "-c", script + SCRIPT.format(name="numpy")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("limit", ["abc", "nan", "0", "-1"])
def test_a_limit_that_is_none(fairdeal, monkeypatch, limit):
    monkeypatch.setenv("FAIRDEAL_DECISION_LIMIT", limit)
    told = fairdeal("games")
    assert told.exit_code == 2
    assert "FAIRDEAL_DECISION_LIMIT" in told.stderr
