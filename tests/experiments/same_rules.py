"""A/A studies: pairs of runs of the same rules, cut out of longer runs.

A run of few games takes nearly as long as one of many, so many are played at once, and
counted in parts; each part is what a run of these games alone finds, sum by sum.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.compare import FAMILIES, of_runs
from experiments.analysis.sides import leading
from experiments.core.blocks import DETAILED, add_up
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.core.paired_sums import counted, roles
from experiments.core.recording import Block
from experiments.execution.results import Results
from reports.counts import Counts
from sim.games import load


def table(game: str) -> Cell:
    """Copies of one strategy under the base rules."""
    known = load(game)
    players = min(known.players[-1], 4)
    return Cell(game, known.rules(), players, (leading(game),) * players)


def runs(game: str, games: int, first: int = 0) -> Iterator[Results]:
    """Runs of so many games each, without end, from number ``first`` on."""
    cell, together = table(game), max(DETAILED // games, 1)
    while True:
        block = Block(0, first * games, together * games)
        _, counts = counted(cell, block, report_of(game), roles(cell, cell))
        sums = add_up([in_parts(one, games, together) for one in counts])
        for part in range(together):
            alone = sums.filter(part=part).drop("part")
            alone = alone.with_columns(cell=pl.lit(0, dtype=pl.Int32))
            one = replace(cell, seed=first + part)  # by which runs know their games
            yield Results((one,), games, alone, (games,), {})
        first += together


def in_parts(counts: Counts, games: int, parts: int) -> pl.DataFrame:
    """The sums of each so many games, numbered ``part`` from 0."""
    groups, group, game, y, x = len(counts.groups), None, None, counts.y, counts.x
    if counts.group is not None and counts.game is not None:
        group, game = counts.group * parts + counts.game // games, counts.game
    else:
        each = games // (games * parts // max(y.shape[1], 1))  # of some, one in so many
        y, x = (_rows(values, groups * parts, each) for values in (y, x))
    labels = {
        name: column.gather(np.repeat(np.arange(groups), parts))
        for name, column in counts.labels.items()
    }
    labels["part"] = pl.Series("part", np.tile(np.arange(parts), groups))
    sums = Counts(counts.measure, labels, y, x, group, game).sums()
    if counts.labels:  # what does not occur in a run has no row there
        sums = sums.filter((pl.col("x") != 0) | (pl.col("y") != 0))
    return sums.with_columns(measure=pl.lit(counts.measure))


def _rows(values: NDArray[Any], rows: int, games: int) -> NDArray[Any]:
    """(groups, all games) as (rows, games); the last games may lack."""
    lacking = rows * games // max(len(values), 1) - values.shape[1]
    return np.pad(values, ((0, 0), (0, lacking))).reshape(rows, games)


def alarms(game: str, games: int, studies: int, first: int = 0) -> dict[str, int]:
    """How many studies call any number of a family different, or out of tolerance."""
    found = dict.fromkeys(FAMILIES, 0)
    played = runs(game, games, first)
    for _ in range(studies):
        rows = of_runs(next(played), next(played))
        for family in FAMILIES:
            called = rows.family(family)
            called = called["different"] | (called["verdict"] == "outside")
            found[family] += bool(called.any())
    return found
