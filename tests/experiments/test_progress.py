"""What is shown of a run while it lasts."""

from dataclasses import replace

import polars as pl
import pytest

from experiments.commands import progress
from experiments.core.block_records import Block
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.execution.run import run
from sim.games import load

RULES = load("kunitame").rules()


def cell(*lineup: str) -> Cell:
    return Cell("kunitame", RULES, 4, lineup * (4 // len(lineup)), rotate=True)


def test_so_far():
    mixed = cell("random", "greedy")
    sums = play_block(mixed, Block(0, 0, 2_000)).sums
    text = progress.so_far(mixed, sums, 2_000)
    assert text.startswith("so far greedy ")
    assert text.endswith(" % (2,000 games)")
    same = cell("random")
    sums = play_block(same, Block(0, 0, 500)).sums
    text = progress.so_far(same, sums, 500)
    assert "first dealer " in text
    assert "last " in text
    named = replace(same, label="life=4")
    assert progress.so_far(named, sums, 500).startswith("so far life=4: first dealer ")
    assert progress.so_far(same, pl.DataFrame({"measure": ["x"]}), 1) == ""
    parts = pl.concat([sums, sums])  # in batches: a row a position and batch
    assert progress.so_far(same, parts, 500) == text


def test_lines_where_there_is_no_terminal(capsys):
    with progress.watch("run", every=0) as shown:
        run([cell("random", "greedy")], 3_000, block=1_000, progress=shown)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2  # of three blocks; the last says nothing new
    assert lines[0].startswith("run: 1,000 of 3,000 games, about ")
    assert " s left; so far greedy " in lines[0]


def test_each_step_tells_its_own_time_and_what_is_sure(capsys):
    with progress.watch("report", every=0) as shown:
        shown.step("1 of 2, the panel")
        for done in (0, 900, 1_000):
            shown(done, 1_000)
        shown.tell("so far: it is so")
        shown.step("2 of 2, luck")
        for done in (0, 5, 10):
            shown(done, 10)
    first, second, third = capsys.readouterr().err.splitlines()
    assert first.startswith("report 1 of 2, the panel: 900 of 1,000 games, about 0 s")
    assert first.endswith("left in this step")
    assert second == "so far: it is so"
    assert third.startswith("report 2 of 2, luck: 5 of 10 games, about 0 s left")


def test_a_bar_in_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress.watch("run", every=0) as shown:
        shown.step("1 of 1")
        run([cell("random")], 3_000, block=1_000, progress=shown)
        shown.tell("it is so")
    told = capsys.readouterr()
    assert told.out == ""
    assert "it is so" in told.err
    assert "games, left" in told.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_done_and_in_all(jobs):
    class After:
        def enough(self, sums: pl.DataFrame, games: int) -> bool:
            return games >= 2_000

        def expected(self, sums: pl.DataFrame, games: int) -> float:
            return 2_100.0 if games > 1_000 else float("nan")

    told: list[tuple[int, int]] = []
    run([cell("random")], 2_000, block=500, jobs=jobs)  # its processes have started
    run(
        [cell("random")],
        9_000,
        block=500,
        jobs=jobs,
        stop=After(),
        progress=lambda done, total: told.append((done, total)),
    )
    assert told[0] == (0, 9_000)
    assert told[-1] == (2_000, 2_000)
    assert all(done <= total for done, total in told)
    assert any(total < 9_000 for _, total in told[:-1])
