"""Tables told of the leading strategy, with those who search beneath."""

from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

from experiments.analysis.panel import Panel
from experiments.analysis.report_header import report_header
from experiments.analysis.report_pages import report_cells
from experiments.core.measures import measures_of, report_of
from experiments.execution.run import run
from reports import build_report
from reports.formatting import GROUPS
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import SUMS, Measure
from reports.report_data import CELL, ReportData
from reports.search_player_rows import with_search
from sim import games
from tests.reports.recorded import recorded

MEASURES = {
    "used": Measure("used", "how often", "share", by=("option",)),
    "paid": Measure("paid", "how much", "mean", by=("option",)),
}


def sums(measure, option, y, x, yy):
    """So many games, a count of ``x`` each game being 1."""
    values = {"y": y, "x": x, "yy": yy, "xx": x, "xy": y, "games": x, "yyy": 0}
    floats = {name: float(values[name]) for name in SUMS}
    return {"measure": measure, "cell": 0, "option": option, **floats}


def data(lineup, kind, rows):
    cells = pl.DataFrame([[0, lineup, kind, 4, "", 0, ""]], schema=CELL, orient="row")
    columns = {one.name: one for one in GROUPS}
    return ReportData(pl.DataFrame(rows), cells, 10_000, {}, lineup, MEASURES, columns)


def shown(data):
    yield "With everybody."
    numbers = Number("used", "used"), Number("paid", "paid", name="paid")
    yield MeasureTable("ore-use", "Ore", "A note.", ("option", *numbers))


LEAD = data(
    "toy",
    "self",
    [
        sums("used", "dig", 3_000, 10_000, 3_000),
        sums("used", "wash", 1_000, 10_000, 1_000),
        sums("paid", "dig", 20_000, 10_000, 50_000),
        sums("paid", "wash", 20_000, 10_000, 50_000),
    ],
)
SEARCH = data(
    "search",
    "search",
    [
        sums("used", "dig", 5_000, 10_000, 5_000),
        sums("used", "wash", 1_100, 10_000, 1_100),
        sums("used", "melt", 10, 10_000, 10),
        sums("paid", "dig", 20_500, 10_000, 52_000),
        sums("paid", "wash", 30_000, 10_000, 100_000),
    ],
)


def test_beneath_each_row_stands_that_of_who_searches_and_says_what_parts():
    both = replace(LEAD, search_data=[SEARCH])
    section = with_search(ReportSection(shown, id="ore"), both)
    [exhibit] = section.exhibits
    titles = [column.title for column in exhibit.columns]
    assert titles == ["option", "played by", "differs in", "used", "paid", "n"]
    told = exhibit.table.select("option", "played", "estimate", "parts").rows()
    assert told == [
        ("dig", "toy", 0.3, ""),
        ("dig", "search", 0.5, "used"),
        ("wash", "toy", 0.1, ""),
        ("wash", "search", 0.11, "paid"),
        ("melt", "search", 0.001, ""),
    ]
    assert exhibit.note == "A note. search: everyone at the table searches."
    [said] = section.findings
    assert said.sure == "sure"
    assert said.section == "ore"
    assert "of 4 numbers in the tables, 2 are shown to differ" in said.text
    assert "used: dig (30.0 ± 1.2 % by toy" in said.text
    assert "2 are alike, 0 undecided" in said.text


def test_without_searchers_a_section_is_as_it_was():
    section = with_search(ReportSection(shown, id="ore"), LEAD)
    assert section.exhibits[0].table.height == 2
    assert section.findings == ()


def test_what_is_told_of_search_already_is_not_told_twice():
    def told(data):
        yield "With everybody."
        rows = data.of("used").with_columns(strategy="lineup")
        more = [
            one.of("used").with_columns(strategy="lineup") for one in data.search_data
        ]
        parts = ("strategy", "option", Number("used", "used"))
        yield MeasureTable("ore-use", "Ore", "", parts, rows=pl.concat([rows, *more]))

    both = replace(LEAD, search_data=[SEARCH])
    section = with_search(ReportSection(told, id="ore"), both)
    assert section.exhibits[0].table.height == 5
    assert section.findings == ()


MANY = 10
SPEC = "search:samples=1:inner=random"


def full(game):
    """The full report of a few games of random players, and the cells with searchers.

    Without those in which decisions of a searcher are tried, which take longest.
    """
    declared, known_game = report_of(game), games.load(game)
    rules = known_game.rules.of()
    decline = declared.wanted("decline", rules.plain())
    decline = [{**want, "strategies": ("random",)} for want in decline]
    counts = known_game.players[-1:] if game != "kunitame" else (4,)
    panel = Panel(game, rules, counts, counts, 7, (), decline, full=True)
    lead = [
        one
        for one in panel.cells()
        if one.cell.title() == "random" or (one.kind == "paired" and game == "kunitame")
    ]
    searching = [
        (some, MANY)
        for some, _ in panel.search_cells(SPEC, MANY)
        if some[0].kind != "one"
    ]

    def played(some):
        return run([one.cell for one in some], MANY, detailed=True).sums

    about = report_header(panel, lead, MANY, None, searching, {}, {}) | {
        "lead": "random"
    }
    searched = [
        build_report.SearchSums(played(some), report_cells(some), MANY)
        for some, _ in searching
    ]
    made = build_report.build(
        declared, measures_of(game), played(lead), report_cells(lead), about, searched
    )
    return made, searching


LONG = ("socialism", "devil", "article_ii")


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(g, marks=pytest.mark.soak if g in LONG else pytest.mark.slow)
        for g in games.REGISTRY
        if g != "kunitame"
    ],
)
def test_every_game_is_told_of_both(game):
    made, _ = full(game)
    both = [one for one in made.exhibits if "parts" in one.table.columns]
    assert len(both) > 5
    assert all(one.table.height for one in both)
    assert any(one.shown.rows for one in both)
    assert any(f"{SPEC} (everyone" in one.text for one in made.findings)


@pytest.fixture(scope="module")
def kunitame():
    made, searching = full("kunitame")
    return {one.id: one.table for one in made.exhibits}, searching


def transcripts(cell):
    return recorded(cell, MANY, ("result",)).told


def gems(told):
    """Gems won and put back, (game, week, seat, square, value) each."""
    for game, events in enumerate(told):
        for one in events:
            if one.get("name") == "gem":
                yield game, one["week"], one["seat"], one["square"], one["value"]


@pytest.mark.slow
def test_how_squares_are_used_is_what_transcripts_of_searchers_tell(kunitame):
    tables, ((everybody, _), *_) = kunitame
    moved = [*gems(transcripts(everybody[0].cell))]
    back = Counter((square, week) for _, week, _, square, gem in moved if gem < 0)
    paid = Counter()
    for _, week, _, square, gem in moved:
        paid[square, week] += max(gem, 0)
    for name, column, told in (
        ("pledges-week", "returned", back),
        ("pledges-week", "estimate", paid),
    ):
        rows = tables[name].filter(played=SPEC)
        assert rows.height > 80
        for square, week, value in rows.select("square", "week", column).rows():
            assert value == pytest.approx(told[square, week] / MANY)
