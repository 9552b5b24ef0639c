"""The steps of a report: told is the first that is not over, however they go on."""

import pytest

from experiments.analysis.report_progress import AwaitedCells, ReportProgress
from experiments.core.cells import Cell
from experiments.execution.run import run
from reports.report_document import Sentence
from sim.games import load

ONE, OTHER = (
    Cell("kunitame", load("kunitame").rules(), 4, ("random",) * 4, seed=seed)
    for seed in (1, 2)
)


class Heard:
    """A progress that keeps whatever it is told."""

    def __init__(self):
        self.told = []

    def __call__(self, done, total):
        """Games done, and games in all."""
        self.told.append((done, total))

    def step(self, text):
        """A step begins."""
        self.told.append(text)

    def tell(self, text):
        """A sentence."""
        self.told.append(text)

    def found(self, cell, sums, games):
        """The sums of a cell."""
        self.told.append(games)


def sums(games):
    return run([ONE], games).sums


def test_told_is_the_first_that_is_not_over():
    heard = Heard()
    steps = ReportProgress(heard, ["panel", "search"])
    panel, search = steps.of("panel"), steps.of("search")
    panel(0, 10)
    search(0, 4)
    panel(6, 10)
    search(2, 4)
    assert heard.told == ["1 of 3, panel", (0, 10), (6, 10)]
    panel(10, 10)
    assert heard.told[3:] == [(10, 10), "2 of 3, search", (2, 4)]
    search(4, 4)
    assert heard.told[6:] == [(4, 4), "3 of 3, the page"]


def test_a_step_that_was_over_long_ago_is_passed():
    heard = Heard()
    steps = ReportProgress(heard, ["panel", "search", "whole games"])
    steps.of("search")(4, 4)
    steps.of("panel")(10, 10)
    assert heard.told[1:] == [(10, 10), "2 of 4, search", (4, 4), "3 of 4, whole games"]
    steps.done("whole games")
    assert heard.told[-1] == "4 of 4, the page"


def test_what_was_found_is_told_of_that_step_alone():
    heard = Heard()
    steps = ReportProgress(heard, ["panel", "search"])
    steps.of("panel").found(ONE, sums(5), 5)
    steps.of("search").found(OTHER, sums(3), 3)
    assert heard.told[1:] == [5]


def test_cells_are_awaited_in_whatever_step_and_once():
    acted = []
    steps = ReportProgress(None, ["panel", "search"])
    steps.awaited = (AwaitedCells([(OTHER, 8), (ONE, 4)], acted.append),)
    steps.of("panel").found(ONE, sums(2), 2)
    steps.of("panel").found(ONE, sums(4), 4)
    assert not acted
    steps.of("search").found(OTHER, sums(8), 8)
    [found] = acted
    assert found.filter(cell=0).drop("cell").equals(sums(8).drop("cell"))
    assert found.filter(cell=1).drop("cell").equals(sums(4).drop("cell"))


@pytest.mark.parametrize("progress", [None, lambda done, total: None])
def test_nobody_needs_to_listen(progress):
    steps = ReportProgress(progress, ["panel"])
    assert not steps.has_audience
    steps.tell([Sentence("words", "positions", "sure", "")], "more")
    steps.of("panel")(10, 10)
    assert steps.current_step == "the page"


def test_a_line_is_told_once():
    heard = Heard()
    steps = ReportProgress(heard, ["panel"])
    said = Sentence("last wins", "positions", "sure", "")
    steps.tell([said])
    steps.tell([said], "page.html")
    assert heard.told[1:] == ["so far: last wins", "page.html"]
