"""A report is complete, equal bytes each time, and opens without an error."""

import dataclasses
import json
import re
from html.parser import HTMLParser

import polars as pl
import pytest

from experiments.execution.background_pool import BackgroundPool
from reports import figures
from reports.report_document import Column, Exhibit, Finding, ReportDocument, Section
from reports.report_files import write_report
from tests import chromium

SHARE = Column("estimate", "won", "share of games won", "share", "low", "high")


def shares(rows=4):
    estimate = [None if row == 1 else 0.2 + row / 1000 for row in range(rows)]
    frame = pl.DataFrame(
        {"name": [f"seat {r + 1}" for r in range(rows)], "e": estimate}
    )
    e = pl.col("e")
    return frame.select("name", n=1000, estimate=e, low=e - 0.012, high=e + 0.013)


def exhibit(name="win-share", rows=4, **more):
    table = shares(rows)
    columns = (
        Column("name", "seat", "where a player sits"),
        Column("n", "games", "games played", "count"),
        SHARE,
    )
    picture = figures.dots(
        table,
        "name",
        "estimate",
        "low",
        "high",
        title="Who wins",
        xlabel="share of games won, %",
        reference=0.25,
    )
    parts = {"title": "Who wins", "note": "Ties < share & share alike."}
    known = {"table": table, "columns": columns, "figure": picture}
    return Exhibit(name, **{**parts, **known, **more})


def report(**more):
    seats = Section(
        "seats",
        "Seats and first dealer",
        "Is a seat favoured?",
        (exhibit(), exhibit("long", rows=60, title="Many rows")),
        (Finding("Seat 3 wins 20.2 %.", "likely", "seats", tested="5 %"),),
    )
    words = Section("course", "Course of the game", "", (exhibit("bare", figure=None),))
    front = {
        "title": "Kunitame",
        "subtitle": "A balance report of <b>4 players</b>",
        "simulated": (("games", "10,000"), ("seed", "7")),
        "findings": (
            Finding("No seat is favoured.", "sure", "seats", tested="5 %"),
            Finding("Games may be long.", "open", "course"),
        ),
        "sections": (seats, words),
        "differences": (("life_gems", "Life gems: 4 instead of 3 (life_gems)."),),
        "assumed": (("devil card 7", "-2 points", "the rulebook | is silent"),),
        "rules": (("life_gems", "4"), ("weeks", "4")),
        "glossary": (("won by seat", "games that are won", "share", "seat"),),
    }
    return ReportDocument(**{**front, **more})


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write_report(report(), tmp_path_factory.mktemp("report"), png=True)


