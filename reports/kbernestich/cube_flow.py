"""Where cubes go: placed by area, or kept; by round and by position.

Cubes flow from the hand at the deal to the areas of the sheet and return to their
owner's supply, or are kept and are in hand in the next round.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbers_to
from reports.formatting import join, renamed
from reports.game_report import SectionParts
from reports.kbernestich.cube_flow_figure import ribbons
from reports.kbernestich.game_arrays import AREAS, KbernestichArrays
from reports.kbernestich.labels import AREA_WORDS
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.positions import with_position_words
from reports.report_data import ReportData
from reports.report_document import Column

FLOWS = {
    "in hand": "cubes in hand at the deal",
    "placed": "cubes placed on the sheet",
    "kept": "cubes still in hand after the round",
}
WHERE = (*AREAS, "kept")
START = with_position_words("start player")
"""Adds ``where``: the position after the start player of the round, or of round 1."""
_KEYS = ("players", "round")
_ROUNDS = MeasuresOf(by="round")
MEASURES = (
    _ROUNDS.mean("cubes by area", "mean cubes of a seat in it", by="square round"),
    *(
        _ROUNDS.mean(f"cubes {name} by position", doc, by="position round")
        for name, doc in FLOWS.items()
    ),
)


def flows(played: KbernestichArrays) -> Mapping[str, Array]:
    """Return each of ``FLOWS``, (rounds, seats, games)."""
    return {
        "in hand": played.cubes,
        "placed": area_counts(played)[:-1].sum(axis=0, dtype=np.int16),
        "kept": played.kept,
    }


def area_counts(played: KbernestichArrays) -> Array:
    """Return where the cubes of a round went, (areas and kept, rounds, seats, games).

    From the sheet at the end of the round; except for Letter to Marie, where cubes may
    share a square: those are counted as they were placed.
    """
    rows = played.cubes_placed
    letters = [name.startswith("to-") for name in played.squares]
    on_letters = np.flatnonzero(np.array([*letters, False])[rows["square"]])
    at = tuple(rows[name].take(on_letters) for name in ("round", "seat", "game"))
    shape = played.kept.shape
    laid = np.bincount(np.ravel_multi_index(at, shape), minlength=played.kept.size)
    rest = [np.bitwise_count(played.placed & played.area(name)) for name in AREAS[1:]]
    counted: Array = np.stack(
        [laid.reshape(shape), *rest, played.kept], dtype=np.int16, casting="unsafe"
    )
    return counted


def counts(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield cubes by area, and by position after the start player."""
    rounds, positions = numbers_to(played.rounds), numbers_to(played.players)
    seats = np.full((1, played.size), played.players)
    ones = np.ones((1, 1, played.size), dtype=np.uint8)
    areas = area_counts(played).sum(axis=2)
    yield grid("cubes by area", areas, seats, square=WHERE, round=rounds)
    by = {"position": positions, "round": rounds}
    for name, part in flows(played).items():
        cubes = of_positions(played, part)
        yield grid(f"cubes {name} by position", cubes, ones, **by)


def of_positions(played: KbernestichArrays, values: Array) -> Array:
    """Return values from the start player's position on, (positions, rounds, games)."""
    after = np.arange(played.players)[:, None]
    seat = (played.start[:, None] + after) % played.players
    in_order: Array = np.take_along_axis(values, seat, axis=1)
    return in_order.transpose(1, 0, 2)


def shown(data: ReportData) -> SectionParts:
    """Yield the ribbons, and cubes by position."""
    every = pl.col("estimate").sum().over(_KEYS)
    order = pl.col("square").replace_strict(list(WHERE), range(len(WHERE)), default=9)
    yield MeasureTable(
        "economy-flow",
        "Where cubes go: from the hand to the areas of the sheet",
        "Cubes on the sheet return to their owner's supply; each round players receive "
        "new ones from there. Letter from Marie is shown without Zabine and Hannah. "
        f"The figure shows {data.players} players; the table has the intervals.",
        (
            "players",
            WordColumn(
                "area", "area", "area of the sheet, or kept in hand", _area, "square"
            ),
            "round",
            Number("cubes by area", "cubes"),
        ),
        rows=lambda rows: join(
            rows.sort("players", order, "round"),
            renamed(data.leading("cubes: before"), _KEYS, "before"),
            _KEYS,
        ).with_columns(received=every - pl.col("before")),
        draw=ribbons(data.players),
    )
    yield MeasureTable(
        "economy-places",
        "Cubes by position after the start player of the round",
        "The start player has the lowest score, and so the most cubes.",
        (
            "players",
            Column("where", "where", "position after the start player of the round"),
            "round",
            Number("cubes in hand by position", "in hand"),
            Number("cubes placed by position", "placed", name="placed"),
            Number("cubes kept by position", "kept", name="kept"),
        ),
        rows=START,
    )


def _area(name: str) -> str:
    return AREA_WORDS.get(name, name)
