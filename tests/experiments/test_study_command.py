"""The command ``run STUDY.toml``: what it prints, keeps and refuses."""

import json
import re

import polars as pl
import pytest

from tests.experiments.lives import FILE


@pytest.fixture
def file(here):
    (here / "lives.toml").write_text(FILE)
    return here / "lives.toml"


def test_the_command_plays_a_study(fairdeal, file, here):
    result = fairdeal("run", "lives.toml", "-n", "400")
    assert result.exit_code == 0
    [place] = (here / "results").iterdir()
    assert place.name.startswith("kunitame-lives-")
    for words in (
        "Do four lives change who wins?",
        "four-lives: Life gems of a player",
        "won by position",
        "won by strategy",
        " % (",
        "seed     5",
        "assumed  removed_pledge",
        "cells    4, 400 games of each, all on the same deals",
        "--games 400 overrides games = 3000 of lives.toml",
        f"results/{place.name}",
        f"compare  the variants with the base, with intervals: fairdeal runs resume "
        f"results/{place.name} --page",
    ):
        assert words in result.stdout
    names = {path.name for path in place.iterdir()}
    assert {"study.json", "manifest.json", "summary.json", "figure.svg"} <= names
    rows = pl.read_csv(place / "won-by-strategy.csv")
    assert set(rows["variant"]) == {"base", "four-lives"}
    told = json.loads((place / "summary.json").read_text())
    assert told["played"] == [400] * 4
    assert told["differences"]["base"] == []
    assert len(told["measures"]["won by position"]) == 16


def test_json_is_the_summary(fairdeal, file, here):
    told = json.loads(fairdeal("run", "lives.toml", "-n", "50", "--json").stdout)
    [place] = (here / "results").iterdir()
    assert json.loads((place / "summary.json").read_text()) == told


def test_a_study_never_overwrites_another(fairdeal, file, here):
    assert fairdeal("run", "lives.toml", "-n", "50", "--out", "o").exit_code == 0
    before = (here / "o/study.json").read_bytes()
    refused = fairdeal("run", "lives.toml", "-n", "60", "--out", "o")
    assert refused.exit_code == 2
    assert "holds another run" in refused.stderr
    assert (here / "o/study.json").read_bytes() == before


def test_dry_run_writes_nothing(fairdeal, file, here):
    result = fairdeal("run", "lives.toml", "--dry-run", "-j", "1")
    assert result.exit_code == 0
    assert "games    12,000, 3,000 of each cell" in result.stdout
    assert re.search(r"time     about \d+ s with 1 process\n", result.stdout)
    assert re.search(r"disk     about \d+ KB", result.stdout)
    assert not (here / "results").exists()
    found = json.loads(
        fairdeal("run", "kunitame", "-n", "1000", "--dry-run", "--json").stdout
    )
    assert (found["games"], found["cells"]) == (1_000, 1)
    assert not (here / "results").exists()


def test_dry_run_tells_when_it_may_be_precise(fairdeal, here):
    words = ("run", "kunitame", "--precision", "0.5pp", "--dry-run")
    told = fairdeal(*words, "-n", "300000").stdout
    assert "games    300,000 at most" in told
    assert "until 'won by position' is known to 0.5pp" in told


def test_a_failing_cell_is_told_and_leaves_with_1(fairdeal, file, here):
    words = ("--lineup", "raises", "--add-strategy", "my.py:Raises")
    result = fairdeal("run", "lives.toml", "-n", "50", *words)
    assert result.exit_code == 1
    assert "2 of 2 cells failed. The first: " in result.stderr
    file.write_text(
        FILE.replace('"random"]', '"raises"]\nstrategies = ["my.py:Raises"]')
    )
    result = fairdeal("run", "lives.toml", "-n", "50")
    assert result.exit_code == 1
    assert "2 of 4 cells failed" in result.stderr
    assert "failed   cell 1 (base, raises, 4 players)" in result.stdout
    assert "won by strategy" in result.stdout
    fast = fairdeal("run", "lives.toml", "-n", "50", "--fail-fast")
    assert fast.exit_code == 1
    assert "no idea" in fast.stderr
    assert "won by strategy" not in fast.stdout


def test_measures_of_the_report_on_the_command_line(fairdeal):
    words = ("run", "kunitame", "-n", "300", "--lineup", "allround", "--seed", "1")
    result = fairdeal(*words, "--measure", "made in all", "--json")
    found = json.loads(result.stdout)["measures"]["made in all"]
    assert {"strategy", "target", "stake", "estimate", "low", "high"} <= set(found[0])
    told = fairdeal(*words, "--measure", "made in all").stdout
    assert told.count("made in all") == 1


def test_precision_on_the_command_line(fairdeal):
    words = ("run", "kunitame", "--seed", "1", "--precision", "1.2pp", "--json")
    found = json.loads(fairdeal(*words).stdout)
    assert 10_000 <= found["played"][0] < 100_000
    assert found["games"] == 1_000_000


MISTAKES = {
    "no file": (("run", "none.toml"), "study: there is no file none.toml"),
    "no game": (("run", "my.py"), "a class with CardGame as its base; there: none"),
    "games": (("run", "lives.toml", "-n", "0"), "at least 1"),
    "seed": (("run", "lives.toml", "--seed", "-1"), "seed: 0 to"),
    "jobs": (("run", "lives.toml", "-j", "0"), "-1 for all cores"),
    "players": (("run", "lives.toml", "--players", "3"), "seats 4, but players is 3"),
    "players, text": (("run", "lives.toml", "--players", "x"), "numbers, as in 3,4"),
    "precision": (("run", "kunitame", "--precision", "1%"), "Write 0.2pp"),
    "measure": (("run", "kunitame", "--measure", "stakin"), "did you mean 'staking'?"),
    "measure, study": (
        ("run", "lives.toml", "--measure", "won by set"),
        "did you mean 'won by seat'?",
    ),
    "tables": (("run", "lives.toml", "--tables", "trik"), "did you mean 'trick'?"),
    "tables, dry": (
        ("run", "kunitame", "--tables", "trik", "--dry-run"),
        "did you mean 'trick'?",
    ),
    "setting": (("run", "lives.toml", "--set", "lif=3"), "did you mean 'life'?"),
    "variant": (("run", "lives.toml", "--variant", "no.toml"), "no.toml"),
    "lineup": (("run", "lives.toml", "--lineup", "randm"), "did you mean 'random'?"),
    "backend": (("run", "lives.toml", "--backend", "dsk"), "did you mean 'dask'?"),
    "scheduler": (("run", "kunitame", "--scheduler", "tcp://x:1"), "--backend dask"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(fairdeal, file, here, mistake):
    words, expected = MISTAKES[mistake]
    result = fairdeal(*words)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert not (here / "results").exists()
