"""Running studies: the same results however, failing cells, dry runs, the command."""

import json
import re
import tomllib

import polars as pl
import pytest

from experiments import recorded, studies
from experiments.calibration import estimate
from experiments.cells import UsageError
from experiments.plans import plan
from experiments.study import parse
from reports.sequential import Stop

FILE = """
question = "Do four lives change who wins?"
game = "kunitame"
lineups = ["greedy,random,random,random", "random"]
games = 3_000
seed = 5
detailed = false

[variants]
base = {}
four-lives = { rules = { life = 4 } }
"""
STRATEGY = """
from strategies.base import Strategy


class Broken(Strategy):
    \"\"\"Has no idea.\"\"\"

    name = "broken"

    def play(self, view):
        raise RuntimeError("no idea")
"""


@pytest.fixture
def file(here):
    (here / "lives.toml").write_text(FILE)
    (here / "broken.py").write_text(STRATEGY)
    return here / "lives.toml"


def study(**values):
    return parse({**tomllib.loads(FILE), **values})


def test_what_was_planned_is_what_was_found(tmp_path):
    done = studies.run(study(), out=tmp_path / "o")
    assert done.results.played == (3_000,) * 4
    assert recorded.read(tmp_path / "o") == done.plan
    told = json.loads((tmp_path / "o/study.json").read_text())
    assert told["question"] == "Do four lives change who wins?"
    assert [cell["rules"]["life"] for cell in told["cells"]] == [3, 3, 4, 4]
    manifest = json.loads((tmp_path / "o/manifest.json").read_text())
    assert manifest["finished"]
    assert manifest["seconds"] > 0
    assert {"python", "cores"} <= set(manifest["machine"])


@pytest.mark.usefixtures("small_blocks")
def test_jobs_change_no_bit():
    found = [studies.run(study(), jobs=jobs).results.sums for jobs in (1, 2, 3)]
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])


def test_a_plan_survives_being_written(tmp_path):
    vary = {"rules.life": {"from": 2, "to": 4}, "rules.trick_take": ["must", "may"]}
    made = plan(
        study(
            design={"kind": "sobol", "samples": 8, "vary": vary}, precision="1pp",
            targets={"seats": {"measure": "won by seat", "gap": 0.02}},
        )
    )  # fmt: skip
    recorded.write(tmp_path, made)
    again = recorded.read(tmp_path)
    assert again == made
    assert (again.points.units == made.points.units).all()
    (tmp_path / "study.json").write_text("{")
    with pytest.raises(UsageError, match=r"study.json is damaged"):
        recorded.read(tmp_path)
    with pytest.raises(UsageError, match="holds no study"):
        recorded.read(tmp_path / "none")


