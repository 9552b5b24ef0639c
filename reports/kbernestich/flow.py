"""Where cubes go: placed by area, or kept; by round and by position.

Cubes flow from the hand at the deal to the areas of the sheet and return to their
owner's supply, or are kept and are in hand in the next round.
"""

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbered
from reports.formatting import joined, named
from reports.game_report import Parts
from reports.kbernestich.formatting import AREA_WORDS
from reports.kbernestich.played import AREAS, PlayedGames
from reports.kbernestich.ribbons import ribbons
from reports.measures import MeasuresOf
from reports.page import Column
from reports.positions import in_words
from reports.report_data import ReportData
from reports.tabled import Number, Table, Words

FLOWS = {
    "in hand": "cubes in hand at the deal",
    "placed": "cubes placed on the sheet",
    "kept": "cubes still in hand after the round",
}
WHERE = (*AREAS, "kept")
START = in_words("start player")
"""Adds ``where``: the position after the start player of the round, or of round 1."""
_KEYS = ("players", "round")
_ROUNDS = MeasuresOf(by="round")
MEASURES = (
    _ROUNDS.mean("cubes by area", "mean cubes of a seat there", by="square round"),
    *(
        _ROUNDS.mean(f"cubes {name} by position", doc, by="position round")
        for name, doc in FLOWS.items()
    ),
)


def flows(played: PlayedGames) -> Mapping[str, Array]:
    """Return each of ``FLOWS``, (rounds, seats, games)."""
    return {
        "in hand": played.cubes,
        "placed": area_counts(played)[:-1].sum(axis=0, dtype=np.int16),
        "kept": played.kept,
    }


def area_counts(played: PlayedGames) -> Array:
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


def counts(played: PlayedGames) -> Iterator[Counts]:
    """Yield cubes by area, and by position after the start player."""
    rounds, positions = numbered(played.rounds), numbered(played.players)
    seats = np.full((1, played.size), played.players)
    ones = np.ones((1, 1, played.size), dtype=np.uint8)
    areas = area_counts(played).sum(axis=2)
    yield grid("cubes by area", areas, seats, square=WHERE, round=rounds)
    by = {"position": positions, "round": rounds}
    for name, part in flows(played).items():
        cubes = of_positions(played, part)
        yield grid(f"cubes {name} by position", cubes, ones, **by)


def of_positions(played: PlayedGames, values: Array) -> Array:
    """Return values from the start player's position on, (positions, rounds, games)."""
    after = np.arange(played.players)[:, None]
    seat = (played.start[:, None] + after) % played.players
    in_order: Array = np.take_along_axis(values, seat, axis=1)
    return in_order.transpose(1, 0, 2)


def shown(data: ReportData) -> Parts:
    """Yield the ribbons, and cubes by position."""
    every = pl.col("estimate").sum().over(_KEYS)
    order = pl.col("square").replace_strict(list(WHERE), range(len(WHERE)), default=9)
    yield Table(
        "economy-flow",
        "Where cubes go: from the hand to the areas of the sheet",
        "Cubes on the sheet return to their owner's supply; each round players receive "
        "new ones from there. Letter from Marie is shown without Zabine and Hannah. "
        f"The figure shows {data.players} players; the table has the intervals.",
        (
            "players",
            Words(
                "area", "area", "area of the sheet, or kept in hand", _area, "square"
            ),
            "round",
            Number("cubes by area", "cubes"),
        ),
        rows=lambda rows: joined(
            rows.sort("players", order, "round"),
            named(data.leading("cubes: before"), _KEYS, "before"),
            _KEYS,
        ).with_columns(received=every - pl.col("before")),
        draw=ribbons(data.players),
    )
    yield Table(
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
