"""Every command that writes, in a place of somebody: refused, nothing is changed."""

import hashlib
import json
import subprocess
import sys
from inspect import unwrap
from pathlib import Path
from typing import get_type_hints

import pytest

from experiments.core.cells import UsageError
from experiments.execution import backends, output_paths
from experiments.execution.checksummed_json import seal
from experiments.execution.run import run
from experiments.explore import saved_trials
from tests.experiments.test_argument_checks import commands
from tests.experiments.test_disturbed import CELL

READ = {"variant", "targets", "file", "study", "folder", "sessions"}
"""Paths that are read, by the names of parameters."""
WRITTEN = {("variant new", "file"), ("schema", "file"), ("cards", "file")}
"""Paths with one of these names that are written."""
STUDY = 'game = "kunitame"\nlineups = ["random"]\n[targets.a]\ngap = 0.9\n'
STUDY += 'measure = "won by position"\n'
WRITES = {
    "ask": "ask kunitame length",
    "run": "run kunitame -n 100",
    "compare": "compare kunitame life=4",
    "luck": "luck kunitame --lineup allround,random,random,random",
    "levers": "levers kunitame",
    "find": "find positions<=50pp --game kunitame",
    "explore": "explore kunitame",
    "tournament": "tournament kunitame",
    "check": "check study.toml",
    "knockout": "knockout kunitame --precision 1pp",
    "what-if": "what-if kunitame --forbid claim:black",
    "exploit": "exploit kunitame --samples 0",
    "skill": "skill kunitame",
    "learn": "learn kunitame",
    "tune": "tune kunitame planner",
    "report": "report kunitame",
    "schema": "schema kunitame",
    "cards": "cards kunitame",
    "rules": "rules kunitame",
    "variant new": "variant new kunitame",
    "new-game": "new-game",
}
"""Commands with an option or argument that names what is written, so far without it."""
FOREIGN = {
    "notes": {"report.html": "<p>mine", "notes.txt": "mine"},
    "a web site": {"manifest.json": "{}", "report.html": "mine"},
    "stages of a tour": {"stages.json": "{}", "blocks/0.parquet": "mine"},
    "what I tried": {"tried.json": "[]", "tried-1.toml": "life = 4"},
    "a locked thing": {"lock": "pid 4"},
}


def writing():
    """Every command that is told where to write, and how it is told."""
    for words, command in commands():
        name, hints = " ".join(words), get_type_hints(unwrap(command.callback))
        for one in command.params:
            path = "Path" in str(hints.get(one.name))
            written = one.name not in READ or (name, one.name) in WRITTEN
            if path and written:
                yield name, (one.opts[0],) if one.opts[0].startswith("-") else ()


def hashes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else ""
        for path in folder.rglob("*")
    }


@pytest.fixture
def unplayed(monkeypatch, here):
    """Nothing may be played, or served."""

    def played(*_, **__):
        raise AssertionError("it is played")

    monkeypatch.setattr(backends, "run_tasks", played)
    monkeypatch.setattr("experiments.analysis.report_runs.run_many", played)
    (here / "study.toml").write_text(STUDY)
    return here


def test_every_command_that_writes_is_tried():
    assert {name for name, _ in writing()} == set(WRITES)


@pytest.mark.parametrize("what", FOREIGN)
@pytest.mark.parametrize(("name", "option"), [*writing()])
def test_somebodys_folder(fairdeal, unplayed, name, option, what):
    for file, text in FOREIGN[what].items():
        place = unplayed / "his" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    before = hashes(unplayed)
    told = fairdeal(*WRITES[name].split(), *option, "his")
    assert told.exit_code == 2, told.output
    assert "Traceback" not in told.output
    assert hashes(unplayed) == before


@pytest.mark.parametrize("file", ["his.json", "his.toml", "his"])
@pytest.mark.parametrize(("name", "option"), [*writing()])
def test_somebodys_file(fairdeal, unplayed, name, option, file):
    (unplayed / file).write_text("mine")
    before = hashes(unplayed)
    told = fairdeal(*WRITES[name].split(), *option, file)
    assert told.exit_code == 2, told.output
    assert hashes(unplayed) == before


