"""The same results for any number of processes, and for game 7 wherever it is."""

import json
import random

import numpy as np
import pytest
from polars.testing import assert_frame_equal

import fairdeal as fd
from experiments.core.blocks import BLOCK, DETAILED, block_size
from experiments.core.cells import Cell, play
from experiments.execution import backends
from experiments.execution.run import run
from sim.games import REGISTRY, load


def cells() -> list[Cell]:
    """One of each kind: both games, lineups that rotate and that do not."""
    kunitame, kbernestich = (load(game).rules() for game in ("kunitame", "kbernestich"))
    mixed = ("allround", "random", "random")
    return [
        Cell("kunitame", kunitame, 4, ("greedy", *mixed), rotate=True, seed=3),
        Cell("kunitame", kunitame, 3, ("planner",) * 3, seed=3),
        Cell("kbernestich", kbernestich, 3, mixed, rotate=True, seed=3),
    ]


def test_jobs_change_no_bit():
    found = [run(cells(), 1_500, block=500, jobs=jobs).sums for jobs in (1, 2, 3)]
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])


@pytest.mark.soak
@pytest.mark.parametrize("order", [1, 2])
def test_the_order_of_blocks_changes_no_bit(monkeypatch, order, tmp_path):
    how = {"block": 400, "detailed": True}
    whole = run(cells(), 1_200, **how)
    real = backends.run_tasks

    def shuffled(tasks, *rest, **more):
        done = list(real(tasks, *rest, **more))
        random.Random(order).shuffle(done)
        yield from done

    monkeypatch.setattr(backends, "run_tasks", shuffled)
    assert run(cells(), 1_200, **how).sums.equals(whole.sums)
    assert run(cells(), 1_200, out=tmp_path / "o", **how).sums.equals(whole.sums)


@pytest.mark.slow
@pytest.mark.parametrize("game", REGISTRY)
def test_the_size_of_blocks_changes_no_bit(game):
    """A measure may leave out groups that nobody has, and nothing else with them."""
    known = load(game)
    tables = [
        Cell(game, known.rules(), players, (lead,), seed=3)
        for players in {known.players[0], known.players[-1]}
        for lead in ("allround", "random")
    ]
    how = {"detailed": True}
    whole, parts = (run(tables, 120, block=size, **how).sums for size in (120, 20))
    assert_frame_equal(parts, whole, check_exact=True)


def test_long_runs_of_uneven_games_have_larger_blocks():
    rules = {game: load(game).rules() for game in ("devil", "kunitame")}
    devil, kunitame = (Cell(game, of, 4, ("random",) * 4) for game, of in rules.items())

    def size(*cells: Cell, games: int, **how: bool) -> int:
        return block_size(cells, games, **{"detailed": False, "looked_at": False} | how)

    assert size(devil, games=40 * BLOCK) == BLOCK
    assert size(devil, devil, games=100 * BLOCK) == 3 * BLOCK
    assert size(devil, games=96 * BLOCK) == 96 * BLOCK // 32
    assert size(devil, devil, games=1_000 * BLOCK) == load("devil").blocks * BLOCK
    assert size(devil, kunitame, games=1_000 * BLOCK) == BLOCK
    for how in ({"detailed": True}, {"looked_at": True}):
        assert size(devil, games=1_000 * BLOCK, **how) == DETAILED


@pytest.mark.parametrize(
    ("games", "blocks"), [(1.0, 1), (1.1, 2), (2.0, 2), (2.1, 4), (15.3, 16), (40, 40)]
)
def test_blocks_of_a_lineup_are_even_for_two_hands_and_four(games, blocks):
    cell = Cell("kunitame", load("kunitame").rules(), 4, ("random",) * 4)
    many = int(games * BLOCK)
    size = block_size([cell], many, detailed=False, looked_at=False)
    assert size <= BLOCK
    assert -(-many // size) == blocks
    assert blocks == 1 or many - (blocks - 1) * size > size - blocks  # the last one too


def test_game_7_is_game_7():
    rules = load("kunitame").rules()
    cell = Cell(
        "kunitame", rules, 4, ("greedy", "random", "random", "planner"), True, 2
    )
    alone = play(cell, np.array([7], dtype=np.uint64)).state
    among = play(cell, np.arange(3, 60, dtype=np.uint64)).state
    assert (alone.points[:, 0] == among.points[:, 4]).all()
    assert (alone.life[:, 0] == among.life[:, 4]).all()


def test_trace_of_one_game_is_that_of_a_run(fairdeal):
    lineup = ("--lineup", "greedy,random,planner,random", "--rotate", "--seed", "9")
    words = ("trace", "kunitame", "--format", "jsonl", *lineup)
    whole = fairdeal(*words, "--games", "100").stdout.splitlines()
    for game in (0, 7, 99):
        alone = fairdeal(*words, "--number", str(game)).stdout.splitlines()
        assert alone == [line for line in whole if json.loads(line)["game"] == game]


def test_results_in_a_notebook():
    game = fd.Game("kunitame")
    result = game.play(game.rules(life=4), games=200, lineup="greedy", seed=1, jobs=1)
    table = result.to_polars()
    assert {"strategy", "won", "won_low", "won_high"} <= set(table.columns)
    assert result.to_pandas("seat").shape[0] == 4
    assert "<table" in result._repr_html_()
    assert result.manifest["cells"][0]["rules"]["life"] == 4
