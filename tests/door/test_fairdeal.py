"""``import fairdeal``: its names, its examples, and the notebook of the README."""

import doctest
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import experiments.api
import fairdeal as fd

ROOMS = [
    import_module(f"experiments.api.{room.name}")
    for room in iter_modules(experiments.api.__path__)
]
GROUPS = (fd.runs, fd.variant)
README = Path(__file__).parents[2] / "README.md"


def test_every_name_is_there():
    assert all(getattr(fd, name) is not None for name in fd.__all__)
    assert set(fd.__all__) <= set(dir(fd))


def test_every_public_function_is_a_name_of_the_door():
    """Or of a room that is one itself, as a group of commands is."""
    public = {
        name
        for room in ROOMS
        if room not in GROUPS
        for name, value in vars(room).items()
        if getattr(value, "__module__", "") == room.__name__
        and not name.startswith("_")
    }
    public |= {room.__name__.rpartition(".")[2] for room in GROUPS}
    assert public == set(experiments.api.__all__) <= set(fd.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'fairdeal' has no attribute 'gmae'"):
        _ = fd.gmae


def test_importing_it_loads_nothing_heavy():
    heavy = "[m for m in ('numpy', 'polars', 'sim') if m in sys.modules]"
    code = f"import fairdeal, sys; print({heavy})"
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"


LONG = {"experiments.api.strategy_strength"}
"""Rooms whose examples search, and take some seconds."""


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(
            room, marks=[pytest.mark.slow] * (room.__name__ in LONG), id=room.__name__
        )
        for room in (fd, *ROOMS)
    ],
)
def test_the_examples_are_true(module):
    tests = doctest.testmod(module)
    assert tests.attempted > 0
    assert tests.failed == 0


def test_every_public_function_has_an_example():
    names = "play compare power tournament knockout exploit luck trace games rules"
    names += " strategies measures schema bench"
    functions = [getattr(fd, name) for name in names.split()]
    for group in GROUPS:
        own = [one for one in vars(group).values() if inspect.isfunction(one)]
        functions += [one for one in own if one.__module__ == group.__name__]
    for function in functions:
        assert ">>>" in (function.__doc__ or ""), function


def test_a_study_of_several_cells_is_told_in_three_lines(tmp_path):
    study = tmp_path / "s.toml"
    study.write_text('game = "kunitame"\nlineups = ["greedy"]\nplayers = [4, 3]')
    first, who, _ = repr(fd.study(study, games=50, seed=1, jobs=1)).splitlines()
    assert first.startswith("kunitame, 3, 4 players, 2 cells: 100 games, seed 1")
    assert who.startswith("in the first cell, won by position: first dealer")
    assert who.count("[") == 4


@pytest.mark.slow
def test_the_notebook_of_the_readme_runs(tmp_path, monkeypatch):
    """Every line as it is written, with fewer games."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda _: True)
    [code] = [
        block
        for block in re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        if "import fairdeal as fd" in block and "fd.compare(" in block
    ]
    code = re.sub(r"games=\d[\d_]*", "games=300", code)
    code = code.replace("four, games=", "four, adapt=0, games=")
    code = code.replace("fd.tournament(game)", "fd.tournament(game, games=20)")
    code = code.replace('out="r")', 'out="r", games=20, players=4)')
    code = code.replace("difference=0.01", "difference=0.01, pilot=300")
    seen = {}
    exec(compile(code, "README.md", "exec"), seen)  # noqa: S102 - our own README
    assert seen["run"].played == (300,)
    assert (tmp_path / "r" / "report.html").exists()
