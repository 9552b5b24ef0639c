"""Notes are recorded where a section that is counted says that it reads them."""

from dataclasses import replace

import polars as pl
import pytest

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.core.measures import report_for_set, report_of
from reports.game_report import PARTIAL_KINDS, GameReport, MeasureSet, ReportSection
from reports.measures import MeasuresOf
from reports.recorded_notes import NoNote, RecordedNotes
from sim import games

BLOCK = Block(0, 0, 48)
ALL = tuple(games.REGISTRY)


def cell_of(game, **how):
    known = games.load(game)
    players = max(n for n in known.players if n <= 4)
    return Cell(game, known.rules(), players, ("allround",), True, **how).resolved()


def test_what_nobody_listened_to_cannot_be_read():
    raw = RecordedNotes({"result": pl.DataFrame({"game": [0]})}, {"trick"})
    assert raw["result"].height == 1
    assert "gem" not in raw
    assert raw.get("gem") is None
    assert list(raw) == ["result"]
    assert len(raw) == 1
    for read in (raw.__getitem__, raw.get, raw.__contains__):
        with pytest.raises(NoNote, match="'trick' is read but not recorded"):
            read("trick")


def _section(measure, *records):
    return ReportSection(
        lambda data: iter(()),
        (MeasuresOf("rows", unit="").share(measure, "of all", pl.lit(value=True)),),
        tables=lambda read: {"rows": read[0][measure]},
        records=records,
    )


def test_a_report_of_few_measures_hears_what_their_sections_read():
    rows = pl.DataFrame({"game": [0, 1]}, {"game": pl.UInt64})
    raw = {"end": rows, "trick": rows, "gem": rows}
    report = GameReport(
        (_section("trick", "trick"), _section("gem", "gem")), records=("end",)
    )
    assert report.all_notes == ("end", "trick", "gem")
    few = report.only({"gem"})
    assert few.all_notes == ("end", "gem")
    assert [one.measure for one in few.counts_of(raw, {}, 0)] == ["gem"]
    wrong = replace(report, sections=(_section("trick", "trick"), _section("gem")))
    with pytest.raises(NoNote, match="'gem' is read"):
        list(replace(wrong, not_recorded=frozenset({"gem"})).counts_of(raw, {}, 0))
    none = few.only(set())
    assert none.not_recorded == {"trick", "gem"}
    with pytest.raises(NoNote, match="'trick' is read"):
        none.read(raw, {})[0]["trick"]


@pytest.mark.parametrize("game", ALL)
def test_each_kind_of_cell_records_what_it_counts(game):
    whole = set(report_of(game).all_notes)
    fewer = []
    for kind in PARTIAL_KINDS:
        report = report_for_set(game, kind)
        if report is not None:
            fewer.append(set(report.all_notes) < whole)
            assert play_block(cell_of(game, measure_set=kind), BLOCK, True).sums.height
    assert any(fewer)


@pytest.mark.parametrize("game", ALL)
def test_the_scorecard_and_the_story_record_what_they_count(game):
    cell, report = cell_of(game), report_of(game)
    scored = cell_of(game, measure_set=MeasureSet.SCORED)
    assert play_block(scored, BLOCK, True).sums.height
    played, raw = record_block(cell, BLOCK, report.course_notes, [])
    read = report.read(raw, report_context(cell, played), report.course_notes)
    assert report.standing is not None
    assert report.standing(read) is not None
