"""The command line and the door have the same names and the same defaults."""

import inspect
import re
import shlex
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import fairdeal as fd
from experiments.analysis.compare import Tolerance
from experiments.commands.arguments import lineup_of
from experiments.commands.cli import app
from experiments.commands.compare_arguments import amount, tolerance
from experiments.commands.exploit_arguments import points
from experiments.commands.show_skill import budgets
from sim.games import load

SAME = {
    "run": fd.play,
    "compare": fd.compare,
    "power": fd.power,
    "luck": fd.luck,
    "tournament": fd.tournament,
    "find": fd.find,
    "knockout": fd.knockout,
    "levers": fd.levers,
    "exploit": fd.exploit,
    "explore": fd.explore,
    "skill": fd.skill,
    "tune": fd.tune,
    "report": fd.report,
    "trace": fd.trace,
    "playtest": fd.playtest,
    "check-strategy": fd.check,
    "games": fd.games,
}
"""Commands, and the functions that do the same in Python."""
STUDY = {"run": fd.study, "check": fd.study}
"""Commands that play a study, and the function that does: what a file says is an option
of the commands."""
RULES = {"game", "what", "settings", "variant"}
OWN = {"strategy"}
SHOWN = {"json", "form", "every"}
SAID_ELSE = {
    "run": {"precision", "measure", "dry_run", "fail_fast", "report"},
    "levers": {"line"},
    "compare": {"report"},
    "tournament": {"report"},
}
"""What the command line alone says: rules (an argument of the functions), strategies of
one's own (classes there), how the answer is printed, of ``run`` a study's, and of
``levers`` by what it is ranked, whether ``compare`` and others write a page."""
ARGUMENT = {"rules", "progress"}
ARGUMENT_ELSE = {
    "run": {"detailed", "stop"},
    "report": {"strategies"},
    "exploit": {"strategies"},
}
"""What the functions alone take: of ``run`` what follows from measures and precision,
of ``report`` and ``exploit`` the strategies of one's own."""
REQUIRED = inspect.Parameter.empty
READ = {
    "difference": lambda text: amount(text, "--difference"),
    "tolerance": lambda text: None if tolerance(text) == Tolerance() else text,
    "exploit tolerance": lambda text: points(text, "--tolerance"),
    "skill tolerance": lambda text: amount(text, "--tolerance"),
    "skill budgets": lambda text: tuple(budgets(text)),
}
"""Texts of the command line as they are read."""


def plain(value: Any) -> Any:
    """A default, with nothing told in one way."""
    return None if value in ("", (), []) else value


def reading(command: str, name: str) -> Any:
    """How the text of an option is read, if not as it stands."""
    return READ.get(f"{command} {name}", READ.get(name))


def options(command: str) -> dict[str, Any]:
    """The names that a command's user writes, with click's parameters."""
    found = {}
    for one in get_command(app).commands[command].params:
        long = [name for name in one.opts if name.startswith("--")]
        name = long[0][2:].replace("-", "_") if long else one.name
        found[{"set": "settings", "format": "form", "all": "every"}.get(name, name)] = (
            one
        )
    return found


@pytest.mark.parametrize("command", SAME)
def test_names_are_the_same(command):
    taken = set(inspect.signature(SAME[command]).parameters)
    said = set(options(command))
    mine = OWN if "strategy" not in taken else set()
    taken -= RULES  # of ``explore``, which moves them
    said -= RULES | SHOWN | mine | SAID_ELSE.get(command, set())
    assert said == taken - ARGUMENT - ARGUMENT_ELSE.get(command, set())


@pytest.mark.parametrize("command", SAME)
def test_defaults_are_the_same(command):
    function, compared = inspect.signature(SAME[command]).parameters, 0
    for name, option in options(command).items():
        if name not in function or function[name].default is REQUIRED:
            continue
        wanted, default = plain(function[name].default), plain(option.default)
        if name == "lineup" and wanted is not None:
            default = lineup_of(load("kunitame"), option.default, ())
        elif default is not None and (read := reading(command, name)):
            default = read(default)
        elif default is None and wanted is not None:  # a study may say another
            told = "yes" if wanted is True else f"{wanted:,}"
            assert re.search(rf"\(default: {told}\b", option.help), name
            default = wanted
        assert default == wanted, name
        compared += 1
    assert compared or not function


def test_every_function_has_a_command():
    functions = {name for name in fd.__all__ if inspect.isfunction(getattr(fd, name))}
    known = [*SAME.values(), *STUDY.values()]
    assert functions == {function.__name__ for function in known}


def test_a_study_has_names_and_defaults_of_run():
    plan = {"what", "progress", "stop", "block"}
    said = options("run")
    for name, taken in inspect.signature(fd.study).parameters.items():
        assert name in plan or plain(said[name].default) == taken.default, name


class Reached(Exception):
    """A function of the door was called."""


LINES = {
    "run": "run kunitame --seed 1 --out {out}",
    "run of a study": "run {study} --out {out}",
    "check": "check {study} --out {out}",
    "compare": "compare kunitame life=4 --out {out}",
    "power": "power kunitame life=4",
    "luck": "luck kunitame --lineup greedy,random,random,random",
    "tournament": "tournament kunitame --out {out}",
    "find": "find 'length <= 14' --game kunitame",
    "knockout": "knockout kunitame --out {out}",
    "levers": "levers kunitame --out {out}",
    "exploit": "exploit kunitame --out {out}",
    "explore": "explore kunitame",
    "skill": "skill kunitame --out {out}",
    "tune": "tune kunitame planner --out {out}",
    "report": "report kunitame --out {out}",
    "trace": "trace kunitame",
    "playtest": "playtest {study} --game kunitame",
    "check-strategy": "check-strategy greedy --game kunitame",
    "games": "games",
}
"""A line of each command; what is played by it is asked of the door."""
FILE = """
game = "kunitame"
lineups = ["greedy"]
seed = 1
[targets.fair]
measure = "won by position"
gap = 0.02
"""


@pytest.mark.parametrize("command", LINES)
def test_commands_ask_the_door(command, tmp_path, monkeypatch):
    name = command.removesuffix(" of a study")
    door = (STUDY if name in STUDY else SAME)[name].__name__
    study, out = tmp_path / "study.toml", tmp_path / "out"
    study.write_text(FILE)

    def reached(*_: Any, **__: Any) -> None:
        raise Reached

    monkeypatch.setattr(f"experiments.api.{door}", reached)
    monkeypatch.setenv("FAIRDEAL_DEBUG", "1")
    words = shlex.split(LINES[command].format(study=study, out=out))
    found = CliRunner().invoke(app, words)
    assert isinstance(found.exception, Reached), found.output


def test_what_is_played_in_python_is_a_study_too(monkeypatch):
    def reached(*_: Any, **__: Any) -> None:
        raise Reached

    monkeypatch.setattr("experiments.api.simulate.study", reached)
    with pytest.raises(Reached):
        fd.play("kunitame")


def test_every_command_of_the_door_has_a_line():
    assert {line.removesuffix(" of a study") for line in LINES} == {*SAME, *STUDY}
