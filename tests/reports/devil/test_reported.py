"""The report of variants and of tiny runs, and its percentiles."""

import numpy as np
import pytest

from experiments.analysis import balance_report, panel, report_pages
from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from reports import length_ladder, report_files
from reports.devil import length
from reports.devil.report import REPORT
from reports.measures import merge
from reports.report_data import ReportData
from sim.games import load
from tests.reports.devil.transcript import cell, transcripts


@pytest.fixture
def quick(monkeypatch):
    """No figures: they take longer than the rest."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"target": 1},
        {"target": 5, "tie": "random"},
        {"guard": 1},
        {"guard": 30},
        {"deck": "440", "first_oni": "end_round"},
        {"voluntary_draw": True, "first_card_effect": True},
        {"s4_end": "all", "out_special_stacks": True, "tie": "most_rounds_won"},
        {"base_deck": {"special1": 0, "special4": 0}},
    ],
    ids=str,
)
@pytest.mark.usefixtures("quick")
def test_variants(changes, tmp_path):
    rules = load("devil").rules.of(changes)
    done = balance_report.report(
        "devil",
        sections=["all"],
        games=20,
        players=[2 if "tie" in changes else 5],
        seed=2,
        rules=rules,
        lineup="random",
        out=tmp_path,
    )
    words = (done.page.parent / "report.md").read_text()
    assert " nan" not in words
    assert "None" not in "".join(done.findings)
    assert all(section.title in words for section in REPORT.sections)
    assert "incomplete because of an error" not in words


@pytest.mark.usefixtures("quick")
def test_one_game(tmp_path):
    done = balance_report.report(
        "devil", sections=["all"], games=1, players=[3], lineup="random", out=tmp_path
    )
    assert done.findings


def test_percentiles_are_those_of_the_rounds():
    """Of blocks added up: a step that only one block reaches still counts all."""
    of = cell(2, seed=4, label="random")
    sums = merge(
        [play_block(of, Block(0, first, 40), True).sums for first in (0, 40, 80)]
    )
    cells = report_pages.report_cells([panel.PanelCell(of, "self")])
    found = ReportData(sums, cells, 120, {}, "random", REPORT.measures, REPORT.columns)
    table = {
        row["what"]: row
        for row in length_ladder.percentiles(length.WHAT, found).rows(named=True)
    }
    played, _ = transcripts(of, 120)
    for what, values in {
        length.ROUND: played.rounds.once("turns"),
        length.ROUNDS: played.rounds_of_game,
    }.items():
        row = table[length.WHAT[what]]
        assert row["n"] == len(values)
        for name, level in length_ladder.QUANTILES.items():
            true = np.quantile(values, level, method="inverted_cdf")
            step = 0 if true <= 200 else 20
            assert true <= row[name] <= true + step
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
