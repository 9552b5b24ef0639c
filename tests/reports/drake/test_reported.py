"""The report of other rules, and the tables that it plays beside those in force."""

import json

import polars as pl
import pytest

from experiments.analysis import balance_report, panel
from experiments.core.measures import report_of
from reports import report_files
from reports.drake import rule_sweeps
from reports.drake.deck_balance import judge_tables
from reports.drake.report import REPORT
from sim.parameters import RuleError
from strategies.drake.allround import Allround
from strategies.random import Random
from tests.reports.drake.recount import GAME, VIRTUES, cell, result_of

VARIANTS = (
    {},
    {"ruleset": "update_I", "must_act": False},
    {"goal": 3, "guard": 4},
    {"special.sangria-all.remove": True},
    {
        "maiden_chastity": [],
        "maidens": 0,
        "special.nun": {"deck": "maiden", "chastity": 3, "copies": 9},
    },
    {
        "special.nymph": {
            "deck": "maiden",
            "chastity": 4,
            "copies": 2,
            "effect": "discard_in_play(knight)",
        }
    },
)


@pytest.fixture(autouse=True)
def no_figures(monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})


@pytest.mark.slow
@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_variants(changes, tmp_path):
    rules = GAME.rules().changed(changes)
    done = balance_report.report(
        "drake",
        sections=["all"],
        games=24,
        players=[2, 4],
        seed=2,
        rules=rules,
        lineup="random",
        out=tmp_path,
    )
    words = (tmp_path / "report.md").read_text()
    assert " nan" not in words
    assert "those in force are assumed" in words
    assert done.findings
    outline = json.loads((tmp_path / "report.json").read_text())
    assert [name for name, *_ in outline["assumed"]] == [
        "maiden_chastity",
        "knight",
        "treasure_value",
        "special",
    ]


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_all_that_is_played_beside_are_rules(changes):
    rules = GAME.rules().changed(changes)
    wanted = report_of("drake").wanted("other_rules", rules.plain())
    keys = {(one["strategies"], str(one["changes"])) for one in wanted}
    assert len(keys) == len(wanted)
    for one in wanted:
        other = rules.changed(one["changes"])
        assert other != rules or "maidens" in one["changes"]
        for players in one["players"]:
            other.check(players)


def test_a_full_deck_leaves_no_room_for_other_sizes():
    many = {"special.sangria-all.copies": 48}
    rules = GAME.rules().changed(many)
    assert {one.sweep for one in rule_sweeps.rule_sweeps(rules.plain())} == {"readings"}
    with pytest.raises(RuleError, match="a deck has 2 to 60"):
        rules.changed({"treasures": rules.goal + 8})


@pytest.fixture(
    scope="module",
    params=[pytest.param(size, marks=pytest.mark.slow) for size in ((2,), (2, 3, 4))],
    ids=str,
)
def players(request):
    return request.param


@pytest.fixture(scope="module")
def written(tmp_path_factory, players):
    """A report of few tables, by two strategies."""
    out = tmp_path_factory.mktemp("drake")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_files, "pictures", lambda *_: {})
        few = {
            "chastity": ("listed", "high"),
            "strength": ("listed",),
            "value": ("listed",),
        }
        patch.setattr(rule_sweeps, "_OF_REGION", few)
        patch.setattr(rule_sweeps, "_MORE", (0, 3))
        names = {"allround": Allround, "random": Random}
        patch.setattr(panel.strategies.registry, "builtin", lambda _: names)
        done = balance_report.report(
            "drake",
            sections=["all"],
            games=60,
            search_games=2,
            players=players,
            seed=2,
            out=out,
        )
        yield out, done.findings


def test_the_main_section_is_the_lost_table(written, players):
    out, findings = written
    sections = json.loads((out / "report.json").read_text())["sections"]
    assert sections[0]["id"] == "lost-table"
    names = [exhibit["id"] for exhibit in sections[0]["exhibits"]]
    if players == (2,):
        assert names == ["lost-players"]
        assert (
            "only in a whole panel, with 4 players" in (out / "report.md").read_text()
        )
        return
    assert names == [
        "lost-region",
        "lost-levels",
        "lost-players",
        "lost-whom",
        "lost-treasures",
    ]
    assert findings[0].startswith("Balance, 4 players, allround in every seat: of 7 ")
    assert "no data" not in "".join(findings)
    texts = " ".join(findings)
    for said in ("Virtues, 4", "Readings, 4", "Decks, 4", "Actions, 4"):
        assert said in texts


def test_a_table_beside_is_that_table(written, players):
    """The shares of a table, from games played anew by its rules."""
    if players == (2,):
        pytest.skip("details are about four players")
    out, _ = written
    rows = pl.read_parquet(out / "tables" / "lost-region.parquet")
    row = rows.filter(pl.col("chastity") == "high", knights=10).row(0, named=True)
    rules = {"maidens": 10, "knights": 10, "stats.chastity.shape": "high"}
    wants = rule_sweeps.rule_sweeps(GAME.rules().plain())
    assert rules in [one.changes for one in wants if one.sweep == "region"]
    games = result_of(cell(4, ("allround",) * 4, rules), 400)
    for virtue in VIRTUES:
        title, among = virtue.title(), games.count(virtue) / len(games)
        low, high = row[f"{title}_low"], row[f"{title}_high"]
        assert low - 0.1 < among < high + 0.1
    shares = [row[virtue.title()] for virtue in VIRTUES]
    assert sum(shares) == pytest.approx(1)
    assert row["estimate"] == pytest.approx(max(abs(one - 0.25) for one in shares))


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [
        ((0.25, 0.25, 0.25, 0.25), "within"),
        ((0.31, 0.25, 0.25, 0.19), "undecided"),
        ((0.7, 0.1, 0.1, 0.1), "outside"),
    ],
)
def test_verdicts(shares, verdict):
    rows = pl.DataFrame(
        {
            "cell": 1,
            "size": 9,
            "strategy": "allround",
            "players": 4,
            "n": 4_000.0,
            "virtue": [virtue.title() for virtue in VIRTUES],
            "estimate": shares,
            "low": shares,
            "high": shares,
            "se": 0.008,
        }
    )
    (row,) = judge_tables(rows, ("size",)).rows(named=True)
    assert row["verdict"] == verdict
    assert row["Greed"] == shares[1]


def test_every_measure_is_shown_or_told():
    assert {m.table for m in REPORT.section_measures} == {
        "games",
        "virtues",
        "wins",
        "decks",
        "options",
        "",  # arrays: the course
    }
