"""Cubes tried: the same deals with a cube on each square, and with none now.

At a moment at which a seat may place a cube, each square is tried, and to place no more
cubes in this turn. Afterwards all play on as they do, with what cubes they have, so a
square is worth what it brings beyond what the strategy does with the cube later on.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from reports.kbernestich.bid_tables import came_true
from reports.kbernestich.formatting import square_words
from reports.kbernestich.played import PlayedGames, area_of
from reports.tried import SCHEMA, Tried


def options(rules: Mapping[str, Any]) -> list[str]:
    """The bids that rules have, in words."""
    return [square_words(f"hunch-{bid}") for bid in rules["hunch"]]


TRIED = Tried("square", "squares", "round", "none", per_hand=8)
BIDS = replace(TRIED, said=("bid", "bids"), options=options)
ANY = "from-any"
"""Letter from Marie, of any colour: the colours differ in name only."""
OF = 96
"""One in so many moments of a game is tried, of which most seats have no cube."""


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Which decisions are tried; those of who searches are played on without search."""
    if not rules["plot_before_tricks"] or not rules["plot_pass"]:
        return ()
    return (
        {
            "first": ("plot",),
            "of": (OF,),
            "tells": ("sheet", "tricks", "placed"),
            "hand": "expected",
            "players": (4,),
            "search": {"of": (2,), "by": "allround"},
        },
    )


def pooled(square: str) -> str:
    """The square with its colour left out."""
    if area_of(square) != "from":
        return square
    return f"{ANY}-{square.rpartition('-')[2]}"


def tried(played: PlayedGames) -> pl.DataFrame:
    """A row a square that was tried; ``made`` is told of bids."""
    schema = {**SCHEMA, "round": pl.Int64()}
    raw = played.raw.get("branching", pl.DataFrame())
    if raw.is_empty():
        return pl.DataFrame(schema=schema)
    names = ("seat", "round", "option", "tricks", "placed")
    seat, number, option, tricks, placed = (raw[name].to_numpy() for name in names)
    at = played.at(raw)
    ids = played.vocabularies["square"]
    words = np.array(["none" if i == "pass" else square_words(pooled(i)) for i in ids])
    bids = [f"hunch-{bid}" for bid in played.rules["hunch"]]
    of_bids = np.array([bids.index(one) if one in bids else -1 for one in ids])
    bit = np.bitwise_count(option - np.uint64(1))
    made, _ = came_true(played, of_bids[bit], tricks, placed)
    told = pl.Series(of_bids[bit] >= 0)
    columns = {
        "game": raw["game"], "decision": raw["decision"], "round": number,
        "strategy": np.array(played.names)[played.strategy[seat, at]],
        "position": (seat - played.start[number - 1, at].astype(np.int64))
        % played.players + 1,
        "hand": raw["hand"], "option": words[bit], "chosen": raw["chosen"],
        "made": pl.select(pl.when(told).then(pl.Series(made))).to_series(),
        "points": raw["end_scores"], "won": raw["won"], "out": np.zeros(len(bit), bool),
        "came": tricks,
    }  # fmt: skip
    return pl.DataFrame(columns).select(
        pl.col(name).cast(kind) for name, kind in schema.items()
    )


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """What was tried, compared with placing no more cubes in the turn."""
    return {"squares": TRIED.rows(tried(played))}
