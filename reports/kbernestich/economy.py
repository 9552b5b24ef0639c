"""Cube economy: cubes received, placed, kept and lacking, and what brakes leaders."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from reports import ledger
from reports.counts import Array, Counts, grid, numbers_to
from reports.figure_specs import heat
from reports.flow_figure import ribbons
from reports.formatting import join, renamed
from reports.game_report import ReportSection
from reports.kbernestich import course
from reports.kbernestich.game_arrays import AREAS, KbernestichArrays
from reports.kbernestich.labels import AREA_WORDS
from reports.measure_tables import (
    MeasureTable,
    Number,
    WordColumn,
    side_by_side,
    with_words,
)
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

_LIMIT = "over the limit"
_FLOW = Number("cubes by area", "cubes")
_KEYS = ("players", "round")
_ROW = MeasuresOf(by="row")
REFILL = (
    _ROW.share("refill rows", "share of seats with this score"),
    _ROW.mean("refill received", "cubes received"),
    _ROW.mean("refill capped", "cubes due but lost to the limit"),
    _ROW.mean("refill points", "points in the round that follows"),
    _ROW.share("refill won", "share that wins the game"),
)
_REFILLED = (
    Number("refill rows", "seats"),
    Number("refill received", "received", name="received"),
    Number("refill capped", "lost", name="capped"),
    Number("refill points", "points", name="points"),
    Number("refill won", "wins", name="won"),
)


def account(played: KbernestichArrays) -> ledger.Account:
    """Count cubes in hand from round to round; those placed return to the supply."""
    most = played.rules["cubes"]
    before = np.zeros(played.kept.shape, dtype=np.int64)
    before[1:] = played.kept[:-1]
    given = np.full_like(before, most)
    given[1:] = due(played)
    return ledger.Account.of_times(
        {"received": given},
        {
            "placed": area_counts(played)[:-1].sum(axis=0),
            _LIMIT: np.maximum(before + given - most, 0),
        },
        played.kept,
        gained=played.score.astype(np.int64) - played.before,
    )


def area_counts(played: KbernestichArrays) -> Array:
    """Return cubes in each area, and kept, (parts, rounds, seats, games)."""
    placed = [played.cubes_on(played.in_area(name)) for name in AREAS]
    return np.stack([*placed, played.kept])


def due(played: KbernestichArrays) -> Array:
    """Return cubes that the refill table gives, (rounds - 1, seats, games)."""
    table = np.zeros(1024, dtype=np.int16)
    for low, high, cubes in reversed(played.rules["refill"]):
        table[low : high + 1] = cubes
    return table.take(np.minimum(played.score[:-1], 1023))


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
    rounds = numbers_to(played.rounds)
    seats = np.full(played.size, played.players)
    areas = area_counts(played).sum(axis=2)
    yield grid("cubes by area", areas, seats[None], square=[*AREA_WORDS], round=rounds)
    if played.rounds > 1:
        yield from _refilled(played)
    if played.plots:
        lacking = without_cubes(played).sum(axis=2)
        shape = {"round": rounds, "trick": numbers_to(played.plots)}
        yield grid("turns without a cube", lacking, seats, **shape)


def _refilled(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield seats and cubes by row of the refill table, from round 2 on."""
    rows, before = played.rules["refill"], played.before[1:]
    received = played.cubes[1:] - played.kept[:-1]
    values = {
        "received": received,
        "capped": due(played) - received,
        "points": (played.score - played.before)[1:],
        "won": np.broadcast_to(played.victory, before.shape),
    }
    inside = np.stack([(before >= low) & (before <= high) for low, high, _ in rows])
    every = np.full(played.size, before.shape[0] * played.players)
    seats, bands = inside.sum(axis=(1, 2)), numbers_to(len(rows))
    yield grid("refill rows", seats, every, row=bands)
    for name, part in values.items():
        total = (inside * part).sum(axis=(-3, -2), dtype=np.int64)
        yield grid(f"refill {name}", total, seats, row=bands)


def without_cubes(played: KbernestichArrays) -> Array:
    """Return whether seats had no cube at plot turns, (rounds, plots, seats, games)."""
    gone = np.cumsum(played.plotted, axis=1, dtype=np.int16) - played.plotted
    return gone >= played.cubes[:, None]


def _flow(data: ReportData) -> pl.DataFrame:
    """Return cubes by area, in the order of the sheet, and those received by round."""
    order = pl.col("square").cast(pl.Enum([*AREA_WORDS]))
    rows = side_by_side(data, (_FLOW,)).sort("players", order, "round")
    before = renamed(data.leading("cubes: before"), _KEYS, "before")
    received = pl.col("estimate").sum().over(_KEYS) - pl.col("before")
    return join(rows, before, _KEYS).with_columns(received=received)


def _refill(data: ReportData) -> pl.DataFrame:
    """Return the rows of the refill table, with their scores in words."""
    words = [
        f"{low} or more" if high >= 999 else f"{low} to {high}"
        for low, high, _ in data.rules["refill"]
    ]
    scores = pl.col("row").replace_strict(dict(enumerate(words, 1)), default="")
    return side_by_side(data, _REFILLED).with_columns(score=scores)


SECTION = ledger.section(
    (CUBES,),
    "Cubes on the sheet return to their owner's supply, and new ones are received.",
    ReportSection(
        measures=(
            MeasuresOf(by="square round").mean(
                "cubes by area", "mean cubes of a seat in it"
            ),
            *REFILL,
            MeasuresOf(by="round trick").share(
                "turns without a cube", "share of the seats' plot turns"
            ),
        ),
        counts=counts,
        records=("deal", "plot", "score", "sheet"),
        tables=(
            MeasureTable(
                "economy-flow",
                "Where cubes go: from the hand to the areas of the sheet",
                "Letter from Marie is shown without Zabine and Hannah.",
                (
                    "players",
                    WordColumn(
                        "area",
                        "area",
                        "area of the sheet, or kept",
                        AREA_WORDS,
                        "square",
                    ),
                    "round",
                    _FLOW,
                ),
                source=_flow,
                draw=ribbons("round", "area", "mean cubes of a seat"),
                figure_here=True,
            ),
            MeasureTable(
                "economy-starved",
                "Plot turns at which a player has no cube",
                "A player without cubes is skipped. They may have placed them all, or "
                "received few.",
                (
                    "players",
                    "round",
                    "trick",
                    Number("turns without a cube", "without a cube"),
                ),
                rows=with_words("before", "before trick {}".format, "trick"),
                draw=heat("before", "round", "share of plot turns, %", ends=True),
                figure_here=True,
            ),
            MeasureTable(
                "economy-refill",
                "The refill table: cubes by score",
                "Of rounds 2 and later. A cube due is lost if a player already holds "
                "as many as possible.",
                (
                    "players",
                    Column("score", "score", "score before the round"),
                    *_REFILLED,
                ),
                source=_refill,
                n=Column("points_n", "n", "seats with this score", "count"),
            ),
        ),
    ),
    title="Cube economy",
)
