"""Cube economy: cubes received, placed, kept and lacking, and what brakes leaders."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from reports import ledger
from reports.counts import Array, Counts, grid, numbers_to
from reports.figure_specs import heat
from reports.formatting import percent, share
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich import course, cube_flow, refill_table
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.ledger.account import game_and_time
from reports.measure_tables import MeasureTable, Number, with_words
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding

_LIMIT = "over the limit"
_ARRAYS = MeasuresOf()
MEASURES = (
    *cube_flow.MEASURES,
    *refill_table.MEASURES,
    _ARRAYS.share(
        "turns without a cube", "share of the seats' plot turns", by="round trick"
    ),
    _ARRAYS.share("turns without a cube in all", "share of all plot turns"),
)


def account(played: KbernestichArrays) -> ledger.Account:
    """Count cubes in hand from round to round; those placed return to the supply."""
    most = played.rules["cubes"]
    before = np.zeros(played.kept.shape, dtype=np.int64)
    before[1:] = played.kept[:-1]
    due = np.full_like(before, most)
    due[1:] = refill_table.due(played)
    return ledger.Account(
        **game_and_time(before),
        before=ledger.by_seat(before),
        sources={"received": ledger.by_seat(due)},
        sinks={
            "placed": ledger.by_seat(cube_flow.area_counts(played)[:-1].sum(axis=0)),
            _LIMIT: ledger.by_seat(np.maximum(before + due - most, 0)),
        },
        after=ledger.by_seat(played.kept),
        gained=ledger.by_seat(played.score.astype(np.int64) - played.before),
    )


def _flat(_: Mapping[str, Any], mean: float) -> Mapping[str, Any]:
    """Return a refill table by which everybody receives the mean number of cubes."""
    return {"refill": [[0, 9999, round(mean)]]}


CUBES = ledger.Ledger(
    "cubes",
    "round",
    account,
    sources={"received": "by the refill table, or at the start"},
    sinks={
        "placed": "on the sheet, from where they return to their owner's supply",
        _LIMIT: "received beyond what a player can hold, and lost",
    },
    wasted=(_LIMIT,),
    gains=True,
    wealth=course.standing,
    brake=ledger.Brake("a flat refill table ({} cubes for everybody)", _flat),
)


def counts(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield cubes by area and by row of the refill table, and turns without a cube."""
    yield from cube_flow.counts(played)
    yield from refill_table.counts(played)
    if played.plots:
        lacking = _lacking(played).sum(axis=2)
        shape = {"round": numbers_to(played.rounds), "trick": numbers_to(played.plots)}
        turns = np.full(played.size, played.players)
        every = turns * played.rounds * played.plots
        yield grid("turns without a cube", lacking, turns, **shape)
        yield grid("turns without a cube in all", lacking.sum(axis=(0, 1)), every)


def _lacking(played: KbernestichArrays) -> Array:
    """Return whether seats had no cube at plot turns, (rounds, plots, seats, games)."""
    gone = np.cumsum(played.plotted, axis=1, dtype=np.int16) - played.plotted
    return gone >= played.cubes[:, None]


def shown(data: ReportData) -> SectionParts:
    """Yield where cubes go, who has none, and what the refill table gives."""
    yield from cube_flow.shown(data)
    players = data.players
    yield MeasureTable(
        "economy-starved",
        "Plot turns at which a player has no cube",
        "A player without cubes is skipped. They may have placed them all, or received "
        f"few. The figure shows {players} players.",
        (
            "players",
            "round",
            Column("trick", "before trick", "the trick that comes next", "count"),
            Number("turns without a cube", "without a cube"),
        ),
        rows=with_words("before", "before trick {}".format, "trick"),
        draw=heat(
            "before",
            "round",
            "share of plot turns, %",
            ends=True,
            only=pl.col("players") == players,
        ),
    )
    rows = data.leading("turns without a cube in all", players=players)
    lacking = share(rows.row(0, named=True)) if rows.height else percent(0)
    yield Finding(
        f"Plot turns, {players} players, {data.who}: a seat has no cube at {lacking} "
        "of its plot turns.",
        "",
    )
    yield from refill_table.shown(data)


SECTION = ledger.section(
    (CUBES,),
    "Cubes on the sheet return to their owner's supply, and new ones are received.",
    ReportSection(
        shown, MEASURES, counts=counts, records=("deal", "plot", "score", "sheet")
    ),
    title="Cube economy",
)