class Ids(HTMLParser):
    """Collects ids, and what links and drawings refer to inside the page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in {"href", "xlink:href"} and value.startswith("#"):
                self.links.append(value[1:])
            self.links += re.findall(r"url\(#(.*?)\)", value or "")


def test_it_says_how_many_of_its_intervals_miss():
    """Of 3 tables with 4, 60 and 4 rows, of which one each has no data."""
    told = " ".join(report().reading)
    assert "print 65 intervals" in told
    assert "about 3 of them miss" in told


def test_a_label_is_earned_by_a_test():
    with pytest.raises(ValueError, match="'sure' needs a test"):
        Finding("No seat is favoured.", "sure", "seats")
    with pytest.raises(ValueError, match="no claim"):
        Finding("No seat is favoured.", "", "seats", tested="5 %")


def test_every_file_is_there_and_no_draft_is_left(written):
    folder = written.parent
    found = {str(path.relative_to(folder)) for path in folder.rglob("*.*")}
    tables = {
        f"tables/{name}.{end}"
        for name in ("win-share", "long", "bare")
        for end in ("csv", "parquet")
    }
    pictures = {
        f"figures/{name}.{end}"
        for name in ("win-share", "long")
        for end in ("svg", "png")
    }
    assert found == tables | pictures | {"report.html", "report.md", "report.json"}


def test_equal_reports_are_equal_bytes(written, tmp_path):
    again = report()
    write_report(again, tmp_path, png=True)
    write_report(
        again, tmp_path, png=True
    )  # replaces, and drawing twice changes nothing
    for path in written.parent.rglob("*.*"):
        other = tmp_path / path.relative_to(written.parent)
        assert other.read_bytes() == path.read_bytes(), path.name


def test_pictures_drawn_side_by_side_are_the_same(written, tmp_path):
    write_report(report(), tmp_path, draw=BackgroundPool(2).all)
    for path in written.parent.rglob("*.svg"):
        other = tmp_path / path.relative_to(written.parent)
        assert other.read_bytes() == path.read_bytes(), path.name


def test_ids_are_unique_and_every_reference_is_met(written):
    page = Ids(written.read_text())
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)


def test_page_is_self_contained_and_escaped(written):
    text = written.read_text()
    assert not re.search(r'(src|<link[^>]*href|@import)\s*=?\s*"?https?:', text)
    assert "A balance report of &lt;b&gt;4 players" in text
    assert 'aria-label="Who wins. Ties &lt; share &amp; share alike."' in text


def test_all_rows_and_docs_are_on_the_page(written):
    text = written.read_text()
    assert all(f">seat {row}<" in text for row in range(1, 61))
    assert 'title="share of games won"' in text
    assert "<dd>share of games won</dd>" in text
    assert all(f'class="chip {sure}"' in text for sure in ("sure", "likely", "open"))


def test_markdown_says_the_same(written):
    text = written.with_suffix(".md").read_text()
    assert "- **sure**: No seat is favoured." in text
    assert "| seat 1 | 1,000 | 20.0 ± 1.3 % |" in text
    assert "| life_gems | Life gems: 4 instead of 3 (life_gems). |" in text
    assert r"the rulebook \| is silent" in text
    assert "nan" not in text.lower()


def test_the_glossary_says_what_is_counted(written):
    assert '<section id="glossary">' in written.read_text()
    text = written.with_suffix(".md").read_text()
    assert "| won by seat | games that are won | share | seat |" in text
    found = json.loads(written.with_suffix(".json").read_text())
    assert found["glossary"] == [["won by seat", "games that are won", "share", "seat"]]


def test_json_has_front_matter_and_findings(written):
    found = json.loads(written.with_suffix(".json").read_text())
    assert found["simulated"] == [["games", "10,000"], ["seed", "7"]]
    assert found["findings"][0]["sure"] == "sure"
    assert found["sections"][0]["exhibits"][0]["table"] == "tables/win-share.parquet"


def test_tables_hold_all_columns(written):
    table = pl.read_parquet(written.parent / "tables" / "win-share.parquet")
    assert table.equals(shares())


MINUS = "\N{MINUS SIGN}"

PRINTED = [
    ("share", [0.3124], [0.301], [0.323], "31.2 ± 1.2 %"),
    ("share", [0.25], [0.2499], [0.2502], "25.000 % (24.990 to 25.020)"),
    ("share", [None], [0.0], [1.0], "no data"),
    ("share", [float("nan")], [None], [None], "no data"),
    ("number", [12.345], [11.0], [13.5], "12.3 ± 1.4"),
    ("number", [1234.5], None, None, "1,234.50"),
    ("number", [3.2], [None], [None], "3.20 (no interval)"),
    ("points", [-0.012], [-0.02], [-0.004], "-1.2 ± 0.8 pp".replace("-", MINUS)),
    ("points", [0.01], None, None, "+1.0 pp"),
    ("count", [12345], None, None, "12,345"),
    ("count", [None], None, None, "no data"),
    ("text", [None], None, None, "none"),
]


@pytest.mark.parametrize(("style", "value", "low", "high", "text"), PRINTED)
def test_numbers_are_printed(style, value, low, high, text):
    ends = {} if low is None else {"low": low, "high": high}
    column = Column("v", "v", "a value", style, *ends)
    shown = exhibit(table=pl.DataFrame({"v": value, **ends}), columns=(column,))
    [[printed]] = shown.shown.rows or [[text]]
    assert printed == text


def test_an_empty_table_says_so(tmp_path):
    part = Section("s", "S", "", (exhibit(table=shares().head(0), figure=None),))
    page = write_report(report(sections=(part,), findings=()), tmp_path)
    assert "no data" in page.read_text()


def test_unknown_columns_are_refused_with_the_nearest():
    with pytest.raises(ValueError, match=r"no column 'lwo'; nearest is .'low'"):
        exhibit(columns=(dataclasses.replace(SHARE, low="lwo"),))


@pytest.mark.parametrize("name", ["Upper", "a b", "../up", ""])
def test_ids_must_be_file_names(name):
    with pytest.raises(ValueError, match="hyphens"):
        report(sections=(Section(name, "S", ""),))


def test_ids_must_differ():
    with pytest.raises(ValueError, match="more than once"):
        report(sections=(Section("long", "S", "", (exhibit("long"),)),), findings=())


def test_findings_must_lead_somewhere():
    with pytest.raises(ValueError, match=r"no section 'seat'; nearest is .'seats'"):
        report(findings=(Finding("?", "open", "seat"),))


@chromium.needs_chromium
def test_chromium_shows_everything_without_an_error(written, tmp_path):
    text, console = chromium.dom(written, tmp_path / "profile")
    assert console == []
    for name in ("simulated", "findings", "seats", "course"):
        assert f'<section id="{name}"' in text
    assert text.count("<figure>") == text.count("<svg ") == 2
    assert text.count("<article ") == 3


@chromium.needs_chromium
def test_chromium_tells_of_errors(tmp_path):
    """The check above can fail."""
    page = tmp_path / "page.html"
    page.write_text("<script>nothing()</script>")
    _, console = chromium.dom(page, tmp_path / "profile")
    assert "nothing is not defined" in console[0]


BEYOND = """[...document.querySelectorAll("main *")].filter((one) =>
  !one.closest(".scroll, .plain, figure") &&
  one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((one) => one.tagName + one.id)"""


@pytest.mark.slow
@chromium.needs_chromium
def test_on_a_phone_all_is_in_sight_or_scrolls(written, tmp_path):
    with chromium.Browser(tmp_path / "profile") as phone:
        phone.tab(written.resolve().as_uri())
        phone.wait('document.readyState === "complete"')
        phone.size(390, 844)
        phone.run(
            'document.querySelectorAll("details").forEach((d) => (d.open = true))'
        )
        assert phone.run("document.querySelectorAll('main *').length") > 50
        assert phone.run(BEYOND) == []


def test_what_says_nothing_is_counted_and_not_printed():
    verdicts = ["differs"] * 8 + ["undecided"]
    table = shares(9).with_columns(verdict=pl.Series(verdicts), no=pl.lit(None))
    columns = (SHARE, Column("no", "no", "nothing", "share"))
    shown = exhibit(table=table, columns=columns, figure=None).shown
    assert len(shown.rows) == 8
    assert shown.columns == (SHARE,)
    assert "1 undecided row and 1 column without" in shown.left_out


def test_a_ranked_table_prints_the_nearest_rows_decided_or_not():
    table = shares(12).with_columns(verdict=pl.lit("undecided"))
    shown = exhibit(table=table, nearest=3).shown
    assert [row[0] for row in shown.rows] == ["seat 1", "seat 2", "seat 3"]
    assert shown.left_out == "Left out: 9 more rows; the files have them."
    assert exhibit(table=table).shown.rows == ()
