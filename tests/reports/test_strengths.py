"""What changes with the strength of play, on page one and in tables."""

import polars as pl
import pytest

from experiments.analysis.balance_report import report
from experiments.analysis.leader import HEURISTIC, Leader, strong_leader, who_plays
from reports import strengths
from reports.measures import SUMS, Measure
from reports.report_data import CELL, ReportData
from reports.report_document import Section
from reports.scorecard.line_statistics import POSITION
from reports.scorecard.lines import LINES
from reports.scorecard.score import ScorecardRun
from sim.games import load


@pytest.fixture(scope="module")
def drake(tmp_path_factory):
    """The report of a game whose roles are worlds apart among good players alone."""
    out = tmp_path_factory.mktemp("drake")
    report("drake", games=256, search_games=0, players=(4,), seed=3, out=out)
    return out


def test_who_plays_at_which_strength_is_found_by_playing():
    rules = load("drake").rules()
    lead, levels = who_plays(strong_leader, "drake", rules, (4,), found=True)
    assert (lead.spec, levels["good"]) == ("learned", "allround")
    assert levels["beginner"].startswith("noisy(allround, ")


def test_nobody_else_is_looked_for_beside_a_heuristic_that_is_asked_for():
    rules = load("drake").rules()
    asked = Leader("racer")
    assert who_plays(asked, "drake", rules, (4,), found=True) == (asked, {})
    assert who_plays(strong_leader, "drake", rules, (4,), found=False) == (
        HEURISTIC,
        {},
    )


def test_roles_are_told_at_each_strength(drake):
    rows = pl.read_parquet(drake / "tables" / "strengths-roles.parquet")
    pride = rows.row(by_predicate=pl.col("who") == "Pride", named=True)
    assert pride["good"] > pride["beginner"] + 0.2
    assert pride["good_low"] < pride["good"] < pride["good_high"]
    for level in ("beginner", "good"):
        assert rows[level].sum() == pytest.approx(1, abs=0.02)


def test_the_scorecard_is_told_at_each_strength(drake):
    rows = pl.read_parquet(drake / "tables" / "strengths-lines.parquet")
    assert {"line", "beginner", "good", "strong"} == {*rows.columns}
    titles = {line.title for line in LINES if line.id in ("positions", "length")}
    assert titles <= {*rows["line"]}
    assert "strengths" in (drake / "report.json").read_text()


# --- The sentence of page one: games are made up


def run_of(lead, others, kind="beginner", games=1_000):
    """A run in which good players lead: the wins of both positions, and others'."""
    rows, cells = [], []
    tables = {"clever": ("self", lead), "dabbler": (kind, others)}
    for cell, (name, (of, wins)) in enumerate(tables.items()):
        for at, y in enumerate(wins, start=1):
            rows.append(
                {"cell": cell, "measure": "won by position", "position": at}
                | dict.fromkeys(("y", "yy", "xy", "yyy"), y)
                | dict.fromkeys(("x", "xx", "games"), games)
            )
        about = {"cell": cell, "lineup": name, "kind": of, "players": 2}
        cells.append(about | {"strategy_declining": "", "moment": 0, "changes": ""})
    return ScorecardRun(
        ReportData(
            pl.DataFrame(rows).cast(dict.fromkeys(SUMS, pl.Float64)),
            pl.DataFrame(cells).cast(CELL),
            games,
            {},
            "clever",
            {POSITION: Measure(POSITION, "", "share", by=("position",))},
            levels={"beginner": "dabbler", "good": "clever"},
            begins="start player",
        ),
    )


@pytest.mark.parametrize(
    ("lead", "others", "told"),
    [
        ((600, 400), (400, 600), True),
        ((600, 400), (490, 510), False),  # may be chance
        ((600, 400), (550, 450), False),
        ((505, 495), (400, 600), False),  # nothing is shown of the leading players
    ],
)
def test_page_one_says_where_weaker_players_show_the_opposite(lead, others, told):
    sentence = strengths.reversal(run_of(lead, others))
    assert bool(sentence) == told
    if told:
        assert "beginners" in sentence
        assert "last player wins 60 of 100" in sentence


def test_too_few_games_show_no_opposite():
    assert not strengths.reversal(run_of((12, 4), (0, 16), games=16))


def test_tables_by_strength_stand_where_positions_are_told():
    run = run_of((600, 400), (400, 600))
    seats, other = Section("seats", "Seats", ""), Section("length", "Length", "")
    changed, same, own = strengths.add([seats, other], run)
    assert same == other
    assert own.id == strengths.ID
    [table] = changed.exhibits
    assert table.table.select("beginner", "good").rows() == [(0.4, 0.6), (0.6, 0.4)]
    titles = [column.title for column in table.columns]
    assert titles[2:] == ["beginners", "good players"]


def test_a_report_of_one_strength_has_no_such_section():
    run = run_of((600, 400), (400, 600), kind="noisy")
    section = Section("seats", "Seats", "")
    assert strengths.add([section], run) == (section,)
    assert not strengths.reversal(run)
