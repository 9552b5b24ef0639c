"""What is shown of a run while it lasts."""

from dataclasses import replace

import polars as pl
import pytest

from experiments.commands import progress
from experiments.core.blocks import play_block
from experiments.core.cells import Cell
from experiments.core.recording import Block
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
    assert progress.so_far(same, pl.DataFrame({"side": ["one"]}), 1) == ""


def test_lines_where_there_is_no_terminal(capsys):
    with progress.watch("run", every=0) as shown:
        run([cell("random", "greedy")], 3_000, block=1_000, progress=shown)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2  # of three blocks; the last says nothing new
    assert lines[0].startswith("run: 1,000 of 3,000 games, about ")
    assert " s left; so far greedy " in lines[0]


def test_a_bar_in_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress.watch("run", every=0) as shown:
        run([cell("random")], 3_000, block=1_000, progress=shown)
    told = capsys.readouterr()
    assert told.out == ""
    assert "games, left" in told.err


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_done_and_in_all(jobs):
    class After:
        def enough(self, sums: pl.DataFrame, games: int) -> bool:
            return games >= 2_000

        def expected(self, sums: pl.DataFrame, games: int) -> float:
            return 2_100.0 if games > 1_000 else float("nan")

    told: list[tuple[int, int]] = []
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
