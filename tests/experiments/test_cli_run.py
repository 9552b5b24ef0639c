"""``run``: what it prints and keeps, and what stops it."""

import json
from pathlib import Path

import polars as pl
import pytest

from experiments.execution import run

RUN = ("run", "kunitame", "--seed", "5")


def test_tables_with_intervals(fairdeal):
    result = fairdeal(
        *RUN, "-n", "2000", "--lineup", "greedy,random,random,random", "--rotate"
    )
    assert result.exit_code == 0
    for words in (
        "Strategies",
        "Positions",
        "first dealer  ",
        "last  ",
        "How games end",
        " % (",
        "seed     5",
        "the base rules",
        "assumed  removed_pledge",
        "speed    2,000 games",
        "lineup   greedy,random,random,random, moved on",
    ):
        assert words in result.stdout


def test_results_lie_where_it_says(fairdeal, here):
    told = fairdeal(*RUN, "-n", "100").stdout
    [place] = (here / "results").iterdir()
    assert place.name.startswith("kunitame-run-")
    assert f"results  results/{place.name}" in told
    summary = json.loads((place / "summary.json").read_text())
    assert summary["seed"] == 5


def test_json(fairdeal):
    result = fairdeal(
        *RUN, "-n", "500", "--json", "--set", "life=4", "--players", "3,4", "--out", "o"
    )
    found = json.loads(result.stdout)
    assert found["players"] == [3, 4]
    assert found["differences"] == {"life": [3, 4]}
    assert found["rules"]["life"] == 4
    assert found["decisions"] > 0
    assert found["seconds"] > 0
    assert found["assumed"]
    row = found["tables"]["strategy"][0]
    assert row["won"]["low"] < row["won"]["estimate"] < row["won"]["high"]
    assert row["n"] == 1500
    for players in (3, 4):
        ends = [r for r in found["tables"]["decided"] if r["players"] == players]
        assert sum(row["games"] for row in ends) == 500


def test_a_seed_is_drawn_and_told(fairdeal):
    first, other = (
        json.loads(fairdeal("run", "kunitame", "-n", "10", "--json").stdout)["seed"]
        for _ in range(2)
    )
    assert first != other
    assert "(drawn)" in fairdeal("run", "kunitame", "-n", "10").stdout


def test_fixed_seats_are_remarked(fairdeal):
    words = (*RUN, "-n", "100", "--lineup", "greedy,random,random,random")
    words += ("--no-rotate",)
    assert "without --no-rotate each" in fairdeal(*words).stdout


def test_raw_tables(fairdeal, here):
    assert (
        fairdeal(*RUN, "-n", "50", "--tables", "trick,play", "--out", "o").exit_code
        == 0
    )
    tricks = pl.read_parquet(here / "o/tables/trick/*.parquet")
    assert tricks.height == 50 * 28
    assert fairdeal(*RUN, "-n", "50", "--tables", "all", "--out", "p").exit_code == 0
    assert (here / "p/tables/gem").is_dir()


def test_own_strategy_fills_the_seats(fairdeal):
    told = fairdeal(*RUN, "-n", "20", "--add-strategy", "my.py:Bold").stdout
    assert "lineup   bold,bold,bold,bold" in told
    words = ("--add-strategy", "my.py:Bold", "--lineup", "bold,random,random,Bold")
    assert (
        "lineup   bold,random,random,bold" in fairdeal(*RUN, "-n", "20", *words).stdout
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Illegal", "strategy 'illegal' answered 'play' with B1 in game 0"),
        (
            "Raises",
            "raised RuntimeError at 'claim', first asked in game 0",
        ),
        ("Shape", "answered 'claim' with shape (99,), not (100,) in game 0"),
        ("Whole", "answered 'claim' with int64, not an array of uint64"),
    ],
)
def test_strategies_that_fail(fairdeal, name, expected):
    result = fairdeal(*RUN, "-n", "100", "--add-strategy", f"my.py:{name}")
    assert result.exit_code == 1
    assert expected in result.stderr
    assert "Options: " in result.stderr or name == "Raises"
    assert "No block was finished yet" in result.stderr
    assert "--number 0 --seed 5" in result.stderr


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_finished_blocks_are_kept(fairdeal, here, jobs):
    result = fairdeal(
        *RUN, "-n", "4000", "--add-strategy", "my.py:Late", "--out", "o", "-j", jobs
    )
    assert result.exit_code == 1
    assert "raised RuntimeError" in result.stderr
    kept = len(list((here / "o/blocks").iterdir()))
    assert kept == 2 or (jobs == "2" and kept)
    assert f"{kept} finished block" in result.stderr


@pytest.mark.usefixtures("small_blocks")
def test_interrupted_and_gone_on_with(fairdeal, here, monkeypatch):
    real = run.play_block

    def stopped(cell, block, *rest):
        if block.first == 2_000:
            raise KeyboardInterrupt
        return real(cell, block, *rest)

    monkeypatch.setattr(run, "play_block", stopped)
    result = fairdeal("run", "kunitame", "-n", "4000", "-j", "1")
    assert result.exit_code == 130
    assert "error: interrupted." in result.stderr
    assert "2 finished blocks are kept in results/kunitame-run-" in result.stderr
    again = result.stderr.splitlines()[-1].removeprefix("To resume: fairdeal ").split()
    assert "--seed" in again
    played = []

    def counted(cell, block, *rest):
        played.append(block.first)
        return real(cell, block, *rest)

    monkeypatch.setattr(run, "play_block", counted)
    gone_on = json.loads(fairdeal(*again, "--json").stdout)
    assert played == [2_000, 3_000]
    place = Path(again[again.index("--out") + 1])
    assert list((here / "results").iterdir()) == [here / place]
    whole = fairdeal(
        "run", "kunitame", "-n", "4000", "--seed", str(gone_on["seed"]), "--json"
    )
    assert json.loads(whole.stdout)["tables"] == gone_on["tables"]


def test_another_run_is_not_overwritten(fairdeal):
    assert fairdeal(*RUN, "-n", "100", "--out", "o").exit_code == 0
    refused = fairdeal(*RUN, "-n", "200", "--out", "o")
    assert refused.exit_code == 2
    assert "holds another run" in refused.stderr


def test_what_was_chosen_can_be_asked_for(fairdeal):
    words = ["run", "kunitame", "-n", "20", "--seed", "1"]
    for name in ("option taken", "decisions with a choice"):
        result = fairdeal(*words, "--measure", name)
        assert result.exit_code == 0, result.stderr
        assert f"\n{name} " in result.stdout
