"""The whole report, of variants and of tiny runs."""

import json
import re

import pytest

from experiments.analysis import balance_report, panel
from reports import report_files
from tests import chromium
from tests.reports.kunitame.transcript import GAME

SECTIONS = [
    "seats",
    "pledges",
    "contracts",
    "returns",
    "cards",
    "economy",
    "course",
    "strategies",
]
MAY = {"watch", "story", "taken", "new-rows"}
GONE = ["red", "yellow", "only-red", "only-yellow"]
NONSENSE = re.compile(r"\b(nan|inf|None(?!\.)|null|True|False)\b")
OWN = '''
import numpy as np
from dataclasses import dataclass
from strategies.base import Strategy

@dataclass(frozen=True)
class Bold(Strategy):
    """Stakes on five tricks."""
    name = "bold"
    def contract(self, view):
        return view.stake(np.full(len(view), 4), view.most)
'''


@pytest.fixture
def undrawn(monkeypatch):
    """Reports without figures, which take most of their time."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})


def checked(done, panel=False):
    """The report as JSON, after what holds of every report was seen to.

    One of the whole ``panel`` has its findings tried with every way to play.
    """
    folder = done.page.parent
    told = json.loads((folder / "report.json").read_text())
    sections = [section["id"] for section in told["sections"]]
    more = {"robust", "trust"} if panel else set()
    assert {*SECTIONS, *more} <= set(sections) <= {*SECTIONS, *MAY, *more}
    words = (folder / "report.md").read_text()
    found = NONSENSE.search(words)
    assert not found, words[max(found.start() - 200, 0) : found.end() + 50]
    assert done.findings == [finding["text"] for finding in told["findings"]]
    told_of = {one["id"] for one in told["sections"] if one["findings"]}
    assert told_of >= {"seats", "course"}
    assert done.page.stat().st_size > 10_000
    return told


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"weeks": 1},
        {"contract_limit": 0},
        {"life": 1, "all_eliminated": "points"},
        {
            "contract_squares": [0, 7],
            "contract_returns": [0, 2],
            "contract_points": [2, 0],
        },
        {
            "suits": ["blue", "green"],
            "ranks": 16,
            "devil_ranks": 3,
            "rounds": 3,
            "squares": {name: {"remove": True} for name in GONE},
        },
        {"priests_per_player": 0, "devil_ranks": 0, "contract_limit": 0},
        {"removed_pledge": "none", "no_tricks_squares": "claimable_at_liquidation"},
        {"squares": {"card-9-10": {"pledge": "P1", "when": "trick", "num": [9, 10]}}},
    ],
    ids=",".join,
)
@pytest.mark.usefixtures("undrawn")
def test_variants(changes, tmp_path):
    rules = GAME.rules.of(changes)
    done = balance_report.report(
        "kunitame",
        sections=["all"],
        games=40,
        players=[4],
        seed=2,
        rules=rules,
        lineup="random",
        out=tmp_path,
    )
    told = checked(done)
    assert {row[0].split(".")[0] for row in told["differences"]} == set(changes)


@pytest.mark.slow
def test_one_game(tmp_path):
    done = balance_report.report(
        "kunitame",
        sections=["all"],
        games=1,
        players=[3],
        lineup="random",
        out=tmp_path,
    )
    checked(done)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The whole panel of a few strategies and one of one's own, and all figures."""
    folder = tmp_path_factory.mktemp("whole")
    own = folder / "my.py"
    own.write_text(OWN)
    few = {
        name: panel.strategies.registry.builtin("kunitame")[name]
        for name in ("random", "allround")
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(panel.strategies.registry, "builtin", lambda _: few)
        return balance_report.report(
            "kunitame",
            sections=["all"],
            games=30,
            search_games=2,
            players=[4],
            seed=4,
            strategies=[f"{own}:Bold"],
            out=folder / "out",
        )


@pytest.mark.slow
def test_the_panel(whole):
    done = whole
    told = checked(done, panel=True)
    simulated = dict(told["simulated"])
    assert "bold" in simulated["every seat the same"]
    assert "1 allround, 3 bold" in simulated["one against the others"]
    text = (done.page.parent / "report.md").read_text()
    assert "1 in 16 of contract" in text
    assert "1 allround, 3 bold" in text


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_random_alone(tmp_path, monkeypatch):
    random = {"random": panel.Random}
    monkeypatch.setattr(panel.strategies.registry, "builtin", lambda game: random)
    done = balance_report.report(
        "kunitame",
        sections=["all"],
        games=30,
        search_games=2,
        players=[5],
        out=tmp_path,
    )
    checked(done, panel=True)


@pytest.mark.slow
@chromium.needs_chromium
def test_chromium_shows_every_section_and_figure(whole, tmp_path):
    _, console = chromium.dom(whole.page, tmp_path / "first")
    assert console == []
    details = whole.page.with_name("details.html")
    text, console = chromium.dom(details, tmp_path / "profile")
    assert console == []
    for name in ("simulated", "findings", *SECTIONS, "robust"):
        assert f'<section id="{name}"' in text
    drawn = list((whole.page.parent / "figures").glob("*.svg"))
    assert len(drawn) >= 20
    assert text.count("<figure>") == len(drawn)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.slow
def test_a_lineup_of_ones_own(tmp_path):
    lineup = "random,timid,random,greedy"
    done = balance_report.report(
        "kunitame", sections=["all"], games=50, lineup=lineup, out=tmp_path
    )
    told = checked(done)
    assert any(f"lineup {lineup}" in finding for finding in done.findings)
    played = dict(told["simulated"])
    assert played["leading lineup"].startswith(lineup)
    assert "one against the others" not in played


@pytest.mark.slow
def test_the_same_for_any_number_of_jobs(tmp_path):
    pages = [
        balance_report.report(
            "kunitame",
            sections=["all"],
            games=20,
            players=[3, 4],
            seed=3,
            lineup="random",
            jobs=jobs,
            out=tmp_path / str(jobs),
        ).page.read_bytes()
        for jobs in (1, 2)
    ]
    assert pages[0] == pages[1]


@pytest.mark.usefixtures("undrawn")
def test_shortages_are_told(tmp_path):
    rules = GAME.rules.of({"life": 6})
    done = balance_report.report(
        "kunitame",
        sections=["all"],
        games=5,
        players=[3],
        rules=rules,
        lineup="random",
        out=tmp_path,
    )
    told = checked(done)
    assert ["box, 3 players", "18 Life gems are needed, the box holds 15"] in told[
        "simulated"
    ]
