"""What counts of a run: prefixes, stopping early, cells that fail, misuse."""

import itertools
import pickle
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

import fairdeal as fd
from experiments.core.block_records import Block
from experiments.core.blocks import Outcome, play_block
from experiments.core.cells import Cell, UsageError
from experiments.core.event_tables import raw_table_names
from experiments.execution import backends
from experiments.execution.block_tasks import Task, play_task
from experiments.execution.counted_blocks import CellPrefix, interleave_blocks
from experiments.execution.failures import BlockFailure
from experiments.execution.run import RunFailed, run
from reports.batches import BATCHES
from reports.measures import BATCHED, SUM_TYPES, SUMS
from reports.statistics.sequential import PrecisionStop, interval
from sim.games import REGISTRY, load

RULES = load("kunitame").rules()


def cell(lineup: str = "random", seed: int = 1, players: int = 4) -> Cell:
    return Cell("kunitame", RULES, players, (lineup,) * players, seed=seed)


def sums_of(block: Block, count: float = 1.0) -> pl.DataFrame:
    values = {name: [count] for name in SUMS}
    values |= {name: [[count] * BATCHES] for name in BATCHED}
    named = pl.DataFrame({"cell": [block.cell], "measure": ["won"]})
    return named.hstack(pl.DataFrame(values, SUM_TYPES))


@dataclass(frozen=True)
class After:
    """Enough at so many games."""

    games: int

    def enough(self, sums: pl.DataFrame, games: int) -> bool:
        return games >= self.games


def fails_at(*firsts: int):
    def play(cell: Cell, block: Block, *rest: object) -> Outcome:
        if block.first in firsts and cell.seed == 1:
            raise ZeroDivisionError(f"in block {block.first}")
        return play_block(cell, block)

    return play


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_only_a_prefix_counts_whatever_the_order(order):
    prefix = CellPrefix([0], 40, 10, After(20))
    blocks = list(prefix.blocks())
    for number in order:
        prefix.add(blocks[number], lambda n=number: sums_of(blocks[n], 10.0**n))
    assert prefix.stopped
    assert prefix.games == 20
    assert prefix.sums is not None
    assert prefix.sums["y"].to_list() == [11]
    assert prefix.wanted == prefix.done == 20


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_the_first_failure_counts_whatever_the_order(order):
    prefix = CellPrefix([0], 40, 10, None)
    blocks = list(prefix.blocks())
    for number in order:
        if number in {1, 3}:
            prefix.fail(BlockFailure(blocks[number], ValueError(str(number))))
        else:
            prefix.add(blocks[number], lambda n=number: sums_of(blocks[n]))
    assert prefix.failed is not None
    assert prefix.failed.message == "ValueError: 1"
    assert prefix.games == 10


def test_a_failure_after_enough_games_does_not_count():
    prefix = CellPrefix([0], 40, 10, After(20))
    blocks = list(prefix.blocks())
    prefix.fail(BlockFailure(blocks[2], ValueError()))
    assert not list(prefix.blocks())  # no more is asked for meanwhile
    prefix.add(blocks[0], lambda: sums_of(blocks[0]))
    prefix.add(blocks[1], lambda: sums_of(blocks[1]))
    assert prefix.stopped
    assert prefix.failed is None


