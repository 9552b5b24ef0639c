"""How games end, read from raw tables, is what the summary adds up, in every game."""

import polars as pl
import pytest

from experiments.blocks import Block, play_block, record
from experiments.cells import Cell
from experiments.weighing.endings import measures, results, roles
from reports.measures import SUMS, sums
from sim.games import REGISTRY, load

GAMES = 60


@pytest.mark.parametrize("game", REGISTRY)
def test_the_same_sums(game):
    known = load(game)
    players = known.players[-1]
    lineup = ("balanced", *["random"] * (players - 1))
    cell = Cell(game, known.rules.of(), players, lineup, True, seed=3)
    block = Block(0, 0, GAMES)
    ends = play_block(cell, block).sums.drop("cell")
    _, raw = record(cell, block, ("result",), [])
    table = results(raw["result"], cell, roles(cell, cell))
    found = measures(known)
    assert {measure.name for measure in found} == {
        name for name in ends["measure"].unique() if not name.startswith("match")
    }
    for measure in found:
        by = list(measure.by)
        mine = sums(measure, table).with_columns(
            pl.col(SUMS).cast(pl.Float64), pl.col(by).cast(pl.String)
        )
        theirs = ends.filter(measure=measure.name).with_columns(
            pl.col(by).cast(pl.String)
        )
        mine, theirs = (side.select(*by, *SUMS) for side in (mine, theirs))
        if by:
            mine, theirs = mine.sort(by), theirs.sort(by)
        assert mine.equals(theirs), measure.name
