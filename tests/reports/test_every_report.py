"""Every game has a report, with what every report must have."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from experiments.analysis import balance_report, panel
from experiments.commands.cli import app
from experiments.core.measures import report_of
from reports import report_files
from sim.games import REGISTRY, load
from strategies.registry import builtin
from tests.reports.page_words import Words


class Sources(HTMLParser):
    """What a page refers to in its own directory."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            own = value and not re.match(r"[a-z]+:|#", value)
            if own and name in ("src", "href", "srcset"):
                self.found.add(str(value).partition("#")[0])


DRAWN = "kunitame"


def drawn_or_not() -> Iterator[Any]:
    """Games, and whether figures are drawn, which takes most of the time of a report.

    Those of all games but one are drawn in the slow set.
    """
    for game in REGISTRY:
        yield game, game == DRAWN
    for game in [game for game in REGISTRY if game != DRAWN]:
        yield pytest.param((game, True), marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=[*drawn_or_not()], ids=str)
def written(request: pytest.FixtureRequest, tmp_path_factory) -> tuple[str, Path]:
    """A game, and where a small report of it was written by the command."""
    game, drawn = request.param
    out = tmp_path_factory.mktemp(game)
    players = str(load(game).players[0])
    where = ["--players", players, "--lineup", "random", "--out", str(out)]
    told = ["report", game, "-n", "24", "--seed", "4", "-j", "1", *where]
    told += ["--section", "all"]
    with pytest.MonkeyPatch.context() as patch:
        if not drawn:
            patch.setattr(report_files, "pictures", lambda *_: {})
        result = CliRunner().invoke(app, told)
    assert result.exit_code == 0, result.output
    return game, out


class Enough(Exception):
    """The page so far has been written."""


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_each_has_page_one_before_all_is_played(tmp_path, monkeypatch, game):
    """Nothing of what is tried, or of who searches, is played before it."""
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})

    class Progress:
        def __call__(self, done: int, total: int) -> None:
            """Games done are not of interest."""

        def tell(self, text: str) -> None:
            if text == f"so far: {tmp_path / 'report.html'}":
                raise Enough

    with pytest.raises(Enough):
        balance_report.report(game, games=24, seed=4, out=tmp_path, progress=Progress())
    text = (tmp_path / "report.md").read_text("utf-8")
    assert "Page one, written first: " in text
    assert not re.search(r"\b(nan|inf)\b", text)
    assert all(pl.read_parquet(one).height for one in tmp_path.glob("tables/*.parquet"))
    told = json.loads((tmp_path / "scorecard.json").read_text())
    lines = {row["line"] for row in told["scorecard"]}
    assert {"positions", "skill"} <= lines
    played = [*tmp_path.glob("**/blocks/*")]
    assert played
    for later in ("what-ifs", "search"):
        assert not any(later in one.relative_to(tmp_path).parts for one in played)


def test_it_says_what_was_played(written):
    game, out = written
    page = (out / "report.html").read_text("utf-8")
    assert load(game).title in page
    for said in ("seed", "random", "24"):
        assert said in page


def test_no_number_is_missing(written):
    text = (written[1] / "report.md").read_text("utf-8")
    assert not re.search(r"\b(nan|inf)\b", text)


def test_every_file_that_the_page_names_is_there(written):
    for name in ("report.html", "details.html"):
        page = (written[1] / name).read_text("utf-8")
        found = Sources(page).found
        assert [name for name in found if not (written[1] / name).exists()] == []


def test_the_page_keeps_its_budget_of_words(written):
    words = Words(written[1] / "report.html")
    assert words.beyond == {}
    assert words.counts["one"] > 50
    assert sum(count > 0 for count in words.counts.values()) > 5


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(g, marks=pytest.mark.slow if g == "drake" else pytest.mark.soak)
        for g in REGISTRY
    ],
)
def test_a_default_page_keeps_its_budget_of_words(game, tmp_path, monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    lead = panel.Leader("allround")
    balance_report.report(
        game, games=256, search_games=16, lead=lead, seed=4, out=tmp_path
    )
    assert Words(tmp_path / "report.html").beyond == {}


def test_every_table_comes_in_both_formats(written):
    tables = written[1] / "tables"
    names = {path.stem for path in tables.glob("*.csv")}
    assert names
    assert names == {path.stem for path in tables.glob("*.parquet")}
    heights = []
    for name in names:
        table = pl.read_parquet(tables / f"{name}.parquet")
        rows = pl.read_csv(tables / f"{name}.csv", infer_schema=False)
        assert (rows.columns, rows.height) == (table.columns, table.height)
        heights.append(table.height)
    filled = sum(height > 0 for height in heights)
    assert filled > len(names) / 2, "with one lineup only counterfactuals are missing"


def test_the_command_can_be_given_again(written):
    game, out = written
    told = json.loads((out / "command.json").read_text("utf-8"))
    assert game in json.dumps(told)


MORE = {"kunitame", "devil"}  # that are not soaked: of as many rounds, and of any


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(g, marks=pytest.mark.slow if g in MORE else pytest.mark.soak)
        for g in REGISTRY
    ],
)
def test_leading_findings_are_tried_with_every_way_to_play(game, tmp_path, monkeypatch):
    monkeypatch.setattr(report_files, "pictures", lambda *_: {})
    declared = report_of(game)
    alone = [replace(section, what_ifs=()) for section in declared.sections]
    short = replace(declared, sections=alone, search="search:samples=1")
    monkeypatch.setattr(balance_report, "report_of", lambda _: short)
    names = {name: builtin(game)[name] for name in ("random", "allround")}
    monkeypatch.setattr(panel.strategies.registry, "builtin", lambda _: names)
    done = balance_report.report(
        game,
        games=12,
        search_games=min(2, declared.search_games),
        players=[load(game).players[0]],
        seed=4,
        out=tmp_path,
    )
    table = pl.read_parquet(tmp_path / "tables" / "robust-findings.parquet")
    searching = {"search:samples=1"} if declared.search_games else set()
    others = {"allround", "noisy(allround, 0.1)", "random"}
    assert set(table["way"]) == others | searching
    assert table["whose"].n_unique() > 1, "positions, and another finding"
    assert any("ways to play" in text for text in done.findings)
    one = pl.read_parquet(tmp_path / "tables" / "robust-one.parquet")
    assert set(one["strategy"]) == {"random"} | searching
