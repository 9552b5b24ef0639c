"""The command line and the door have the same names and the same defaults."""

import inspect
import re
from typing import Any

import pytest
from typer.main import get_command

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
    assert functions == {function.__name__ for function in SAME.values()}