def test_cells_take_turns():
    prefixes = [CellPrefix([number], 25, 10, None) for number in range(2)]
    found = [(block.cell, block.first) for block in interleave_blocks(prefixes)]
    assert found == [(0, 0), (1, 0), (0, 10), (1, 10), (0, 20), (1, 20)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_stops_on_the_same_games_as_a_shorter_run(jobs):
    cells = [cell("greedy"), cell("random")]
    whole = run(cells, 6_000, jobs=jobs, block=500, stop=After(1_200))
    assert whole.played == (1_500, 1_500)
    assert whole.games == 6_000
    assert whole.sums.equals(run(cells, 1_500).sums)


def test_precision_is_reached_and_its_interval_is_the_wider_one():
    stop = PrecisionStop("won by seat", 0.03, first=1_000)
    result = run([cell("random")], 60_000, block=500, stop=stop)
    [played] = result.played
    assert 1_000 < played < 20_000
    assert result.manifest["stopped"] == [True]
    assert result.looked == 1_000
    found = result.estimates("won by seat", "share").row(0, named=True)
    sums = [found[key] for key in ("y", "x", "yy", "xx", "xy", "games")]
    _, low, high = interval(*sums, share=True, first=1_000)
    assert (found["low"], found["high"]) == pytest.approx((float(low), float(high)))
    assert found["high"] - found["low"] <= 0.06
    usual = run([cell("random")], played).estimates("won by seat", "share")
    assert usual["high"][0] - usual["low"][0] < found["high"] - found["low"]


def test_a_run_too_short_to_be_looked_at_has_the_usual_intervals():
    stop = PrecisionStop("won by seat", 0.03, first=10_000)
    short = run([cell("random")], 1_500, block=500, stop=stop)
    assert short.played == (1_500,)
    plain = run([cell("random")], 1_500)
    assert short.estimates("won by seat").equals(plain.estimates("won by seat"))


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_failing_cell_takes_no_other_with_it(jobs, tmp_path):
    cells = [cell(), cell(seed=2)]
    how = {"jobs": jobs, "block": 500, "play": fails_at(1_000, 2_000)}
    result = run(cells, 3_000, fail_fast=False, out=tmp_path / "o", **how)
    assert result.failures == {0: "ZeroDivisionError: in block 1000"}
    assert result.played == (0, 3_000)
    assert result.sums["cell"].unique().to_list() == [1]
    assert result.to_polars()["cell"].to_list() == [1]
    assert result.manifest["failures"] == result.failures
    with pytest.raises(ZeroDivisionError, match="in block 1000") as raised:
        run(cells, 3_000, **how)
    where = [
        *getattr(raised.value, "__notes__", []),
        f"in {raised.traceback[-1].name}\n",
    ]
    assert any("in play\n" in words for words in where)


def test_only_the_cells_that_are_named_end_a_run_when_they_fail():
    def play(one, block, *_):
        if block.cell == 1:
            raise ZeroDivisionError("of the second")
        return play_block(one, block)

    cells = [cell(), cell(seed=2)]
    found = run(cells, 100, play=play, fail_fast={0})
    assert found.failures == {1: "ZeroDivisionError: of the second"}
    assert found.played == (100, 0)
    with pytest.raises(ZeroDivisionError, match="of the second"):
        run(cells, 100, play=play, fail_fast={1})


def test_the_error_of_another_process_says_where_it_was_raised():
    pytest.importorskip("distributed")  # makes tracebacks a part of pickled errors
    task = Task(cell(), Block(0, 0, 10), False, (), fails_at(0))
    travelled = pickle.loads(pickle.dumps(play_task(task)))  # noqa: S301 - made here
    [note] = travelled.raised().__notes__
    assert "test_run.py" in note


def test_nothing_but_failures():
    result = run([cell()], 100, fail_fast=False, play=fails_at(0))
    assert result.played == (0,)
    assert result.sums.is_empty()
    with pytest.raises(KeyError, match="did not happen"):
        result.estimates("won by seat")


def test_memory_that_is_short_stops_the_run():
    def play(*_: object) -> Outcome:
        raise MemoryError

    with pytest.raises(RunFailed, match="fewer --jobs"):
        run([cell()], 100, fail_fast=False, play=play)


def test_an_error_that_cannot_travel_is_told():
    class Odd(Exception):
        def __init__(self, one: int, other: int) -> None:
            super().__init__("odd")

    def play(*_: object) -> Outcome:
        raise Odd(1, 2)

    result = run([cell()], 100, fail_fast=False, play=play)
    assert result.failures == {0: "RuntimeError: Odd: odd"}


class Caused(Exception):
    """An error whose cause is pickled with it, as tblib sees to where dask is."""

    def __reduce__(self) -> tuple[object, ...]:
        return Caused, self.args, {"__cause__": self.__cause__}


def test_an_error_whose_cause_cannot_travel_stays_what_it_is():
    class Odd(Exception):
        """Only known in here."""

    def play(*_: object) -> Outcome:
        raise Caused("no idea") from Odd()

    with pytest.raises(Caused, match="no idea"):
        run([cell()], 100, fail_fast=True, play=play)


MISUSE = {
    "no cell": ({"cells": []}, "cells: at least one"),
    "games": ({"games": 0}, "games: at least 1"),
    "block": ({"block": 0}, "block: at least 1 game"),
    "jobs": ({"jobs": 0}, "-1 for all cores"),
    "backend": ({"backend": "lokky"}, "did you mean 'loky'?"),
    "scheduler": ({"scheduler": "tcp://here:1"}, "add --backend dask"),
    "no scheduler": ({"backend": "dask"}, "such as tcp://192.168.1.10:8786."),
    "address": ({"backend": "dask", "scheduler": "here:1"}, "not 'here:1'"),
    "tables": ({"tables": ["trick"]}, "name a directory"),
    "no table": ({"tables": ["trik"], "out": Path("o")}, "did you mean 'trick'?"),
}


@pytest.mark.parametrize("name", MISUSE)
def test_misuse(name, here):
    change, expected = MISUSE[name]
    with pytest.raises(UsageError) as raised:
        run(**{"cells": [cell()], "games": 100, **change})
    assert expected in str(raised.value)
    assert not Path("o").exists()


def test_without_dask_installed(monkeypatch):
    monkeypatch.setattr(
        "experiments.execution.cluster_backend.find_spec", lambda name: None
    )
    with pytest.raises(UsageError, match=r"pip install 'fairdeal\[dask\]'"):
        backends.check_backend("dask", "tcp://here:1", 1)


def test_raw_tables_of_several_cells(tmp_path):
    cells = [cell(players=3), cell(players=4)]
    result = run(cells, 900, tables=["trick", "play"], out=tmp_path / "o", block=500)
    tricks = result.raw("trick")
    weeks, hand = RULES.weeks, RULES.hand
    counts = dict(tricks.group_by("cell").len().iter_rows())
    assert set(counts) == {0, 1}
    assert counts[1] == 900 * weeks * hand
    lazy = result.scan("trick").filter(pl.col("game") == 700).select("cell").collect()
    assert set(lazy["cell"]) == {0, 1}
    with pytest.raises(KeyError, match="was not kept"):
        result.raw("gem")


@pytest.mark.parametrize("game", REGISTRY)
def test_every_event_of_every_game_can_be_kept(game, tmp_path):
    """Socialism's board has cells, which are not the cells of a run."""
    known = load(game)
    one = Cell(game, known.rules(), known.players[0], ("random",) * known.players[0])
    names = raw_table_names(known, "all")
    run([one], 20, tables=names, out=tmp_path / "o")
    for name in names:
        for file in (tmp_path / "o/tables" / name).glob("*.parquet"):
            assert set(pl.read_parquet(file)["cell"]) <= {0}


def test_raw_tables_hold_the_games_that_count(tmp_path):
    result = run(
        [cell()],
        5_000,
        jobs=2,
        block=500,
        stop=After(1_000),
        tables=["trick"],
        out=tmp_path / "o",
    )
    assert result.raw("trick")["game"].max() == 999
    on_disk = pl.read_parquet(tmp_path / "o/tables/trick/*.parquet")
    assert on_disk.equals(result.raw("trick").cast(on_disk.schema))


def test_the_door_passes_all_of_it_on():
    result = fd.play("kunitame", games=50_000, seed=1, jobs=1, stop=After(16_384))
    assert result.played == (16_384,)


def test_the_cells_that_are_wanted_first_are_played_first() -> None:
    """Block by block; the results are those of any other order."""
    cells, order = [cell(seed=seed) for seed in (1, 2, 3)], []

    def here(tasks):
        for task in tasks:
            order.append((task.block.cell, task.block.first))
            yield play_task(task)

    found = run(cells, 20, block=10, first=[2, 1], backend=here)
    assert order == [(1, 0), (2, 0), (1, 10), (2, 10), (0, 0), (0, 10)]
    assert found.sums.equals(run(cells, 20, block=10).sums)
