"""What a declared report refuses, and tables made of its measures."""

import numpy as np
import polars as pl
import pytest

from experiments.core.measures import report_of
from reports.counts import grid
from reports.game_report import (
    NOT_RELEARNED,
    GameReport,
    ReportSection,
    WhatIfs,
)
from reports.measure_tables import (
    MeasureTable,
    Number,
    WordColumn,
    side_by_side,
    with_words,
)
from reports.measures import SUMS, Measure, MeasuresOf
from reports.report_data import CELL, ReportData
from reports.report_document import Column, Finding
from sim.games import REGISTRY

REGION = Column("region", "region", "where")
HELD = Measure("held", "regions held", "share", "t", pl.col("held"), by=("region",))
GAINS = Measure("gains", "points of it", "mean", by=("region",), unit="pp")


def nothing(found):
    yield "intro"


def only_table(read):
    return {"t": read[0]["t"]}


NAMES = {"id": "a", "title": "A", "question": "What is A?"}


def report(*measures, counts=None, groups=(REGION,)):
    section = ReportSection(nothing, measures, only_table, counts, **NAMES)
    return GameReport((section,), ("t",), groups=groups)


RAW = {
    "t": pl.DataFrame(
        {"game": [7, 7, 8], "region": ["n", "s", "n"], "held": [True, False, False]}
    )
}


@pytest.mark.parametrize("played", [True, False])
def test_a_section_says_that_nobody_relearned_other_rules(played):
    others = WhatIfs(other_rules=lambda _: ()) if played else WhatIfs()
    section = ReportSection(nothing, what_ifs=(others,), **NAMES)
    data = ReportData(pl.DataFrame(), pl.DataFrame(), 0, {}, "")
    assert section.of(data).intro == (f"intro {NOT_RELEARNED}" if played else "intro")


def test_words_group_a_measure_and_stay_words():
    [counts] = report(HELD).counts_of(RAW, {}, 7)
    found = counts.sums().sort("region")
    assert found["region"].to_list() == ["n", "s"]
    assert found.select(SUMS).rows() == [
        (1, 2, 1, 2, 1, 2, 1),
        (0, 1, 0, 1, 0, 1, 0),
    ]


def arrays(name, **groups):
    shape = (*map(len, groups.values()), 2)
    return lambda read: [grid(name, np.ones(shape), np.ones(shape), **groups)]


def test_arrays_count_what_is_declared():
    declared = report(GAINS, counts=arrays("gains", region=["n", "s"]))
    [counts] = declared.counts_of(RAW, {}, 0)
    assert counts.measure == "gains"


@pytest.mark.parametrize(
    ("name", "groups", "words"),
    [
        ("gain", {"region": ["n"]}, "'gains'"),
        ("gains", {"place": [1]}, "by \\('place',\\)"),
        ("held", {"region": ["n"]}, "no measure"),
    ],
)
def test_arrays_of_nothing_declared_are_refused(name, groups, words):
    declared = report(HELD, GAINS, counts=arrays(name, **groups))
    with pytest.raises(ValueError, match=words):
        list(declared.counts_of(RAW, {}, 0))


def test_one_measure_is_counted_once():
    twice = report(GAINS, counts=lambda read: 2 * arrays("gains", region=["n"])(read))
    with pytest.raises(ValueError, match="twice"):
        list(twice.counts_of(RAW, {}, 0))


def test_a_measure_that_nothing_counts_is_refused():
    with pytest.raises(ValueError, match="gains: its section has no counts"):
        report(GAINS)
    with pytest.raises(ValueError, match="held: its section has no tidy tables"):
        GameReport((ReportSection(nothing, (HELD,), **NAMES),), groups=(REGION,))


@pytest.mark.parametrize(
    ("measures", "groups", "words"),
    [
        ((HELD, Measure("held", "again", "share", "t")), (REGION,), "twice"),
        ((HELD,), (), "not in the report's groups"),
        ((Measure("m", "", "mean", "t", by=("lineup",)),), (REGION,), "already"),
    ],
)
def test_what_contradicts_itself_is_refused(measures, groups, words):
    with pytest.raises(ValueError, match=words):
        report(*measures, groups=groups)


@pytest.mark.parametrize("game", REGISTRY)
def test_every_measure_of_a_report_says_what_it_means(game):
    declared = report_of(game)
    assert [m.name for m in declared.measures.values() if not m.doc] == []
    assert [c.name for c in declared.columns.values() if not c.doc] == []


