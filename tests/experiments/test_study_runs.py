"""Running studies: the same results however, failing cells, precision, dry runs."""

import json

import polars as pl
import pytest

from experiments.core import blocks
from experiments.core.cells import UsageError
from experiments.execution import manifests
from experiments.execution.run_directory import open_directory
from experiments.studies import cost_estimate, plan_files, run_study
from experiments.studies.cost_estimate import estimate_cost
from experiments.studies.plans import plan
from reports.statistics.sequential import PrecisionStop
from tests.experiments.lives import study


def test_what_was_planned_is_what_was_found(tmp_path):
    done = run_study.run_study(study(), out=tmp_path / "o")
    assert done.results.played == (3_000,) * 4
    assert plan_files.read_plan(tmp_path / "o", playable=True) == done.plan
    told = json.loads((tmp_path / "o/study.json").read_text())
    assert told["question"] == "Do four lives change who wins?"
    manifest = json.loads((tmp_path / "o/manifest.json").read_text())
    assert [cell["rules"]["life"] for cell in manifest["cells"]] == [3, 3, 4, 4]
    assert manifest["finished"]
    assert manifest["seconds"] > 0
    assert {"python", "cores"} <= set(manifest["machine"])


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.slow
def test_jobs_change_no_bit():
    found = [run_study.run_study(study(), jobs=jobs).results.sums for jobs in (1, 2, 3)]
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])


def test_a_plan_survives_being_written(tmp_path):
    vary = {"rules.life": {"from": 2, "to": 4}, "rules.trick_take": ["must", "may"]}
    made = plan(
        study(
            design={"kind": "sobol", "samples": 8, "vary": vary},
            precision="1pp",
            targets={"seats": {"measure": "won by position", "gap": 0.02}},
        )
    )
    with open_directory(
        tmp_path, manifests.describe_run(made.cells, [10], 10, False, ())
    ):
        plan_files.write_plan(tmp_path, made)
    again = plan_files.read_plan(tmp_path, playable=True)
    assert again == made
    assert (again.points.units == made.points.units).all()
    (tmp_path / "study.json").write_text("{")
    with pytest.raises(UsageError, match=r"study.json is damaged"):
        plan_files.read_plan(tmp_path)
    with pytest.raises(UsageError, match="holds no study"):
        plan_files.read_plan(tmp_path / "none")


def test_a_failing_cell_does_not_take_the_others_with_it(here):
    made = study(lineups=["raises", "random"], strategies=[f"{here}/my.py:Raises"])
    done = run_study.run_study(made)
    assert done.results.played == (0, 3_000, 0, 3_000)
    assert set(done.results.failures) == {0, 2}
    assert "RuntimeError" in done.results.failures[0]
    alone = run_study.run_study(study(lineups=["random"])).results.sums
    rest = done.results.sums.with_columns(pl.col("cell") // 2)
    assert rest.select(alone.columns).equals(alone)
    with pytest.raises(Exception, match="no idea"):
        run_study.run_study(made, fail_fast=True)


def test_precision_stops_cells_and_widens_their_intervals():
    made = plan(study(games=60_000, precision="1.2pp", lineups=["random"]))
    stop = run_study.stopping_rule(made)
    assert isinstance(stop, PrecisionStop)
    assert (stop.measure, stop.half_width) == ("won by position", 0.012)
    assert stop.kind == "share"
    done = run_study.run_study(made)
    assert all(10_000 <= games < 60_000 for games in done.results.played)
    found = done.results.estimates("won by position", "share")
    assert ((found["high"] - found["low"]) / 2).max() <= 0.012


def test_points_of_a_share_are_for_shares():
    made = plan(study(precision="1pp", measures=["points by seat"]))
    with pytest.raises(UsageError, match="1pp is for shares, and 'points by seat'"):
        run_study.stopping_rule(made)


def test_a_dry_run_foresees_games_and_disk(tmp_path):
    made = plan(study(games=20_000, tables=["result"]))
    found = estimate_cost(made)
    done = run_study.run_study(made, out=tmp_path / "o")
    there = sum(f.stat().st_size for f in (tmp_path / "o").rglob("*") if f.is_file())
    assert found.games == sum(done.results.played) == 80_000
    assert (found.cells, found.tried, found.jobs) == (4, 4, 1)
    assert found.bytes == pytest.approx(there, rel=0.3)
    assert 0 < found.seconds < 600


def test_a_dry_run_of_searchers_plays_few_games(monkeypatch):
    played = []

    def counted(cell, block, *how):
        played.append(block.count)
        return blocks.play_block(cell, block, *how)

    monkeypatch.setattr(cost_estimate, "play_block", counted)
    lineups = [["search:samples=4", "random", "random"]]
    found = estimate_cost(plan(study(games=1_000, lineups=lineups, players=3)))
    assert sum(played) <= found.tried * 160 + 32
    assert (found.games, found.tried) == (2_000, 2)
    assert found.blocks == 8


def test_a_dry_run_foresees_when_it_will_be_precise():
    made = plan(study(games=200_000, precision="0.8pp", lineups=["random"]))
    found = estimate_cost(made)
    done = run_study.run_study(made)
    assert found.games == 400_000
    assert found.expected == pytest.approx(sum(done.results.played), rel=0.4)


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
    run_study.run_study(study(games=100), out=tmp_path / "o", progress=shown)
    assert shown.calls[0] == 0
    assert {3, 4, 400} <= set(shown.calls)