def test_a_failing_cell_does_not_take_the_others_with_it(file):
    made = study(
        lineups=["broken", "random"], strategies=[f"{file.parent}/broken.py:Broken"]
    )
    done = studies.run(made)
    assert done.results.played == (0, 3_000, 0, 3_000)
    assert set(done.results.failures) == {0, 2}
    assert "RuntimeError" in done.results.failures[0]
    alone = studies.run(study(lineups=["random"])).results.sums
    rest = done.results.sums.with_columns(pl.col("cell") // 2)
    assert rest.select(alone.columns).equals(alone)
    with pytest.raises(Exception, match="no idea"):
        studies.run(made, fail_fast=True)


def test_precision_stops_cells_and_widens_their_intervals():
    made = plan(study(games=60_000, precision="1.2pp", lineups=["random"]))
    stop = studies.stop_of(made)
    assert isinstance(stop, Stop)
    assert (stop.measure, stop.half_width, stop.kind) == ("won by seat", 0.012, "rate")
    done = studies.run(made)
    assert all(10_000 <= games < 60_000 for games in done.results.played)
    found = done.results.estimates("won by seat", "rate")
    assert ((found["high"] - found["low"]) / 2).max() <= 0.012


def test_points_of_a_share_are_for_shares():
    made = plan(study(precision="1pp", measures=["points by seat"]))
    with pytest.raises(UsageError, match="1pp is for shares, and 'points by seat'"):
        studies.stop_of(made)


def test_a_dry_run_foresees_games_and_disk(tmp_path):
    made = plan(study(games=20_000, tables=["result"]))
    found = estimate(made)
    done = studies.run(made, out=tmp_path / "o")
    there = sum(f.stat().st_size for f in (tmp_path / "o").rglob("*") if f.is_file())
    assert found.games == sum(done.results.played) == 80_000
    assert (found.cells, found.tried, found.jobs) == (4, 4, 1)
    assert found.bytes == pytest.approx(there, rel=0.3)
    assert 0 < found.seconds < 600


def test_a_dry_run_foresees_when_it_will_be_precise():
    made = plan(study(games=200_000, precision="0.8pp", lineups=["random"]))
    found = estimate(made)
    done = studies.run(made)
    assert found.games == 400_000
    assert found.expected == pytest.approx(sum(done.results.played), rel=0.4)


def test_the_command_plays_a_study(fairdeal, file, here):
    result = fairdeal("run", "lives.toml", "-n", "400")
    assert result.exit_code == 0
    [place] = (here / "results").iterdir()
    assert place.name.startswith("kunitame-lives-")
    for words in (
        "Do four lives change who wins?", "four-lives: Life gems of a player",
        "won by seat", "won by strategy", " % (", "seed     5",
        "assumed  removed_pledge",
        "cells    4, 400 games of each, all on the same deals",
        "--games 400 beats games = 3000 of lives.toml", f"results/{place.name}",
    ):  # fmt: skip
        assert words in result.stdout
    names = {path.name for path in place.iterdir()}
    assert {"study.json", "manifest.json", "summary.json", "figure.svg"} <= names
    rows = pl.read_csv(place / "won-by-strategy.csv")
    assert set(rows["variant"]) == {"base", "four-lives"}
    told = json.loads((place / "summary.json").read_text())
    assert told["played"] == [400] * 4
    assert told["differences"]["base"] == []
    assert len(told["measures"]["won by seat"]) == 16


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
    result = fairdeal("run", "lives.toml", "--dry-run")
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
    assert "until 'won by seat' is known to 0.5pp" in told


def test_a_failing_cell_is_told_and_leaves_with_1(fairdeal, file, here):
    words = ("--lineup", "broken", "--strategy", "broken.py:Broken")
    result = fairdeal("run", "lives.toml", "-n", "50", *words)
    assert result.exit_code == 1
    assert "2 of 2 cells failed. The first: " in result.stderr
    file.write_text(
        FILE.replace('"random"]', '"broken"]\nstrategies = ["broken.py:Broken"]')
    )
    result = fairdeal("run", "lives.toml", "-n", "50")
    assert result.exit_code == 1
    assert "2 of 4 cells failed" in result.stderr
    assert "failed   cell 1 (base, broken, 4 players)" in result.stdout
    assert "won by strategy" in result.stdout
    fast = fairdeal("run", "lives.toml", "-n", "50", "--fail-fast")
    assert fast.exit_code == 1
    assert "no idea" in fast.stderr
    assert "won by strategy" not in fast.stdout


def test_measures_of_the_report_on_the_command_line(fairdeal):
    words = ("run", "kunitame", "-n", "300", "--lineup", "balanced", "--seed", "1")
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
    "not toml": (("run", "my.py"), "not TOML"),
    "games": (("run", "lives.toml", "-n", "0"), "at least 1"),
    "seed": (("run", "lives.toml", "--seed", "-1"), "--seed: 0 to"),
    "jobs": (("run", "lives.toml", "-j", "0"), "-1 for all cores"),
    "players": (("run", "lives.toml", "--players", "3"), "seats 4, but players is 3"),
    "players, text": (("run", "lives.toml", "--players", "x"), "numbers, as in 3,4"),
    "precision": (("run", "kunitame", "--precision", "1%"), "Write 0.2pp"),
    "measure": (("run", "kunitame", "--measure", "mad"), "did you mean 'made'?"),
    "measure, study": (
        ("run", "lives.toml", "--measure", "won by set"), "did you mean 'won by seat'?",
    ),
    "tables": (("run", "lives.toml", "--tables", "trik"), "did you mean 'trick'?"),
    "setting": (("run", "lives.toml", "--set", "lif=3"), "did you mean 'life'?"),
    "variant": (("run", "lives.toml", "--variant", "no.toml"), "no.toml"),
    "lineup": (("run", "lives.toml", "--lineup", "randm"), "did you mean 'random'?"),
    "backend": (("run", "lives.toml", "--backend", "dsk"), "did you mean 'dask'?"),
    "scheduler": (("run", "kunitame", "--scheduler", "tcp://x:1"), "--backend dask"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake(fairdeal, file, here, mistake):
    words, expected = MISTAKES[mistake]
    result = fairdeal(*words)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert not (here / "results").exists()


def test_what_is_done_first_is_done_once_and_found_is_passed_on(tmp_path):
    class Shown:
        """A progress that is told what was found."""

        def __init__(self):
            self.calls = []

        def __call__(self, done, total):
            self.calls.append(done)
            assert (tmp_path / "o/study.json").exists()

        def found(self, cell, sums, games):
            self.calls.append(cell.rules.life)

    shown = Shown()
    studies.run(study(games=100), out=tmp_path / "o", progress=shown)
    assert shown.calls[0] == 0
    assert {3, 4, 400} <= set(shown.calls)
