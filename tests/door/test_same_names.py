"""The command line and the door have the same names and the same defaults."""

import inspect
import re
import shlex
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import fairdeal as fd
from experiments.analysis.compare import ComparisonTolerance
from experiments.commands.arguments import lineup_of
from experiments.commands.cli import app
from experiments.commands.compare_arguments import (
    parse_amount,
    parse_points,
    parse_tolerance,
)
from experiments.commands.show_skill import samples
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
    "what-if": fd.what_if,
    "explore": fd.explore,
    "skill": fd.skill,
    "learn": fd.learn,
    "tune": fd.tune,
    "report": fd.report,
    "trace": fd.trace,
    "playtest": fd.playtest,
    "ask": fd.ask,
    "check-strategy": fd.check,
    "check-game": fd.check_game,
    "new-game": fd.new_game,
    "games": fd.games,
    "rules": fd.rules,
    "cards": fd.cards,
    "strategies": fd.strategies,
    "measures": fd.measures,
    "schema": fd.schema,
    "bench": fd.bench,
    "runs list": fd.runs.list,
    "runs show": fd.runs.show,
    "runs diff": fd.runs.diff,
    "runs resume": fd.runs.resume,
    "variant validate": fd.variant.validate,
    "variant diff": fd.variant.diff,
    "variant show": fd.variant.show,
    "variant new": fd.variant.new,
}
"""Commands, and the functions that do the same in Python; those of a group have it as
their module."""
STUDY = {"run": fd.study, "check": fd.study}
"""Commands that play a study, and the function that does: what a file says is an option
of the commands."""
RULES = {"game", "what", "settings", "variant"}
OWN = {"add_strategy"}
SHOWN = {"json", "form", "every"}
SAID_ELSE = {
    "rules": {"sheet"},
    "run": {"precision", "measure", "dry_run", "fail_fast", "page"},
    "compare": {"page", "trust"},
    "power": {"trust"},
    "report": {"trust"},
    "trace": {"trust"},
    "ask": {"picture"},
    "tournament": {"page"},
    "runs resume": {"page"},
}
"""What the command line alone says: rules (an argument of the functions), your own
strategies (classes there), how the answer is printed, of ``run`` a study's, and of
``levers`` by what it is ranked, whether ``compare`` and others write a page, whether
runs that are named as words are trusted."""
ARGUMENT = {"rules", "progress"}
ARGUMENT_ELSE = {
    "run": {"detailed", "stop"},
}
"""What the functions alone take: of ``run`` what follows from measures and
precision."""
RENAMED = {
    "set": "settings",
    "format": "form",
    "section": "sections",
    "all": "every",
}
"""Options whose parameters have other names."""
REQUIRED = inspect.Parameter.empty
READ = {
    "difference": lambda text: parse_amount(text, "--difference"),
    "tolerance": lambda text: (
        None if parse_tolerance(text) == ComparisonTolerance() else text
    ),
    "exploit tolerance": lambda text: parse_points(text, "--tolerance"),
    "skill tolerance": lambda text: parse_amount(text, "--tolerance"),
    "ask levels": lambda text: tuple(text.split(",")),
    "skill samples": lambda text: tuple(samples(text)),
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
    found_at: Any = get_command(app)
    for word in command.split():
        found_at = found_at.commands[word]
    for one in found_at.params:
        long = [name for name in one.opts if name.startswith("--")]
        name = long[0][2:].replace("-", "_") if long else one.name
        found[RENAMED.get(name, name)] = one
    return found


@pytest.mark.parametrize("command", SAME)
def test_names_are_the_same(command):
    taken = set(inspect.signature(SAME[command]).parameters)
    said = set(options(command))
    mine = OWN - taken
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
            assert re.match(rf"{told}\b", option.show_default), name
            default = wanted
        assert default == wanted, name
        compared += 1
    assert compared or all(one.default is REQUIRED for one in function.values())


def test_every_function_has_a_command():
    offered = [getattr(fd, name) for name in fd.__all__]
    groups = [one for one in offered if inspect.ismodule(one)]
    for group in groups:
        offered += [
            one
            for one in vars(group).values()
            if getattr(one, "__module__", "") == group.__name__
        ]
    functions = {one for one in offered if inspect.isfunction(one)}
    functions.remove(fd.cards_of)  # for files of games
    assert functions == {*SAME.values(), *STUDY.values()}


def test_every_command_has_a_function():
    told = {
        f"{name} {below}".strip()
        for name, command in get_command(app).commands.items()
        for below in getattr(command, "commands", [""])
    }
    assert told == {*SAME, *STUDY}


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
    "find": "find 'length <= 14' --game kunitame --out {out}",
    "knockout": "knockout kunitame --out {out}",
    "levers": "levers kunitame --out {out}",
    "exploit": "exploit kunitame --out {out}",
    "what-if": "what-if kunitame --forbid claim:blue --out {out}",
    "explore": "explore kunitame",
    "skill": "skill kunitame --out {out}",
    "learn": "learn kunitame --out {out}",
    "tune": "tune kunitame planner --out {out}",
    "report": "report kunitame --out {out}",
    "trace": "trace kunitame",
    "playtest": "playtest {study} --game kunitame",
    "ask": "ask kunitame length",
    "check-strategy": "check-strategy greedy --game kunitame",
    "check-game": "check-game kunitame",
    "new-game": "new-game my_game",
    "games": "games",
    "rules": "rules kunitame",
    "cards": "cards kunitame",
    "strategies": "strategies kunitame",
    "measures": "measures kunitame",
    "schema": "schema kunitame",
    "bench": "bench kunitame",
    "runs list": "runs list",
    "runs show": "runs show x",
    "runs diff": "runs diff x y",
    "runs resume": "runs resume {done}",
    "variant validate": "variant validate x.toml",
    "variant diff": "variant diff x.toml",
    "variant show": "variant show x.toml",
    "variant new": "variant new kunitame x.toml",
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
    function = (STUDY if name in STUDY else SAME)[name]
    door = ".".join([*name.split()[:-1], function.__name__])
    study, out = tmp_path / "study.toml", tmp_path / "out"
    study.write_text(FILE)
    if "{done}" in LINES[command]:
        fd.study(study, games=20, jobs=1, out=tmp_path / "done")

    def reached(*_: Any, **__: Any) -> None:
        raise Reached

    monkeypatch.setattr(f"experiments.api.{door}", reached)
    monkeypatch.setenv("FAIRDEAL_DEBUG", "1")
    words = shlex.split(
        LINES[command].format(study=study, out=out, done=tmp_path / "done")
    )
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
