"""Run directories: listed in any state, shown, compared, and gone on with."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from experiments.analysis.compare import compare, compare_runs
from experiments.analysis.run_diff import diff_runs
from experiments.core.cells import UsageError
from experiments.execution.checksummed_json import seal, unseal
from experiments.execution.results import load
from experiments.execution.run_status import inspect_run
from experiments.studies import plan_files, run_catalog, run_study
from reports import report_files
from tests.experiments.lives import FILE, small


def test_resumed_is_the_same_as_never_stopped(stopped, tmp_path):
    assert inspect_run(stopped).status == "unfinished"
    told = []
    done = run_catalog.resume_study(stopped, progress=lambda *now: told.append(now))
    assert told[0] == (2_000, 5_000)
    assert inspect_run(stopped).status == "finished"
    again = run_study.run_study(small(), out=tmp_path / "again")
    assert done.results.sums.equals(again.results.sums)
    one, other = (p / "sums.parquet" for p in (stopped, tmp_path / "again"))
    assert one.read_bytes() == other.read_bytes()


def test_a_finished_run_is_read_not_played(whole):
    told = []
    done = run_catalog.resume_study(
        whole.results.directory, progress=lambda *now: told.append(now)
    )
    assert told == []
    assert done.results.sums.equals(whole.results.sums)
    assert done.plan == plan_files.read_plan(whole.results.directory)
    again = plan_files.read_plan(whole.results.directory, playable=True)
    assert again == whole.plan


def test_what_is_finished_can_be_looked_at(stopped):
    done = run_catalog.load_study(stopped)
    assert sum(done.results.played) == 2_000
    assert done.plan.question == "Do four lives change who wins?"


def test_runs_are_listed_in_any_state(stopped, tmp_path):
    folder = stopped.parent
    run_study.run_study(small(), out=folder / "newer")
    os.utime(folder / "newer/manifest.json", (time.time() + 5,) * 2)
    (folder / "broken").mkdir()
    (folder / "broken/manifest.json").write_text("{")
    (folder / "pictures").mkdir()
    (folder / "notes.txt").write_text("mine")
    found = {run.path.name: run for run in run_catalog.list_runs(folder)}
    assert next(iter(found)) == "newer"
    assert {name: run.state.status for name, run in found.items()} == {
        "newer": "finished",
        "stopped": "unfinished",
        "broken": "damaged",
    }
    assert found["stopped"].blocks == "2 of 6"
    assert (found["newer"].game, found["newer"].cells) == ("kunitame", 2)
    assert found["broken"].cells == 0
    assert run_catalog.list_runs(tmp_path / "none") == []


def test_the_same_run_twice_differs_in_nothing(whole, tmp_path):
    other = run_study.run_study(small(), out=tmp_path / "other", jobs=2)
    found = diff_runs(whole.results.directory, other.results.directory)
    assert found.same
    assert (found.about, found.rules) == ([], {})
    assert found.results == "the same, bit for bit"


def test_differences_are_told_in_words(whole, tmp_path):
    variants = {"base": {}, "five": {"rules": {"life": 5}}}
    run_study.run_study(small(variants=variants, seed=6), out=tmp_path / "o")
    found = diff_runs(whole.results.directory, tmp_path / "o")
    assert not found.same
    assert ("seed, cell 0 (random, 4 players)", "5", "6") in found.about
    [told] = found.rules["cell 1 (random, 4 players)"]
    assert "5 gems instead of 4" in told
    count = whole.results.sums.height
    assert found.results.endswith(f" of {count:,} sums differ")
    assert "another seed" in found.pairing
    assert "not paired" in found.pairing
    told = compare_runs(whole.results, load(tmp_path / "o")).rows
    same = told.filter(pl.col("difference") != 0)
    columns = ["cell", "measure", "group", "one", "other", "difference", "low", "high"]
    found_rows, rows = (some.select(columns) for some in (found.numbers, same))
    assert found_rows.height > 10
    assert_frame_equal(found_rows, rows, check_row_order=False)
    run_study.run_study(small(games=500, precision="5pp"), out=tmp_path / "p")
    fewer = diff_runs(whole.results.directory, tmp_path / "p")
    assert ("games of each cell", "2500", "500") in fewer.about
    assert ("when to stop", "none", "won by position known to 0.05") in fewer.about
    assert fewer.results == "of different games: 5,000 and 1,000 count"


def test_numbers_of_the_same_deals_are_paired(whole, tmp_path, fairdeal):
    one = whole.results
    variants = {"base": {}, "five": {"rules": {"life": 5}}}
    done = run_study.run_study(small(variants=variants), out=tmp_path / "o")
    other = done.results
    found = diff_runs(one.directory, tmp_path / "o").numbers
    assert set(found["cell"]) == {1}  # the base is as it was
    sides = ([plan.cells[1]] for plan in (whole.plan, done.plan))
    played = compare(*sides, 2_500, detailed=False).rows
    both = found.join(played, on=["measure", "group"], suffix=" played")
    assert both.height == found.height > 10
    for end in ("low", "high"):
        assert both[end].to_list() == both[f"{end} played"].to_list()
    for cell, measure, group, before, after, difference in found.select(
        "cell", "measure", "group", "one", "other", "difference"
    ).rows():
        if measure == "won by position":
            at = pl.format("position {}", "position") == group
            here, there = (
                run.estimates(measure).filter(pl.col("cell") == cell, at)["estimate"][0]
                for run in (one, other)
            )
            assert (before, after) == (here, there)
            assert difference == pytest.approx(there - here)
    words = ["runs", "diff", str(one.directory), str(tmp_path / "o")]
    told = fairdeal(*words).stdout
    assert "The numbers that differ most, of " in told
    assert "\nCell 1: the other run: " in told  # in the sentences of compare
    assert "same deals on both sides: the intervals are paired" in " ".join(
        told.split()
    )
    first = json.loads(fairdeal(*words, "--json").stdout)["numbers"][0]
    assert first == found.row(0, named=True)


def test_what_is_no_run(tmp_path, whole):
    with pytest.raises(UsageError, match="there is no directory"):
        run_catalog.run_at(tmp_path / "none")
    with pytest.raises(UsageError, match="holds no run of fairdeal"):
        run_catalog.run_at(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(UsageError, match=r"manifest.json is damaged"):
        diff_runs(whole.results.directory, tmp_path)
    with pytest.raises(UsageError, match="is damaged"):
        run_catalog.resume_study(tmp_path)


def test_a_run_without_its_study_cannot_be_gone_on_with(stopped):
    (stopped / "study.json").unlink()
    with pytest.raises(UsageError, match="holds no study of fairdeal"):
        run_catalog.resume_study(stopped)
    with pytest.raises(UsageError, match="does not say how it was started"):
        run_catalog.remembered_command(stopped)
    (stopped / "command.json").write_text("[")
    with pytest.raises(UsageError, match=r"command.json is damaged"):
        run_catalog.remembered_command(stopped)


def _killed(words: list[str], place: Path) -> None:
    """Start the command, and kill it with SIGKILL when a block is finished."""
    with subprocess.Popen(
        [sys.executable, "-m", "experiments.commands.cli", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        for _ in range(1_200):
            if any(place.glob("blocks/*.parquet")):
                break
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["game", pytest.param("study", marks=pytest.mark.slow)]
)
def test_killed_and_resumed_by_the_command(fairdeal, here, kind):
    (here / "lives.toml").write_text(FILE)
    first = "lives.toml" if kind == "study" else "kunitame"
    more = ["-n", "140000", "--lineup", "allround", "--seed", "5"]
    words = ["run", first, *more, "--out", "results/mine"]
    _killed(words, here / "results/mine")
    assert inspect_run(here / "results/mine").status == "unfinished"
    assert (here / "results/mine/study.json").exists()
    if kind == "study":
        (here / "lives.toml").write_text("changed since")
    result = fairdeal("runs", "resume", "mine", "-j", "2")
    assert result.exit_code == 0, result.output
    assert "140,000 games" in result.stdout
    if kind == "study":
        (here / "lives.toml").write_text(FILE)
    assert fairdeal(*words[:-1], "whole").exit_code == 0
    one, other = (here / p / "sums.parquet" for p in ("results/mine", "whole"))
    assert one.read_bytes() == other.read_bytes()
    assert "same, bit for bit" in fairdeal("runs", "diff", "mine", "whole").stdout


def test_a_run_is_gone_on_with_as_it_was_started_or_as_it_is_said(fairdeal, here):
    words = ("run", "kunitame", "-n", "50", "--out", "results/mine", "--json")
    assert fairdeal(*words).exit_code == 0
    before = (here / "results/mine/command.json").read_bytes()
    told = unseal(here / "results/mine/command.json", "command")
    assert told["command"][:5] == list(words[:5])
    refused = fairdeal("runs", "resume", "mine", "--scheduler", "tcp://x:1")
    assert refused.exit_code == 2
    assert "--backend dask" in refused.stderr
    shown = fairdeal("runs", "show", "mine").stdout
    assert "state    finished, 1 block finished" in shown
    assert "command  fairdeal run kunitame -n 50 --out results/mine" in shown
    again = fairdeal("runs", "resume", "mine", "--backend", "loky", "--fail-fast")
    assert json.loads(again.stdout)["games"] == 50
    assert (here / "results/mine/command.json").read_bytes() == before
    told["command"] += ["--backend", "dsk"]
    (here / "results/mine/command.json").write_bytes(seal("command", told))
    assert fairdeal("runs", "resume", "mine").exit_code == 2
    assert fairdeal("runs", "resume", "mine", "--backend", "loky").exit_code == 0


def test_commands(fairdeal, here, whole):
    place = str(whole.results.directory)
    folder = str(Path(place).parent)
    assert "Do four lives change" in fairdeal("runs", "list", folder).stdout
    told = json.loads(fairdeal("runs", "list", folder, "--json").stdout)
    assert [run["state"] for run in told["runs"]] == ["finished"]
    shown = fairdeal("runs", "show", place).stdout
    for words in (
        "state    finished",
        "machine  python",
        "won by position",
        "four-lives",
    ):
        assert words in shown
    found = json.loads(fairdeal("runs", "show", place, "--json").stdout)
    assert found["found"]["played"] == [2_500, 2_500]
    same = json.loads(fairdeal("runs", "diff", place, place, "--json").stdout)
    assert same["same"]
    assert "No runs in results." in fairdeal("runs", "list").stdout


@pytest.mark.parametrize("command", ["list", "show", "diff", "resume"])
def test_help_shows_an_example(fairdeal, command):
    told = fairdeal("runs", command, "--help").stdout
    assert f"Example:\n    fairdeal runs {command}" in told


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("show", "none"), "there is no run 'none'"),
        (("show", "."), "holds no run of fairdeal"),
        (("resume", "."), "holds no run of fairdeal"),
        (("diff", "a", "b"), "there is no run 'a'"),
        (("resume", ".", "-j", "0"), "-1 for all cores"),
    ],
)
def test_mistakes(fairdeal, words, expected):
    result = fairdeal("runs", *words)
    assert result.exit_code == 2
    assert expected in result.stderr


@pytest.mark.slow
def test_a_report_can_be_gone_on_with(fairdeal, here, monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    words = ("report", "kunitame", "-n", "300", "--players", "3", "--lineup", "random")
    assert fairdeal(*words, "--out", "results/page").exit_code == 0
    manifest = here / "results/page/manifest.json"
    told = unseal(manifest, "manifest")
    for key in ("finished", "played", "failures"):
        del told[key]
    manifest.write_bytes(seal("manifest", told))
    (here / "results/page/sums.parquet").unlink()
    result = fairdeal("runs", "resume", "page")
    assert result.exit_code == 0, result.output
    assert "report   results/page" in result.stdout
    assert inspect_run(here / "results/page").status == "finished"
    with pytest.raises(UsageError):
        plan_files.read_plan(here / "results/page")
    (here / "results/page/report.html").unlink()
    (here / "results/page/report.html").mkdir()
    failed = fairdeal("runs", "resume", "page")
    assert failed.exit_code == 1
    assert "cannot write to results/page: Is a directory" in failed.stderr
