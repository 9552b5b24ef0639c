"""Where cubes go: received, placed area by area, kept; by round and by place.

Cubes flow from the hand at the deal to the areas of the sheet, whence they return to
their owner's supply, or are kept and are in hand in the next round.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbered
from reports.drawing import lines
from reports.formatting import PLAYERS, N, estimated, exhibit, joined, named
from reports.kbernestich.formatting import AREA_WORDS, ROUND
from reports.kbernestich.played import AREAS, PlayedGames
from reports.kbernestich.ribbons import ribbons
from reports.measures import Measure
from reports.page import Column, Exhibit
from reports.positions import in_words
from reports.report_data import ReportData
from reports.tabled import Number, tabled

FLOWS = {
    "in hand": "cubes in hand at the deal",
    "received": "cubes newly received for the round",
    "placed": "cubes placed on the sheet",
    "kept": "cubes still in hand after the round",
}
WHERE = (*AREAS, "kept")


_PLACED = ("in hand", "placed", "kept")
MEASURES = (
    *(Measure(f"cubes {n}", d, "mean", by=("round",)) for n, d in FLOWS.items()),
    Measure(
        "cubes by area", "mean cubes of a seat there", "mean", by=("square", "round")
    ),
    *(
        Measure(f"cubes {n} by place", FLOWS[n], "mean", by=("place", "round"))
        for n in _PLACED
    ),
)


def flows(played: PlayedGames) -> Mapping[str, Array]:
    """(rounds, seats, games) each of ``FLOWS``."""
    return {
        "in hand": played.cubes,
        "received": played.received,
        "placed": area_counts(played)[:-1].sum(axis=0, dtype=np.int16),
        "kept": played.kept,
    }


def area_counts(played: PlayedGames) -> Array:
    """(areas and kept, rounds, seats, games) where the cubes of a round went.

    As the sheet lies, but for Letter to Marie, where cubes may share a square: those
    are counted as they were placed.
    """
    rows = played.cubes_placed
    letters = [name.startswith("to-") for name in played.squares]
    here = np.flatnonzero(np.array([*letters, False])[rows["square"]])
    at = tuple(rows[name].take(here) for name in ("round", "seat", "game"))
    shape = played.kept.shape
    many = np.bincount(np.ravel_multi_index(at, shape), minlength=played.kept.size)
    rest = [np.bitwise_count(played.placed & played.area(name)) for name in AREAS[1:]]
    found: Array = np.stack(
        [many.reshape(shape), *rest, played.kept], dtype=np.int16, casting="unsafe"
    )
    return found


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of cubes by round, by area, and by position after the start player."""
    rounds, places = numbered(played.rounds), range(played.players)
    seats = np.full((1, played.size), played.players)
    one = np.ones((1, 1, played.size), dtype=np.uint8)
    parts = flows(played)
    areas = area_counts(played).sum(axis=2)
    return [
        *(
            grid(f"cubes {name}", part.sum(axis=1), seats, round=rounds)
            for name, part in parts.items()
        ),
        grid("cubes by area", areas, seats, square=WHERE, round=rounds),
        *(
            grid(
                f"cubes {name} by place",
                by_place(played, parts[name]),
                one,
                place=places,
                round=rounds,
            )
            for name in _PLACED
        ),
    ]


def by_place(played: PlayedGames, values: Array) -> Array:
    """(places, rounds, games) of the seat so many places after the start player."""
    after = np.arange(played.players)[:, None]
    seat = (played.start[:, None] + after) % played.players
    found: Array = np.take_along_axis(values, seat, axis=1)
    return found.transpose(1, 0, 2)


def exhibits(data: ReportData) -> tuple[Exhibit, ...]:
    """Cubes by round, the ribbons, and cubes by place."""
    return (_by_round(data), _by_area(data), _by_place(data))


def _by_round(data: ReportData) -> Exhibit:
    parts = [
        data.leading(f"cubes {name}").with_columns(what=pl.lit(name)) for name in FLOWS
    ]
    rows = pl.concat(parts).sort("players", maintain_order=True)
    return exhibit(
        "economy-rounds",
        "Cubes of a seat, by round",
        "; ".join(f"{name}: {words}" for name, words in FLOWS.items())
        + f". The figure shows {data.players} players.",
        rows,
        (
            PLAYERS,
            Column("what", "what", "which cubes"),
            ROUND,
            estimated("cubes", "mean cubes of a seat"),
            N,
        ),
        lines(
            "round",
            "cubes of a seat",
            by="what",
            only=pl.col("players") == data.players,
        ),
        "in hand = placed + kept; in hand in the next round = kept + received",
    )


def _by_area(data: ReportData) -> Exhibit:
    rows = data.leading("cubes by area")
    order = pl.col("square").replace_strict(list(WHERE), range(len(WHERE)), default=9)
    words = [AREA_WORDS.get(name, name) for name in rows["square"]]
    rows = rows.with_columns(area=pl.Series(words, dtype=pl.String)).sort(
        "players", order, "round"
    )
    stock = data.leading("cubes received")
    keys = ("players", "round")
    return exhibit(
        "economy-flow",
        "Where cubes go: from the hand to the areas of the sheet",
        "Cubes on the sheet return to their owner's supply; each round he receives new "
        "ones from there. Letter from Marie is shown without Zabine and Hannah. The "
        f"figure shows {data.players} players; the table has the intervals.",
        joined(rows, named(stock, keys, "received"), keys),
        (
            PLAYERS,
            Column("area", "area", "area of the sheet, or kept in hand"),
            ROUND,
            estimated("cubes", "mean cubes of a seat there"),
            N,
        ),
        ribbons(data.players),
    )


def _by_place(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "economy-places",
        "Cubes by position after the start player of the round",
        "The start player has the lowest score, and so the most cubes.",
        (
            "players",
            Column("where", "where", "position after the start player of the round"),
            "round",
            Number("cubes in hand by place", "in hand"),
            Number("cubes placed by place", "placed", name="placed"),
            Number("cubes kept by place", "kept", name="kept"),
        ),
        rows=in_words("start player"),
    )
