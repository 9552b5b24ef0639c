"""Lengths of rounds and games whose tail is long: their percentiles, with intervals.

A game counts its rounds, or whether it, is longer than each step of a ladder, so that
the game is the unit of the intervals and long ones need few rows:

    LENGTHS = {"games with turns": "turns in a game"}  # a measure by ``beyond``

    ladder("games with turns", game, turns)  # its counts
    length_table("length-percentiles", "How long games last", LENGTHS, draw)
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_rows
from reports.figure_specs import Draw
from reports.formatting import estimated
from reports.game_lengths import QUANTILES
from reports.measure_tables import MeasureTable
from reports.measures import SUMS
from reports.report_data import ReportData
from reports.report_document import Column

LADDER = np.array(
    [*range(200), *range(200, 500, 5), *range(500, 2000, 20), *range(2000, 60001, 500)]
)
"""Lengths for which longer rounds are counted: every one up to 200 turns."""


def ladder(measure: str, game: Array, length: Array) -> Counts:
    """Count the rows longer than each length of ``LADDER`` (column ``beyond``).

    Lengths that no row exceeds are left out, so that tables stay small. So ``x`` counts
    only games with a longer row: it must not depend on the other games of a block.
    """
    steps = LADDER[: np.searchsorted(LADDER, length.max(initial=0)) or 1]
    longer, every = length > steps[:, None], np.ones(len(game))
    counts = grid_of_rows(measure, game, longer, every, beyond=steps.tolist())
    return replace(counts, x=np.where(counts.y != 0, counts.x, 0))


def _ladder_sums(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the sums of a ladder with the x of its first step: that of all games."""
    first = rows.filter(beyond=0).select("cell", x="x", xx="xx", games="games")
    kept = rows.drop("x", "xx", "games").join(first, on="cell", how="inner")
    return kept.select(*(n for n in rows.columns if n not in SUMS), *SUMS)


def _longer(data: ReportData, measure: str) -> pl.DataFrame:
    """Return a row per step of the ladder: the share that is longer than ``beyond``."""
    rows = _ladder_sums(data.raw(measure).filter(data.leads()))
    return data.pool_rows(rows, ("cell", "players", "beyond"), "share")


def percentiles(measures: Mapping[str, str], data: ReportData) -> pl.DataFrame:
    """Return a row per number of players and measure; columns by percentile."""
    rows = [
        {
            "players": part["players"][0],
            "what": words,
            "n": part["n"][0],
            "longest": int(part["beyond"][-1]) + 1,
        }
        | {
            key: value
            for name, level in QUANTILES.items()
            for key, value in _percentile(part, name, 1 - level).items()
        }
        for measure, words in measures.items()
        for part in _longer(data, measure).partition_by("players")
    ]
    numbers = [f"{name}{end}" for name in QUANTILES for end in ("", "_low", "_high")]
    schema = {"players": pl.Int64, "what": pl.String, "longest": pl.Int64}
    return pl.DataFrame(rows, schema | dict.fromkeys(["n", *numbers], pl.Float64))


def _percentile(part: pl.DataFrame, name: str, share_: float) -> dict[str, float]:
    """Return the length that this share of rows exceeds, and its interval."""
    columns = {name: "estimate", f"{name}_low": "low", f"{name}_high": "high"}
    last = int(part["beyond"][-1])
    after = next((step for step in LADDER.tolist() if step > last), last)
    lengths = {}
    for key, column in columns.items():
        short = part.filter(pl.col(column) <= share_)["beyond"]
        lengths[key] = float(short[0] if len(short) else after)
    return lengths


_TITLES = ("median", "95th percentile", "99th percentile")
_LONGEST = "the longest observed, rounded down to a step"


def length_table(
    name: str, title: str, measures: Mapping[str, str], draw: Draw
) -> MeasureTable:
    """Declare the table of percentiles; ``measures``: what each counts, in words."""
    return MeasureTable(
        name,
        title,
        "Lengths above 200 are counted in steps (of 5, from 500 on of 20). The longest "
        "is the greatest in this run, and grows with the number of games.",
        (
            Column("what", "what", "what is counted"),
            "players",
            *(
                estimated(words, f"{words} of the length", name=level)
                for level, words in zip(QUANTILES, _TITLES, strict=True)
            ),
            Column("longest", "longest at least", _LONGEST, "count"),
        ),
        source=partial(percentiles, measures),
        draw=draw,
    )
