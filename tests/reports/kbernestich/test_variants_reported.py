"""The report of variants and of tiny runs."""

import pytest

from experiments.analysis import balance_report
from reports import report_files
from tests.reports.kbernestich.recount import GAME


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (4, {"rounds": 1}),
        (3, {"rounds": 6}),
        (3, {"plot_before_tricks": 0}),
        (4, {"cubes": 0}),
        (3, {"hunch_exclusive": False, "marie_to_shared": True}),
        (4, {"two_on_one_square": True, "final_tie": "shared", "low_tie": "random"}),
        (4, {"future_known": True}),
        (3, {"refill": [[0, 9999, 5]]}),
    ],
    ids=str,
)
def test_variants(changes, players, tmp_path, monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    rules = GAME.rules.of(changes)
    done = balance_report.report(
        "kbernestich",
        sections=["all"],
        games=24,
        players=[players],
        seed=2,
        rules=rules,
        lineup="random",
        out=tmp_path,
    )
    words = (done.page.parent / "report.md").read_text()
    assert "to Marie 3, 2, 2, 1, 1, 1" in words
    assert " nan" not in words
    assert "Conservation" not in words
