"""The report of variants and of tiny runs."""

import pytest

from experiments.analysis import balance_report
from reports import figures
from tests.reports.kbernestich.recount import GAME


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rounds": 1},
        {"rounds": 6},
        {"plot_before_tricks": 0},
        {"cubes": 0},
        {"hunch_exclusive": False, "marie_to_shared": True},
        {"two_on_one_square": True, "final_tie": "shared", "low_tie": "random"},
        {"future_known": True},
        {"refill": [[0, 9999, 5]]},
    ],
    ids=str,
)
@pytest.mark.parametrize("players", [3, 4])
def test_variants(changes, players, tmp_path, monkeypatch):
    for kind in ("dots", "lines", "heat", "bars", "steps"):
        monkeypatch.setattr(figures, kind, lambda *_, **__: None)
    rules = GAME.rules.of(changes)
    done = balance_report.report(
        "kbernestich",
        games=40,
        players=[players],
        seed=2,
        rules=rules,
        lineup="random",
        out=tmp_path,
    )
    words = (done.page.parent / "report.md").read_text()
    assert "to Marie 3, 2, 2, 1, 1, 1" in words
    assert " nan" not in words
    assert "Conservation is exact" in words or "Conservation: no" in words
