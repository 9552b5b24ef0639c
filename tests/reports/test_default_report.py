"""A game that declares no report is reported, studied and compared nevertheless."""

import json
from dataclasses import replace

import polars as pl
import pytest

from experiments.analysis import balance_report
from experiments.analysis.compare import compare
from experiments.core.cells import Cell
from experiments.core.measures import _report_of, measures_of
from experiments.execution.failures import RunFailed
from experiments.execution.run import run
from experiments.studies.run_study import plan, run_study
from experiments.studies.study import parse
from reports import default_report, report_files
from reports.report_document import FigureFailed, Finding
from tests.reports.coins import GAME, coins
from tests.reports.toys import registered

__all__ = ["coins"]
ROUNDS, PLAYERS = 5, 4


def cell(game, **rules):
    return Cell("coins", game.rules.of(rules), PLAYERS, ("random",) * PLAYERS, seed=3)


def test_what_is_measured(coins):
    names = measures_of("coins")
    assert names["decided"].kind == "share of games"
    assert {"decisions", "points by quarter", "won by rank"} <= set(names)
    found = run([cell(coins)], 200, detailed=True)
    length = found.estimates("decisions").row(0, named=True)
    assert (length["estimate"], length["low"]) == (ROUNDS * PLAYERS,) * 2
    spread = found.estimates("games by decisions").row(0, named=True)
    assert (spread["length"], spread["estimate"]) == (ROUNDS * PLAYERS, 1)
    ends = found.estimates("decided")
    assert ends["estimate"].sum() == pytest.approx(1)
    assert (ends["high"] - ends["low"]).min() > 0.05  # never 1.0 [1.0, 1.0]


def test_who_is_ahead_when_is_counted_as_the_notes_tell(coins, tmp_path):
    tables = ["round", "result"]
    found = run([cell(coins)], 50, detailed=True, tables=tables, out=tmp_path / "run")
    rounds = found.raw("round").sort("game", "seat", maintain_order=True)
    told = rounds["points"].to_numpy().reshape(50, PLAYERS, ROUNDS)
    means = found.estimates("points by quarter").sort("quarter")["estimate"].to_list()
    # five rounds: a quarter ends with round 1, 2, 3 and 5
    assert means == pytest.approx(told[:, :, [0, 1, 2, 4]].mean(axis=(0, 1)).tolist())
    winner = found.raw("result").filter(seat=0).sort("game")["winner"].to_numpy()
    first = told[:, :, 1]
    leads = [
        (game, seat)
        for game in range(50)
        for seat in range(PLAYERS)
        if first[game, seat] == first[game].max()
    ]
    won = sum(int(winner[game]) == seat for game, seat in leads)
    row = found.estimates("won by rank").filter(quarter=2, rank=1)
    assert row.select("y", "x").row(0) == (won, len(leads))


def test_a_report(coins, tmp_path, monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    balance_report.report(
        "coins", sections=["all"], games=40, search_games=0, seed=1, out=tmp_path
    )
    told = json.loads((tmp_path / "report.json").read_text())
    assert told["title"] == "Coins: balance report"
    assert [section["id"] for section in told["sections"]] == [
        "seats",
        "strategies",
        "course",
        "endings",
        "length",
        "taken",
        "robust",
        "watch",
    ]
    tables = ("taken", "watch")  # which back up what is told elsewhere
    found = [one for one in told["sections"] if one["id"] not in tables]
    assert all(section["exhibits"] for section in found)
    decisions = pl.read_parquet(tmp_path / "tables" / "length-mean.parquet")
    assert decisions.filter(players=4)["estimate"].item() == 20
    names = {row[0] for row in told["glossary"]}
    assert {*measures_of("coins"), "quarter"} <= names


def test_what_fails_in_a_section_is_told_there_and_all_else_is_written(
    coins, tmp_path, monkeypatch
):
    """No table is lost that another section made, nor what came before the error."""

    def length(data):
        yield Finding("Ten decisions.", "")
        raise ZeroDivisionError("seven by nothing")

    def endings(*_):
        def fails(data):
            raise KeyError("by")

        return fails

    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    how = {"games": 40, "search_games": 0, "seed": 1}
    whole = balance_report.report(
        "coins", sections=["all"], out=tmp_path / "whole", **how
    )
    monkeypatch.setattr(default_report, "_LENGTH_TABLES", (length,))
    monkeypatch.setattr(default_report.course, "ways_decided", endings)
    _report_of.cache_clear()
    with pytest.raises(RunFailed, match="is written, but incomplete") as bad:
        balance_report.report("coins", sections=["all"], out=tmp_path / "broken", **how)
    _report_of.cache_clear()
    said = str(bad.value)
    assert "'How games end' and 'Length of the game'" in said
    assert "(KeyError: " in said
    assert isinstance(bad.value.__cause__, KeyError)
    text = (tmp_path / "broken" / "report.md").read_text()
    for words in ("Ten decisions.", "ZeroDivisionError: seven by nothing", "KeyError"):
        assert words in text
    made = {
        out: {one.name for one in (tmp_path / out / "tables").glob("*.csv")}
        for out in ("whole", "broken")
    }
    lost = made["whole"] - made["broken"]
    assert lost == {
        *(f"length-{name}.csv" for name in ("mean", "kinds", "spread")),
        "endings-decided.csv",
    }
    cards = [
        json.loads((tmp_path / out / "scorecard.json").read_text()) for out in made
    ]
    values = [[one["value"] for one in card["scorecard"]] for card in cards]
    assert values[0] == values[1]
    assert whole.page.exists()


def test_a_study_and_a_comparison(coins):
    asked = {
        "game": "coins",
        "seed": 1,
        "games": 100,
        "players": [PLAYERS],
        "lineups": ["random"],
        "measures": ["decisions"],
    }
    done = run_study(plan(parse(asked), 1))
    assert done.results.estimates("decisions")["estimate"].item() == ROUNDS * PLAYERS
    found = compare([cell(coins)], [cell(coins, rounds=6)], 200)
    row = found.rows.filter(pl.col("measure") == "decisions").row(0, named=True)
    assert row["difference"] == PLAYERS


def test_a_game_without_numbers_on_the_way_has_no_course(monkeypatch):
    registered(monkeypatch, replace(GAME, standing=None), "no standing")
    _report_of.cache_clear()
    assert "won by rank" not in measures_of("coins")
    _report_of.cache_clear()


def test_a_figure_that_fails_is_named_and_all_else_is_written(
    coins, tmp_path, monkeypatch
):
    def fails(figure, name, png):
        if name == "length-mean":
            raise ZeroDivisionError("no width")
        return {}

    monkeypatch.setattr(report_files, "pictures", fails)
    words = r"report\.html is written, but without the figures length-mean \(Zero"
    with pytest.raises(FigureFailed, match=words):
        balance_report.report(
            "coins", sections=["all"], games=40, search_games=0, seed=1, out=tmp_path
        )
    assert (tmp_path / "tables" / "length-mean.csv").exists()
    assert "Decisions in a game" in (tmp_path / "details.html").read_text()
