"""A run directory is data: showing it runs nothing, going on with it asks first."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.execution.checksummed_json import seal, unseal
from experiments.execution.results import load
from experiments.execution.run import run
from experiments.studies import run_catalog, run_study
from experiments.studies.study import parse
from tests.experiments.clusters import CELL, ROOT

EVIL = '''
from pathlib import Path
from strategies.base import Strategy

Path(__file__).with_name("executed").touch()


class Evil(Strategy):
    """Looks like any other."""

    name = "evil"
'''
STUDY = {"game": "kunitame", "lineups": ["random"], "games": 60, "seed": 1}


def cli(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, which has loaded nothing yet."""
    return subprocess.run(
        [sys.executable, "-m", "experiments.commands.cli", *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def changed(path: Path, kind, change) -> None:
    """The file with other values, as somebody could write it who knows how."""
    values = unseal(path, kind)
    change(values)
    path.write_bytes(seal(kind, values))


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """The directory of a study, to be copied."""
    out = tmp_path_factory.mktemp("studied") / "o"
    run_study.run_study(parse(STUDY), out=out)
    return out


@pytest.fixture
def evil(here, studied):
    """A study whose directory was made to name a file of Python."""
    for name in ("d", "other"):
        shutil.copytree(studied, here / "results" / name)
    (here / "evil.py").write_text(EVIL)
    spec = f"{here}/evil.py:Evil"

    def names(values):
        values["cells"][0]["lineup"] = [spec] * 4
        values["names"] = [{"label": "", "title": spec, "specs": [spec] * 4}]
        for key in ("finished", "played", "stopped", "failures"):
            del values[key]

    changed(here / "results/d/manifest.json", "manifest", names)
    return here


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("list", "--json"),
        ("show", "d"),
        ("show", "d", "--json"),
        ("diff", "d", "other"),
        ("diff", "other", "d"),
        ("resume", "d"),
        ("resume", "d", "-j", "2"),
    ],
)
def test_nothing_that_a_directory_names_is_run_unasked(evil, fairdeal, words):
    result = fairdeal("runs", *words)
    assert not (evil / "executed").exists()
    if words[0] == "resume":
        assert result.exit_code == 2
        assert "is not a file that the run was started with" in result.stderr
        assert "add --trust" in result.stderr
    else:
        assert result.exit_code == 0, result.output


def test_the_same_of_a_comparison(evil, fairdeal):
    result = fairdeal("compare", "results/d", "results/other", "--game", "kunitame")
    assert result.exit_code == 2
    assert not (evil / "executed").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("trace", "results/d"),
        ("trace", "kunitame", "--beside", "results/d"),
        ("compare", "results/d", "results/other", "--game", "kunitame"),
        ("power", "results/d", "--game", "kunitame"),
        ("runs", "resume", "d"),
    ],
)
def test_who_names_trust_has_it(evil, fairdeal, words):
    refused = fairdeal(*words)
    assert refused.exit_code == 2
    assert "if you trust it, add --trust." in refused.stderr
    assert not (evil / "executed").exists()
    fairdeal(*words, "--trust")
    assert (evil / "executed").exists()


def test_a_kept_report_may_be_trusted(evil, fairdeal):
    told = ["report", "kunitame", "--add-strategy", f"{evil}/evil.py:Evil", "--quick"]
    values = {"command": [*told, "-n", "60", "--seed", "1"], "cwd": str(evil)}
    (evil / "results/d/command.json").write_bytes(seal("command", values))
    refused = fairdeal("report", "results/d")
    assert "add --trust" in refused.stderr
    assert not (evil / "executed").exists()
    fairdeal("report", "results/d", "--trust")
    assert (evil / "executed").exists()


def test_a_file_that_came_with_the_run(evil, fairdeal):
    inside = evil / "results/d/evil.py"
    shutil.move(evil / "evil.py", inside)

    def names(values):
        values["names"][0]["specs"] = [f"{inside}:Evil"] * 4
        values["sources"] = {str(inside): "0" * 64}

    changed(evil / "results/d/manifest.json", "manifest", names)
    result = fairdeal("runs", "resume", "d")
    assert result.exit_code == 2
    assert "which came with the run" in result.stderr
    assert not inside.with_name("executed").exists()


COMMANDS = {
    "no command": (["schema", "kunitame"], "it names no command that keeps runs"),
    "no words": ([], "it names no command that keeps runs"),
    "a letter": (["r"], "it names no command that keeps runs"),
    "itself": (["runs", "resume", "d"], "it names no command that keeps runs"),
    "no text": ([1, 2], "it names no command that keeps runs"),
    "no list": ({"run": 1}, "it names no command that keeps runs"),
    "no option": (["run", "kunitame", "--exec", "x"], "No such option: --exec"),
    "a cluster": (
        ["run", "kunitame", "--backend", "dask", "--scheduler", "tcp://x:1"],
        "add --trust or --scheduler",
    ),
    "a file of Python": (
        [
            "run",
            "kunitame",
            "-n",
            "60",
            "--seed",
            "1",
            "--add-strategy",
            "evil.py:Evil",
        ],
        "is not a file that the run was started with",
    ),
    "a study": (["run", "evil.toml"], "is not a file that the run was started with"),
}


