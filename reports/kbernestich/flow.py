"""Where cubes go: received, placed area by area, kept; by round and by place.

Cubes flow from the hand at the deal to the areas of the sheet, whence they return to
their owner's supply, or are kept and are in hand in the next round.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.drawing import lines
from reports.found import Found
from reports.grids import Array, grid, numbered
from reports.kbernestich.played import AREAS, Played
from reports.kbernestich.ribbons import ribbons
from reports.kbernestich.words import AREA_WORDS, ROUND, place_name
from reports.page import Column, Exhibit
from reports.words import PLAYERS, N, estimated, exhibit, joined, named

FLOWS = {
    "in hand": "cubes in hand at the deal",
    "received": "cubes newly received for the round",
    "placed": "cubes placed on the sheet",
    "kept": "cubes still in hand after the round",
}
WHERE = (*AREAS, "kept")


def flows(played: Played) -> Mapping[str, Array]:
    """(rounds, seats, games) each of ``FLOWS``."""
    return {
        "in hand": played.cubes,
        "received": played.received,
        "placed": area_counts(played)[:-1].sum(axis=0, dtype=np.int16),
        "kept": played.kept,
    }


def area_counts(played: Played) -> Array:
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
    found: Array = np.stack([many.reshape(shape), *rest, played.kept], dtype=np.int16,
                            casting="unsafe")  # fmt: skip
    return found


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of cubes by round, by area, and by place after the start player."""
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
            grid(f"cubes {name} by place", by_place(played, parts[name]), one,
                 place=places, round=rounds)
            for name in ("in hand", "placed", "kept")
        ),
    ]  # fmt: skip


def by_place(played: Played, values: Array) -> Array:
    """(places, rounds, games) of the seat so many places after the start player."""
    after = np.arange(played.players)[:, None]
    seat = (played.start[:, None] + after) % played.players
    found: Array = np.take_along_axis(values, seat, axis=1)
    return found.transpose(1, 0, 2)


def exhibits(found: Found) -> tuple[Exhibit, ...]:
    """Cubes by round, the ribbons, and cubes by place."""
    return (_by_round(found), _by_area(found), _by_place(found))


def _by_round(found: Found) -> Exhibit:
    parts = [
        found.leading(f"cubes {name}", "mean", ("round",)).with_columns(
            what=pl.lit(name)
        )
        for name in FLOWS
    ]
    rows = pl.concat(parts).sort("players", maintain_order=True)
    return exhibit(
        "economy-rounds",
        "Cubes of a seat, by round",
        "; ".join(f"{name}: {words}" for name, words in FLOWS.items())
        + f". The figure shows {found.players} players.",
        rows,
        (
            PLAYERS,
            Column("what", "what", "which cubes"),
            ROUND,
            estimated("cubes", "mean cubes of a seat"),
            N,
        ),
        lines("round", "cubes of a seat", by="what",
              only=pl.col("players") == found.players),
        "in hand = placed + kept; in hand in the next round = kept + received",
    )  # fmt: skip


def _by_area(found: Found) -> Exhibit:
    rows = found.leading("cubes by area", "mean", ("square", "round"))
    order = pl.col("square").replace_strict(list(WHERE), range(len(WHERE)), default=9)
    words = [AREA_WORDS.get(name, name) for name in rows["square"]]
    rows = rows.with_columns(area=pl.Series(words, dtype=pl.String)).sort(
        "players", order, "round"
    )
    stock = found.leading("cubes received", "mean", ("round",))
    keys = ("players", "round")
    return exhibit(
        "economy-flow",
        "Where cubes go: from the hand to the areas of the sheet",
        "Cubes on the sheet return to their owner's supply; each round he receives new "
        "ones from there. Letter from Marie is shown without Zabine and Hannah. The "
        f"figure shows {found.players} players; the table has the intervals.",
        joined(rows, named(stock, keys, "received"), keys),
        (
            PLAYERS,
            Column("area", "area", "area of the sheet, or kept in hand"),
            ROUND,
            estimated("cubes", "mean cubes of a seat there"),
            N,
        ),
        ribbons(found.players),
    )


def _by_place(found: Found) -> Exhibit:
    by = ("place", "round")
    table: Any = found.leading("cubes in hand by place", "mean", by)
    for name in ("placed", "kept"):
        rows = found.leading(f"cubes {name} by place", "mean", by)
        table = joined(table, named(rows, ("players", *by), name), ("players", *by))
    names = [place_name(place) for place in table["place"]]
    return exhibit(
        "economy-places",
        "Cubes by place after the start player of the round",
        "The start player has the lowest score, and so the most cubes.",
        table.with_columns(where=pl.Series(names, dtype=pl.String)),
        (
            PLAYERS,
            Column("where", "where", "place after the start player of the round"),
            ROUND,
            estimated("in hand", "mean cubes in hand at the deal"),
            estimated("placed", "mean cubes placed", name="placed"),
            estimated("kept", "mean cubes kept", name="kept"),
            N,
        ),
    )