@pytest.mark.parametrize("link", ["blocks", "tables", "figures"])
def test_nothing_is_written_through_a_link(tmp_path, link):
    run([CELL], 100, block=50, out=tmp_path / "o")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if link == "blocks":
        (tmp_path / "o/blocks").rename(elsewhere / "blocks")
        elsewhere = elsewhere / "blocks"
        next(elsewhere.iterdir()).write_text("mine")
    (tmp_path / "o" / link).symlink_to(elsewhere)
    before = hashes(tmp_path)
    with pytest.raises(UsageError, match=f"{link} is a symbolic link"):
        run([CELL], 100, block=50, out=tmp_path / "o")
    assert hashes(tmp_path) == before


SCRIPT = """
import sys
from datetime import datetime
from experiments.execution import output_paths

class Now(datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2026, 1, 1)

output_paths.datetime = Now
sys.argv = ["fairdeal", "run", "devil", "-n", "50", "-j", "1", "--seed", sys.argv[1]]
from experiments.commands.startup import main
main()
"""


def test_four_at_once_have_a_directory_each(tmp_path):
    """In the same second, as a loop of a shell starts them."""
    root = str(Path(__file__).parents[2])
    many = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(seed)],
            cwd=tmp_path,
            env={"PYTHONPATH": root, "PATH": ""},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        for seed in range(4)
    ]
    for one in many:
        assert one.communicate()[1] == ""
        assert one.returncode == 0
    stem = "devil-run-20260101-000000"
    made = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert made == [stem, *(f"{stem}-{number}" for number in (2, 3, 4))]
    seeds = {
        json.loads((tmp_path / "results" / name / "summary.json").read_text())["seed"]
        for name in made
    }
    assert seeds == {0, 1, 2, 3}


def test_a_directory_in_which_nothing_was_written_goes_again(here):
    with output_paths.output_directory(None, "devil", "run") as folder:
        assert folder.is_dir()
    assert not (here / "results").exists()
    with output_paths.output_directory(None, "devil", "run") as folder:
        (folder / "a").touch()
    assert (folder / "a").exists()


def test_a_schema_may_be_written_again(fairdeal, here):
    words = ("schema", "devil", "--file", "a.json")
    assert fairdeal(*words).exit_code == 0
    assert fairdeal(*words).exit_code == 0
    (here / "a.json").write_text("{}")
    told = fairdeal(*words)
    assert told.exit_code == 2
    assert "a.json already exists; nothing is changed" in told.stderr


def test_what_was_tried_is_added_to_and_rules_are_never_written_over(tmp_path):
    entry = {"seed": 1, "base": "", "address": "?set=life=4"}
    first = saved_trials.save_rules(tmp_path / "o", "devil", "a = 1\n")
    saved_trials.save_trials(tmp_path / "o", "devil", [entry])
    first.write_text("mine")
    (tmp_path / "o/tried-7.toml").write_text("mine, too")
    other = saved_trials.save_rules(tmp_path / "o", "devil", "a = 2\n")
    saved_trials.save_trials(
        tmp_path / "o", "devil", [entry | {"seed": 2}, entry | {"seed": 2}]
    )
    assert (first.name, other.name) == ("tried-1.toml", "tried-8.toml")
    assert first.read_text() == "mine"
    kept = json.loads((tmp_path / "o/tried.json").read_text())["tried"]
    assert [one["seed"] for one in kept] == [1, 2]
    with pytest.raises(UsageError, match="holds what was tried of devil, not of drake"):
        saved_trials.check_folder(tmp_path / "o", "drake")


def test_kinds_of_places_are_not_mixed(fairdeal, here, unplayed):
    (here / "o").mkdir()
    (here / "o/tried.json").write_bytes(seal("tried", {"game": "devil", "tried": []}))
    told = fairdeal("run", "devil", "--out", "o")
    assert told.exit_code == 2
    assert "holds results of another kind of command" in told.stderr
