"""A/A studies: pairs of runs of the same rules, cut out of longer runs.

A run of few games takes nearly as long as one of many, so many are played at once and
counted in parts, of which each is what a run of these games alone finds, sum by sum.
Two neighbours are a study; all of a block are judged in one go.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.analysis.compare import FAMILIES
from experiments.analysis.measure_differences import ComparisonTolerance, with_verdicts
from experiments.core.block_records import (
    Block,
    game_numbers,
    record_block,
    report_context,
)
from experiments.core.blocks import DETAILED
from experiments.core.cells import Cell, role_seating
from experiments.core.end_summary import EndSummary
from experiments.core.measures import measures_of, report_of, suggested_measure
from experiments.core.option_counts import OptionCounts
from experiments.studies.lineups import default_lineup
from reports.counts import Counts
from reports.measures import SUM_TYPES, merge
from reports.statistics.paired_estimates import differences
from sim.games import load


def table(game: str) -> Cell:
    """Copies of one strategy under the base rules."""
    rules = load(game)
    players = min(rules.players[-1], 4)
    return Cell(game, rules.rules(), players, (default_lineup(game),) * players)


def parts(game: str, games: int, block: int) -> pl.DataFrame:
    """The sums of a block, in parts of so many games: ``part`` from 0."""
    cell, many = table(game), DETAILED // games
    where = Block(0, block * DETAILED, DETAILED)
    end, choices = EndSummary(load(game)), OptionCounts.of(cell, where)
    report = report_of(game)
    played, raw = record_block(cell, where, report.all_notes, [end, choices])
    counts = chain(
        end.counts(played, role_seating(cell, game_numbers(where))),
        choices.counts(),
        report.counts_of(raw, report_context(cell, played), where.first),
    )
    return merge([in_parts(one, games, many) for one in counts])


def in_parts(counts: Counts, games: int, many: int) -> pl.DataFrame:
    """The sums of each so many games."""
    if counts.game is not None:
        counts = Counts(counts.measure, counts.labels, *_sparse(counts.cells()))
    groups, group, game, y, x = len(counts.groups), None, None, counts.y, counts.x
    if counts.group is not None and counts.game is not None:
        group, game = counts.group * many + counts.game // games, counts.game
    else:
        y, x = (_rows(values, groups * many, games) for values in (y, x))
    labels = {
        name: column.gather(np.repeat(np.arange(groups), many))
        for name, column in counts.labels.items()
    }
    labels["part"] = pl.Series("part", np.tile(np.arange(many), groups))
    sums = Counts(counts.measure, labels, y, x, group, game).sums()
    if counts.labels:  # what does not occur in a run has no row there
        sums = sums.filter((pl.col("x") != 0) | (pl.col("y") != 0))
    return sums.with_columns(measure=pl.lit(counts.measure))


def _sparse(cells: Sequence[NDArray[Any]]) -> Sequence[NDArray[Any]]:
    """Cells in the order in which ``Counts`` takes them."""
    group, game, y, x = cells
    return y, x, group, game


def _rows(values: NDArray[Any], rows: int, games: int) -> NDArray[Any]:
    """(groups, all games) as (rows, games); the last games may lack."""
    lacking = rows * games // max(len(values), 1) - values.shape[1]
    return np.pad(values, ((0, 0), (0, lacking))).reshape(rows, games)


def studies(game: str, games: int, sums: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """What ``compare`` tells of each pair of parts: those of one block or several."""
    cell, every = table(game), measures_of(game)
    side = pl.col("part") % 2 == 1
    sums = sums.with_columns(study=pl.col("part") // 2)
    found = []
    for (name,), rows in sums.group_by("measure", maintain_order=True):
        what = every[str(name)]
        if suggested_measure(cell, what.name):
            continue
        by = (*what.by, "study")
        one, other = (rows.filter(s).select(*by, *SUM_TYPES) for s in (~side, side))
        apart = differences(other, one, by, (games, games), what.kind)
        apart = apart.rename({"one": "other", "other": "one"}).select(
            pl.lit(what.name).alias("measure"),
            pl.concat_str(pl.lit(""), *what.by, separator=" ").alias("group"),
            pl.lit(what.share).alias("share"),
            pl.lit(FAMILIES[what.family][0]).alias("family"),
            pl.lit(0).alias("cell"),
            pl.lit(cell.players).alias("players"),
            pl.exclude(what.by),
        )
        found.append(apart.drop_nulls("difference"))
    for part in pl.concat(found).partition_by("study", maintain_order=True):
        yield with_verdicts(part, ComparisonTolerance())


def called(rows: pl.DataFrame, family: str) -> pl.DataFrame:
    """What a study calls different, or out of tolerance."""
    rows = rows.filter(family=FAMILIES[family][0])
    return rows.filter(pl.col("different") | (pl.col("verdict") == "outside"))


def alarms(game: str, games: int, many: int) -> dict[str, int]:
    """In how many of so many studies any number of a family is called different."""
    found, block = dict.fromkeys(FAMILIES, 0), 0
    while many > 0:
        some = list(studies(game, games, parts(game, games, block)))[:many]
        many, block = many - len(some), block + 1
        for rows in some:
            for family in FAMILIES:
                found[family] += not called(rows, family).is_empty()
    return found


def alarms_of_pairs(
    game: str, games: int, runs: int, steps: int = 8
) -> dict[str, tuple[int, int, float]]:
    """Alarms of runs that are each compared with the ``steps`` next ones in a circle.

    For runs that take long: with 16 comparisons each they tell more than with one.
    Returns of each family the alarms, the comparisons, and the standard error of their
    share, by leaving out one run at a time (Efron & Stein 1981, Ann. Stat. 9:586-596).
    """
    blocks = range(-(-runs * games // DETAILED))
    sums = pl.concat(
        [_numbered(game, games, block) for block in blocks], how="diagonal"
    )
    pairs = [
        (run, (run + step + 1) % runs) for step in range(steps) for run in range(runs)
    ]
    places = pl.DataFrame(
        {"part": np.ravel(pairs), "_part": np.arange(2 * len(pairs))},
        schema={"part": pl.Int64, "_part": pl.Int64},
    )
    sums = places.join(sums, on="part").drop("part").rename({"_part": "part"})
    told = list(studies(game, games, sums))
    found = {}
    for family in FAMILIES:
        alarm = np.array([not called(rows, family).is_empty() for rows in told])
        others = [(np.array(pairs) != run).all(axis=1) for run in range(runs)]
        left = np.array([alarm[rest].mean() for rest in others])
        se = float(np.sqrt((runs - 1) * left.var()))
        found[family] = int(alarm.sum()), len(alarm), se
    return found


def _numbered(game: str, games: int, block: int) -> pl.DataFrame:
    """The parts of a block, numbered over all blocks."""
    number = pl.col("part").cast(pl.Int64) + block * (DETAILED // games)
    return parts(game, games, block).with_columns(part=number)
