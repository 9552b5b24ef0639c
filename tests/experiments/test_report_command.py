"""The command ``report``: a designer's own tolerances, and a page made anew."""

import json

import pytest
from typer.testing import CliRunner

from experiments.commands.cli import app
from tests.reports.bags import bags

__all__ = ["bags"]
QUICK = ("--quick", "-n", "2000", "--seed", "5", "-j", "1")


def report(*words):
    return CliRunner().invoke(app, ["report", *map(str, words)])


def verdict_of(folder, line):
    rows = json.loads((folder / "scorecard.json").read_text())["scorecard"]
    [row] = [row for row in rows if row["line"] == line]
    return row["most"], row["verdict"]


def test_own_tolerances_are_held_to_and_printed(bags, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("seconds = 60\n[targets.positions]\nmost = 0.9\nmargin = 0.1\n")
    words = ("bags", *QUICK, "--set", "head_start=25", "--out")
    own = tmp_path / "own"
    said = report(*words, own, "--targets", file)
    assert said.exit_code == 0, said.output
    assert "at most 90 points" in (own / "report.md").read_text()
    assert verdict_of(own, "positions") == (0.9, "fair")
    assert "12 decisions, 60 seconds each" in (own / "report.html").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[targets.positons]", "no line 'positons'; nearest is 'positions'"),
        ("[targets.luck]\nmots = 1", "no key 'mots'; nearest is 'most'"),
        ("[targets.luck]\nmost = 'all'", "targets.luck.most: a number, not 'all'"),
        ("[targets.options]\nleast = 30", "least 30 lies above most 20"),
        ("[tragets]", "no key 'tragets'. Allowed: targets, seconds"),
        ("seconds = 0", "seconds: more than 0, not 0"),
        ("targets = 3", "write [targets.LINE] above each"),
        ("seconds = ", "not TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(bags, tmp_path, text, words):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    said = report("bags", *QUICK, "--targets", file, "--out", tmp_path / "run")
    assert said.exit_code == 2
    assert words in " ".join(said.output.split())
    assert "mine.toml" in said.output
    assert not (tmp_path / "run").exists()


def test_a_kept_report_is_made_anew_without_playing(bags, tmp_path, monkeypatch):
    run = tmp_path / "run"
    file = tmp_path / "mine.toml"
    file.write_text("[targets.positions]\nmost = 0.02\n")
    words = ["report", "bags", *QUICK, "--targets", str(file), "--out", str(run)]
    monkeypatch.setattr("sys.argv", ["fairdeal", *words])  # what is remembered
    assert report(*words[1:]).exit_code == 0
    pages = [path for path in run.rglob("*") if path.suffix in {".html", ".md", ".svg"}]
    pages += [run / "scorecard.json", run / "report.json"]
    first = {path: path.read_bytes() for path in pages}
    for path in pages:
        path.unlink()
    blocks = sorted(path.stat().st_mtime_ns for path in run.glob("blocks/*"))
    said = report(run, "-j", "1")
    assert said.exit_code == 0, said.output
    assert {path: path.read_bytes() for path in pages} == first
    assert blocks == sorted(path.stat().st_mtime_ns for path in run.glob("blocks/*"))


def test_a_folder_of_the_games_name_is_not_asked_for(bags, tmp_path, monkeypatch):
    """An id is the game, though a report of it lies in a folder of this name."""
    monkeypatch.chdir(tmp_path)
    for out in ("bags", "again"):
        said = report("bags", *QUICK, "--out", out)
        assert said.exit_code == 0, said.output
        assert (tmp_path / out / "report.html").exists()
