"""The report of other rules, lineups and tiny runs."""

import pytest

from experiments.analysis import balance_report, panel
from reports import report_files
from reports.article_ii.what_ifs import other_decks, parties
from strategies.random import Random
from tests.reports.article_ii.recount import GAME


@pytest.fixture(autouse=True)
def no_figures(monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})


OTHER_CARDS = {
    "tack-center": {"copies": 0},
    "rally": {"kind": "mark", "copies": 4, "electability": 2},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "changes"),
    [
        (2, {}),
        (3, {"deck": "original"}),
        (2, {"halve": "exact"}),
        (4, {"guard": 30}),
        (4, {"carry_over": False, "general_deal": "reshuffle_all"}),
        (3, {"cards": OTHER_CARDS}),
    ],
    ids=str,
)
def test_variants(changes, players, tmp_path):
    done = balance_report.report(
        "article_ii",
        sections=["all"],
        games=24,
        players=[players],
        seed=2,
        rules=GAME.rules().changed(changes),
        lineup="random",
        out=tmp_path,
    )
    words = (done.page.parent / "report.md").read_text()
    assert " nan" not in words
    assert f"{players} players" in words


def test_parties_alone(tmp_path):
    done = balance_report.report(
        "article_ii",
        sections=["all"],
        games=24,
        players=[4],
        rules=GAME.rules().changed({"parties": True}),
        lineup="random",
        out=tmp_path,
    )
    words = (done.page.parent / "report.md").read_text()
    assert "of the matches end in a tie" in words


@pytest.mark.slow
def test_the_panel_plays_decks_parties_and_trials(monkeypatch, tmp_path):
    """Of small strategies, so that all sections have what they ask for."""
    monkeypatch.setattr(
        panel.strategies.registry, "builtin", lambda _: {"random": Random}
    )
    done = balance_report.report(
        "article_ii", sections=["all"], games=24, search_games=2, seed=2, out=tmp_path
    )
    words = (done.page.parent / "report.md").read_text()
    assert "of the matches end in a tie" in words
    assert "the original deck" in words
    assert "On oneself, or discarded: the same deals twice\n\nAs the phase" in words
    for title in ("primary card on oneself", "general card on oneself"):
        assert title in words


def test_what_is_played_beside():
    rules = GAME.rules().plain()
    assert [one["changes"] for one in other_decks(rules)] == [{"deck": "original"}]
    assert [one["changes"] for one in parties(rules)] == [{"parties": True}]
    assert other_decks({**rules, "deck": "custom"})[0]["changes"] == {"deck": "updated"}
    both = {**rules, "parties": True}
    assert other_decks(both) == parties(both) == ()
