"""Cubes tried: the same deals with a cube on each square, and with none now.

At a moment when a seat may place a cube, each square is tried, and placing no more
cubes in this turn. Afterwards all play on as before, with the cubes that they have, so
a square is worth what it brings beyond a later use of the cube by the strategy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from reports.counterfactuals import Counterfactual
from reports.counts import Counts
from reports.game_report import WhatIfs
from reports.kbernestich.game_arrays import SUITS, KbernestichArrays, area_of, came_true
from reports.kbernestich.labels import AREA_WORDS, square_words
from reports.pledges import Pledges


def options(rules: Mapping[str, Any]) -> list[str]:
    """Return the bids that the rules have, in words."""
    return [square_words(f"hunch-{bid}") for bid in rules["hunch"]]


TRIED = Counterfactual("square", "squares", "round", "none", per_hand=8)
BIDS = replace(TRIED, words=("bid", "bids"), options=options)
PLEDGES = Pledges("square", "squares", "round", "none")
ANY = "from-any"
"""Letter from Marie in any colour: the colours differ only in name."""
OF = 192
"""One moment in this many is tried; at most of them a seat has no cube."""
FULL = 8
"""In full reports, which take longer: one moment of a search player in this many."""
CARDS = "search:samples=4:kinds=play"
"""The strategy that plays on after these: searching for cubes, too, takes ten times as
long."""


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which decisions are tried.

    After a decision of a search player nobody searches; in full reports ``CARDS``
    plays on.
    """
    if not rules["plot_before_tricks"] or not rules["plot_pass"]:
        return ()
    return (
        {
            "decisions": ("plot",),
            "one_in": (OF,),
            "keeps": ("sheet", "tricks", "placed"),
            "hand": "expected",
            "left": True,
            "players": (4,),
            "search": {"one_in": (2,)},
            "full": {"one_in": (FULL,), "plays_on": CARDS},
        },
    )


EVERY = 11
"""One game in this many is played again without each square."""
_COUNTED = 8
"""One game in this many is counted by pairs of squares, which takes long."""


def forbidden(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the squares to forbid to one player, or to all; colours together.

    All squares of an area are forbidden together, too: only these for search players
    in full reports, as they are slow and so play few games.
    """
    if not rules["plot_before_tricks"] or not rules["plot_pass"]:
        return ()
    (row,) = (row for row in rules["by_players"] if row["id"] == "4")
    ids = [
        *(f"to-{value}" for value in row["marie_to"]),
        *(f"hunch-{bid}" for bid in rules["hunch"]),
        *(f"from-{suit}-{n}" for n in rules["marie_from"] for suit in SUITS),
        *(f"bust-{value}" for value in rules["zabine"]),
        *(["grace"] if row["hannah"] else []),
        *rules["actions"],
    ]
    ids = [*dict.fromkeys(ids)]
    areas = {
        f"any {name}" if len(pool) > 1 else square_in_words(pool[0]): pool
        for name, pool in _pools(ids, lambda id_: AREA_WORDS[area_of(id_)]).items()
    }
    pools = areas | _pools(ids, square_in_words)
    lead = {
        "decisions": ("plot",),
        "pools": pools,
        "one_game_in": EVERY,
        "players": (4,),
    }
    return (lead | {"full": {"pools": areas, "one_game_in": 1}},)


def _pools(ids: Sequence[str], words: Callable[[str], str]) -> dict[str, list[str]]:
    """Group the squares that are called the same in ``words``."""
    pools: dict[str, list[str]] = {}
    for square in ids:
        pools.setdefault(words(square), []).append(square)
    return pools


def square_in_words(square: str) -> str:
    """Return a square in words, without its colour."""
    return "none" if square == "pass" else square_words(without_colour(square))


def without_colour(square: str) -> str:
    """Return the id of a square without its colour."""
    if area_of(square) != "from":
        return square
    return f"{ANY}-{square.rpartition('-')[2]}"


def square_rows(played: KbernestichArrays) -> pl.DataFrame:
    """Return a row per square tried; only bids have ``made``."""
    ids = played.vocabularies["square"]
    words = np.array([square_in_words(square) for square in ids])
    bids = [f"hunch-{bid}" for bid in played.rules["hunch"]]
    of_bids = np.array([bids.index(name) if name in bids else -1 for name in ids])

    def columns(raw: pl.DataFrame) -> dict[str, Any]:
        names = ("option", "tricks", "placed")
        option, tricks, placed = (raw[name].to_numpy() for name in names)
        bit = np.bitwise_count(option - np.uint64(1))
        made = came_true(played, of_bids[bit], tricks, placed)
        is_bid = pl.Series(of_bids[bit] >= 0)
        return {
            "option": words[bit],
            "made": pl.when(is_bid).then(pl.Series(made)),
            "points": raw["end_scores"],
            "out": pl.lit(False),
            "came": tricks,
        }

    return played.counterfactual_rows("branching", TRIED.schema, columns)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return what was tried, compared with placing no more cubes in the turn."""
    rows, raw = square_rows(played), played.raw.get("branching", pl.DataFrame())
    more = raw.select("winner", "next") if raw.width else _NOTHING
    claims = pl.concat([rows, more.cast(pl.Int64)], how="horizontal")
    without = played.raw.get("forbidden", pl.DataFrame())
    return {"squares": TRIED.rows(rows), **PLEDGES.tables(claims, without)}


_NOTHING = pl.DataFrame(schema={"winner": pl.Int64, "next": pl.Int64})


def counts(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield which squares a seat takes together in a round."""
    sample = np.flatnonzero(played.game % _COUNTED == 0)
    bits = {
        name: played.bits(pool)
        for name, pool in _pools(played.squares, square_in_words).items()
    }
    taken = played.placed[:, :, sample].reshape(-1, len(sample))
    yield from PLEDGES.taken_with(taken, bits, sample)


WHAT_IFS = WhatIfs(counterfactuals=branching, forbidden=forbidden)
