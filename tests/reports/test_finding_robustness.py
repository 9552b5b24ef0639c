"""Does a finding hold for stronger players? Told right where it is planted."""

import json

import polars as pl
import pytest

from experiments.analysis import balance_report, report_runs
from experiments.analysis.leader import Leader
from experiments.core.cells import Cell
from experiments.core.measures import measures_of
from experiments.execution.run import run
from reports import report_files
from reports.finding_robustness import Robustness
from reports.report_data import CELL, ReportData
from reports.scorecard.strategy_lines import skill
from sim.games import load
from tests.reports.planted import dice

__all__ = ["dice"]
GAMES, SEARCHED = 32_768, 8_000


@pytest.fixture
def reported(dice, tmp_path, monkeypatch):
    """A report of the toy game: its findings, and the table of ways to play."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})

    def report(jobs=1, out=tmp_path, **rules):
        done = balance_report.report(
            "dice",
            games=GAMES,
            search_games=SEARCHED,
            seed=3,
            lead=Leader("allround"),
            rules=dice.rules.of(rules),
            jobs=jobs,
            out=out,
        )
        table = pl.read_parquet(out / "tables" / "robust-findings.parquet")
        return done, table

    return report


@pytest.mark.slow
def test_what_only_weak_players_do_is_told_as_such(reported):
    done, table = reported(gift=12)
    by = dict(table.select("way", "holds").rows())
    assert by == {
        "search:samples=4": "differs",
        "allround": "agrees",
        "humble": "agrees",
        "noisy(allround, 0.1)": "agrees",
        "bold": "differs",
        "random": "excluded",
    }
    told, found = counts_of(done, table)
    assert told == found == {"agree": 3, "differ": 2, "unsettled": 0}
    line = done.verdict.table.filter(line="positions").row(0, named=True)
    assert line["stronger"] == "differ"  # so all that holds for them comes first
    *_, last = done.verdict.sentences
    assert last.line == "positions"
    assert ", but only among weaker players, as with players who search" in last.text
    assert line["instead"].startswith("the last player wins")
    first = done.findings[0]
    assert first.startswith("Not true of players who search (search:samples=4: first ")
    assert "Shown only if all play like allround, humble and noisy" in first
    assert "(3 of 5 ways to play): With 2 players the position" in first
    [searcher] = [text for text in done.findings if text.startswith("Stronger play")]
    assert "search:samples=4 is the stronger play" in searcher


def counts_of(done, table):
    """How many ways agree, differ or are open: of page one, and of the findings."""
    line = done.verdict.table.filter(line="positions").row(0, named=True)
    counted = dict(table.group_by("holds").len().rows())
    names = {"agree": "agrees", "differ": "differs", "unsettled": "not settled"}
    told = {name: line[name] for name in names} | {"agree": 1 + line["agree"]}
    return told, {name: counted.get(word, 0) for name, word in names.items()}


def test_what_the_rules_favour_holds_for_all(reported):
    done, table = reported(head_start=8)
    told, found = counts_of(done, table)
    assert told == found == {"agree": 5, "differ": 0, "unsettled": 0}
    assert ", whoever plays" in done.verdict.sentences[0].text
    assert set(table["holds"]) == {"agrees", "excluded"}
    assert "This holds for all 5 ways to play." in done.findings[0]


def test_where_nothing_differs_all_ways_say_so(reported):
    done, table = reported()
    assert set(table["holds"]) in (
        {"agrees", "excluded"},
        {"agrees", "not settled", "excluded"},
    )
    assert set(table["verdict"]) <= {"within", "undecided", ""}
    assert "less than 2 points" in done.findings[0]
    assert "does not hold" not in done.findings[0]


@pytest.mark.slow
def test_where_play_decides_nothing_is_excluded(reported):
    done, table = reported(die=1)
    why = dict(table.select("way", "why").rows())
    assert why["bold"] == why["humble"] == "play decides 0.0 % of the games"
    assert why["search:samples=4"] == ""
    assert done.findings[0].endswith("like that, play decides 0.0 % of the games.")


def test_nobody_searches_where_none_is_asked_for(dice, tmp_path, monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    balance_report.report("dice", games=200, search_games=0, out=tmp_path)
    assert not (tmp_path / report_runs.SEARCH).exists()
    table = pl.read_parquet(tmp_path / "tables" / "robust-findings.parquet")
    assert {*table["skilled"]} == {""}
    told = json.loads((tmp_path / "report.json").read_text())
    assert "robust" in {section["id"] for section in told["sections"]}


@pytest.mark.slow
def test_a_second_time_nothing_is_played(reported, monkeypatch):
    reported(gift=12)
    first = reported(gift=12)[1]
    monkeypatch.setattr("experiments.execution.run.play_block", None)
    again = reported(gift=12)[1]
    assert again.equals(first)


def test_one_of_each_at_a_table_of_the_leading_one(reported, tmp_path):
    reported(gift=12)
    one = pl.read_parquet(tmp_path / "tables" / "robust-one.parquet")
    by = {row["strategy"]: row for row in one.to_dicts()}
    assert set(by) == {"search:samples=4", "random", "humble", "bold"}
    assert by["humble"]["verdict"] == "not settled"  # it plays like all the others
    assert by["bold"]["verdict"] == "better"
    assert by["search:samples=4"]["n"] == SEARCHED


def test_who_never_wins_may_yet_win():
    rules, lineup = load("kunitame").rules.of(), ("random", *["allround"] * 3)
    found = run([Cell("kunitame", rules, 4, lineup, True, 1)], 40, jobs=1)
    cells = pl.DataFrame(
        [[0, "1 random", "one beginner", 4, "", 0, ""]], CELL, orient="row"
    )
    measures = measures_of("kunitame", detailed=False)
    data = ReportData(found.sums, cells, 40, rules.plain(), "allround", measures, {})
    one = Robustness(data, ()).one_among_leaders
    [row] = one.rows(named=True)
    assert row["estimate"] == 0
    assert row["more_high"] > row["more"]
    score = skill(one)
    assert score.low < score.value == 1 <= score.high