def found():
    rows = [
        {"cell": cell, "measure": name, "region": region}
        | dict(zip(SUMS, (*sums, sums[0]), strict=True))
        for cell in (0, 1)
        for name, region, sums in (
            ("held", "n", (30.0, 60.0, 30.0, 60.0, 30.0, 60.0)),
            ("held", "s", (60.0, 60.0, 60.0, 60.0, 60.0, 60.0)),
            ("gains", "n", (-6.0, 60.0, 20.0, 60.0, -6.0, 60.0)),
        )
    ]
    cells = pl.DataFrame(
        [[0, "expert", "self", 4, "", 0, ""], [1, "other", "self", 4, "", 0, ""]],
        schema=CELL,
        orient="row",
    )
    declared = report(HELD, GAINS, counts=arrays("gains", region=["n"]))
    return ReportData(
        pl.DataFrame(rows), cells, 60, {}, "expert", declared.measures, declared.columns
    )


def test_a_table_follows_from_its_measures():
    table = MeasureTable(
        "held",
        "Held",
        "Note.",
        ("region", Number("held", "held"), Number("gains", "gains", name="gains")),
        rows=with_words("where", str.upper, "region"),
    )
    made = table.of(found())
    assert made.table["cell"].to_list() == [0, 0]  # the leading lineup
    assert made.table["where"].to_list() == ["N", "S"]
    styles = [(column.title, column.style) for column in made.columns]
    assert styles == [
        ("region", "text"),
        ("held", "share"),
        ("gains", "points"),
        ("n", "count"),
    ]
    assert made.columns[1].doc == "regions held; 95 % interval by game"
    assert made.table["gains"].to_list() == [-0.1, None]
    low, high = made.table.select("low", "high").row(1)
    assert (low > 0.9, high) == (True, 1)  # a share: Wilson


def test_unknown_measures_are_refused_with_the_nearest():
    with pytest.raises(KeyError, match="held"):
        side_by_side(found(), [Number("hold", "held")])


def test_only_says_of_which_cells():
    every = side_by_side(found(), [Number("held", "held")], pl.col("players") == 4)
    assert every["cell"].to_list() == [0, 0, 1, 1]


def test_measures_of_one_table_have_its_groups_and_unit():
    of = MeasuresOf("t", by="region", unit="points")
    one, other = of.mean("gain", "d", "y"), of.share("all", "d", by="", unit="")
    assert (one.table, one.kind, one.by, one.unit) == (
        "t",
        "mean",
        ("region",),
        "points",
    )
    assert (other.table, other.kind, other.by, other.unit) == ("t", "share", (), "")
    made = MeasuresOf("t", by="region").share("held", "regions held", "held")
    [counts] = report(made).counts_of(RAW, {}, 7)
    [by_hand] = report(HELD).counts_of(RAW, {}, 7)
    assert counts.sums().equals(by_hand.sums())


def told(*parts):
    return ReportSection(lambda data: iter(parts), **NAMES).of(found())


def test_a_section_is_told_in_order():
    words = WordColumn("where", "where", "in capitals", str.upper, "region")
    table = MeasureTable("held", "Held", "Note.", (words, Number("held", "held")))
    section = told(
        "intro",
        Finding("one", ""),
        table,
        Finding("two", "open", "b"),
    )
    assert (section.id, section.title, section.intro) == ("a", "A", "intro")
    assert [(one.text, one.section) for one in section.findings] == [
        ("one", "a"),
        ("two", "b"),
    ]
    [exhibit] = section.exhibits
    assert exhibit.table["where"].to_list() == ["N", "S"]
    assert exhibit.columns[0] == Column("where", "where", "in capitals")


@pytest.mark.parametrize("name", NAMES)
def test_a_section_without_a_name_is_refused(name):
    section = ReportSection(nothing, **{**NAMES, name: ""})
    with pytest.raises(ValueError, match="needs id, title and question"):
        GameReport((section,))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((Finding("one", ""),), "a: a section begins with words"),
        (("intro", "text"), "a: 'text' is neither a table nor a finding"),
    ],
)
def test_what_is_no_section_is_refused(parts, words):
    with pytest.raises(TypeError, match=words):
        told(*parts)
