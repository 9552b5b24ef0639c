"""What a cell collects: all measures, or only the result."""

import pytest

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.core.measures import measures_of, report_of
from reports.course.measures import counts
from sim.games import REGISTRY, load

BLOCK = Block(0, 0, 48)


def cell_of(game, collect="all"):
    known = load(game)
    players = max(n for n in known.players if n <= 4)
    lineup = ("allround",)
    return Cell(game, known.rules(), players, lineup, True, collect=collect).resolved()


@pytest.mark.parametrize("game", REGISTRY)
def test_what_is_collected_is_the_same_whatever_else_is(game):
    every = play_block(cell_of(game), BLOCK, True).sums
    names = {*every["measure"]}
    sums = play_block(cell_of(game, "result"), BLOCK, True).sums
    assert {*sums["measure"]} == names & {*measures_of(game, detailed=False)} < names
    for (name,), rows in sums.group_by("measure"):
        whole = every.filter(measure=name).select(rows.columns)
        assert rows.equals(whole), name


@pytest.mark.parametrize("game", REGISTRY)
def test_the_course_is_known_from_the_notes_that_it_names(game):
    cell, report = cell_of(game), report_of(game)
    found = []
    for notes in (report.course_notes, report.all_notes):
        played, raw = record_block(cell, BLOCK, notes, [])
        read = report.reads(raw, report_context(cell, played))
        found.append([each.sums() for each in counts(report.standing(read))])
    for one, other in zip(*found, strict=True):
        assert one.equals(other)