@pytest.mark.parametrize("what", COMMANDS)
def test_commands_that_are_not_given_again(evil, fairdeal, what):
    command, why = COMMANDS[what]
    (evil / "evil.toml").write_text(
        'game = "kunitame"\nlineups = ["evil"]\nstrategies = ["evil.py:Evil"]\n'
    )
    told = {"command": command, "cwd": str(evil)}
    (evil / "results/d/command.json").write_bytes(seal("command", told))
    result = fairdeal("runs", "resume", "d")
    assert result.exit_code == 2
    assert why in result.stderr
    assert not (evil / "executed").exists()


@pytest.mark.slow
def test_a_run_goes_on_with_the_strategies_that_it_was_started_with(here):
    (here / "mine.py").write_text(EVIL.replace("evil", "mine"))
    words = ("run", "kunitame", "-n", "60", "--seed", "1")
    own = ("--add-strategy", "mine.py:Evil", "--out", "o")
    started = cli(here, *words, *own)
    assert started.returncode == 0, started.stderr
    assert str(here / "mine.py") in cli(here, "runs", "show", "o").stdout
    (here / "executed").unlink()
    again = cli(here.parent, "runs", "resume", str(here / "o"))
    assert again.returncode == 0, again.stderr
    assert (here / "executed").exists()
    (here / "executed").unlink()
    (here / "mine.py").write_text(EVIL.replace("evil", "other"))
    refused = cli(here, "runs", "resume", "o")
    assert refused.returncode == 2
    assert "mine.py, which has changed since the run was started" in refused.stderr
    assert not (here / "executed").exists()
    trusted = cli(here, "runs", "resume", "o", "--trust")
    assert "holds another run, with other lineup, code" in trusted.stderr
    assert (here / "executed").exists()


def test_strategies_of_a_loaded_run_are_names(tmp_path):
    done = run([CELL], 100, out=tmp_path / "o")
    loaded = load(tmp_path / "o")
    assert loaded.cells[0].title() == done.cells[0].title()
    assert loaded.to_polars().equals(done.to_polars())
    with pytest.raises(Exception, match="known by name only"):
        run(loaded.cells, 10)
    again = run(load(tmp_path / "o", playable=True).cells, 100)
    assert again.sums.equals(done.sums)


@pytest.mark.parametrize("how", ["moved", "copied"])
@pytest.mark.parametrize("kind", ["study", "game"])
def test_a_run_goes_on_where_it_is_now(here, fairdeal, how, kind):
    (here / "s.toml").write_text('game = "kunitame"\nlineups = ["random"]\n')
    what = "s.toml" if kind == "study" else "kunitame"
    words = ("run", what, "-n", "300", "--seed", "1", "--tables", "gem")
    assert fairdeal(*words, "--out", "old").exit_code == 0
    before = {path: path.read_bytes() for path in (here / "old").rglob("*.*")}
    (here / "elsewhere").mkdir()
    (shutil.copytree if how == "copied" else shutil.move)(here / "old", "elsewhere/new")
    new = here / "elsewhere/new"
    changed(new / "manifest.json", "manifest", lambda told: told.pop("finished"))
    next((new / "blocks").iterdir()).unlink()
    (new / "sums.parquet").unlink()
    for _ in range(3):
        result = fairdeal("runs", "resume", str(new), "-j", "2")
        assert result.exit_code == 0, result.output
    assert (here / "old").exists() == (how == "copied")
    for path, data in before.items():
        copy = new / path.relative_to(here / "old")
        if how == "copied":
            assert path.read_bytes() == data
        if path.suffix == ".parquet" or path.name == "command.json":
            assert copy.read_bytes() == data
    assert not list(here.glob("**/*.part"))
    assert run_catalog.run_at(new).state.status == "finished"


EVIL_GAME = """
from pathlib import Path

Path(__file__).with_name("executed").touch()
raise RuntimeError("ran")
"""


@pytest.fixture
def evil_game(here, studied):
    """A study whose directory was made to name a file as its game."""
    for name in ("d", "other"):
        shutil.copytree(studied, here / "results" / name)
    (here / "evil.py").write_text(EVIL_GAME)

    def names(values):
        values["cells"][0]["game"] = f"{here}/evil.py"
        values["game"] = f"{here}/evil.py"

    changed(here / "results/d/manifest.json", "manifest", names)
    return here


@pytest.mark.parametrize(
    "words",
    [
        ("runs", "list"),
        ("runs", "list", "--json"),
        ("runs", "show", "d"),
        ("runs", "show", "d", "--json"),
        ("runs", "diff", "d", "other"),
        ("runs", "diff", "other", "d"),
        ("runs", "resume", "d"),
        ("trace", "results/d"),
        ("compare", "results/d", "results/other", "--game", "kunitame"),
        ("power", "results/d", "--game", "kunitame"),
        ("report", "results/d"),
    ],
)
def test_no_game_that_a_directory_names_is_run_unasked(evil_game, fairdeal, words):
    told = fairdeal(*words)
    assert not (evil_game / "executed").exists()
    if words[1] not in ("list", "diff"):
        assert told.exit_code
    if words[1] == "resume":
        assert "is not a file that the run was started with" in told.stderr
        fairdeal(*words, "--trust")
        assert (evil_game / "executed").exists()
