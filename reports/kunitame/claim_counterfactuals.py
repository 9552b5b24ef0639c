"""Squares of pledges: claims tried, games without a square, and use by position."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_sample, numbers_to
from reports.game_arrays import add_up
from reports.kunitame.game_arrays import KunitameArrays
from reports.measures import MeasuresOf, Statistic
from reports.pledges import Pledges

SQUARES = Pledges("square", "squares", "week", "pass")
CLAIMS = "claims"
"""The name of the raw table of claims that were tried."""
_KINDS = ("claim", "bonus")
_OF = (7, 16)
"""One in this many claims is tried, after a trick and at liquidation."""
_EVERY = 3
"""One game in this many is played again without each square."""
_COUNTED = 16
"""One game in this many is counted by position and by pairs.

Measured with 16,384 games of allround: counting all takes half of the run, one in 16
a twentieth, one in 32 hardly less. "claimed" is known to 4 points, instead of 1.
"""
_ELIGIBLE = "tricks (or liquidations) of a seat in a week that meet it"
USES: Mapping[str, tuple[Statistic, str, str]] = {
    "eligible": ("mean", _ELIGIBLE, "weeks"),
    "open": ("share", "share of those that meet it while it holds a gem", "eligible"),
    "claimed": ("share", "share of those that meet it open and win its gem", "open"),
    "contested": ("share", "share of the weeks in which others meet it too", "met"),
    "returned": ("mean", "gems that a seat puts back on it in a week", "weeks"),
}
"""Use of a square by position of the seat in the week: kind, meaning, denominator."""
_BY_PLACE = MeasuresOf(by="square position")
MEASURES = (
    *SQUARES.measures,
    *(
        _BY_PLACE.measure(kind, f"{name} by square and position", doc)
        for name, (kind, doc, _) in USES.items()
    ),
)


def in_play(rules: Mapping[str, Any]) -> list[str]:
    """Return the squares that are on the table."""
    removed = rules.get("removed_pledge")
    return [row["id"] for row in rules["squares"] if row["pledge"] != removed]


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which claims are tried, with 4 players.

    After a search player's claim play goes on without search, except in full reports.
    """
    return (
        {
            "decisions": _KINDS,
            "one_in": _OF,
            "keeps": ("result",),
            "left": True,
            "name": CLAIMS,
            "players": (4,),
            "search": {"one_in": (2, 4)},
            "full": {"plays_on": ""},
        },
    )


def forbidden(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the squares to forbid to one player, or to all."""
    pools = {square: (square,) for square in in_play(rules)}
    lead = {"decisions": _KINDS, "pools": pools, "one_game_in": _EVERY, "players": (4,)}
    return (lead | {"full": {"one_game_in": _EVERY}},)


def tables(played: KunitameArrays) -> dict[str, pl.DataFrame]:
    """Return the tables of what was tried, and of the games without each square."""
    without = played.raw.get("forbidden", pl.DataFrame())
    return SQUARES.tables(claim_rows(played), without)


def claim_rows(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per square tried."""
    ids = np.array(played.vocabularies["square"])

    def columns(raw: pl.DataFrame, at: Array) -> dict[str, Array]:
        seat, week, option = (raw[n].to_numpy() for n in ("seat", "week", "option"))
        dealer = played.dealer[week - 1, at].astype(np.int64)
        return {
            "position": (seat - dealer) % played.players + 1,
            "option": ids[np.bitwise_count(option - np.uint64(1))],
        }

    return played.counterfactual_rows(CLAIMS, SQUARES.schema, columns)


def counts(played: KunitameArrays) -> Iterator[Counts]:
    """Yield use by position, and which squares a seat takes together in a week."""
    sample = np.flatnonzero(played.game % _COUNTED == 0)
    ids = played.vocabularies["square"]
    names = [name for name in in_play(played.rules) if name in ids]
    bits = {name: np.uint64(1 << ids.index(name)) for name in names}
    at = [*map(ids.index, names)]
    won, back = (_moved(played, sample, at, won=flag) for flag in (True, False))
    taken = np.zeros(won.shape[1:], dtype=np.uint64)
    for number, bit in enumerate(bits.values()):
        taken |= np.where(won[number] > 0, bit, np.uint64(0))
    units = math.prod(taken.shape[:-1])
    yield from SQUARES.taken_with(taken.reshape(units, len(sample)), bits, sample)
    yield from _by_place(played, sample, bits, won, back)


def _moved(
    played: KunitameArrays, sample: Array, squares: Sequence[int], *, won: bool
) -> Array:
    """Return gems won from squares or put back, (squares, weeks, places, sample)."""
    moves = played.moves(won=won)
    keep = np.flatnonzero(np.isin(moves["game"], sample, kind="table"))
    square, week, seat, game = (
        moves[name][keep] for name in ("square", "week", "seat", "game")
    )
    place = (seat - played.dealer[week, game]) % played.players
    ids = played.vocabularies["square"]
    shape = (len(ids), played.weeks, played.players, len(sample))
    at = square, week, place, np.searchsorted(sample, game)
    return add_up(shape, at)[np.array(squares, dtype=np.int64)]


def _by_place(
    played: KunitameArrays,
    sample: Array,
    bits: Mapping[str, np.uint64],
    won: Array,
    back: Array,
) -> Iterator[Counts]:
    """Yield how each square is used by position, in a sample of the games."""
    met, free = _met(played, sample)
    times, open_ = (  # (squares, weeks, places, games), as won and back are
        np.stack([_often(part & bit) for bit in bits.values()])
        for part in (met, met & free)
    )
    several = (times > 0).sum(axis=2, keepdims=True) > 1
    values = {
        "eligible": times,
        "open": open_,
        "claimed": won,
        "contested": (times > 0) & several,
        "returned": back,
        "weeks": np.ones_like(times),
        "met": times > 0,
    }
    sums = {name: value.sum(axis=1, dtype=np.int64) for name, value in values.items()}
    names, places = [*bits], numbers_to(played.players)
    for name, (_, _, per) in USES.items():
        measure = f"{name} by square and position"
        counted = sample, sums[name], sums[per]
        yield grid_of_sample(measure, *counted, square=names, position=places)


def _often(masks: Array) -> Array:
    """Count the masks along the first axis that are not empty."""
    flags = (masks != 0).view(np.uint8)
    count: Array = np.add.reduce(flags, axis=0, dtype=np.uint8)
    return count


def _met(played: KunitameArrays, sample: Array) -> tuple[Array, Array]:
    """Return masks of squares met, and with a gem, (parts, weeks, places, games) each.

    The parts of a week are each trick, which belongs to the seat that wins it, and
    liquidation; squares tested at liquidation count only then.
    """
    ids = played.vocabularies["square"]
    when = {row["id"]: row["when"] for row in played.rules["squares"]}
    trick = np.uint64(sum(1 << n for n, i in enumerate(ids) if when.get(i) == "trick"))
    dealer = played.dealer[:, None, sample].astype(np.int64)
    seat = (dealer + played.seats) % played.players  # (weeks, places, games)
    taker, squares, free = (
        np.moveaxis(part[:, :, None, sample], 1, 0)
        for part in (played.taker, played.met, played.gems)
    )
    in_tricks = np.where(taker == seat, squares & trick, np.uint64(0))
    at_end, free_then = (
        np.take_along_axis(played.liquidation(name)[..., sample], seat, axis=1)[None]
        for name in ("met", "open")
    )
    met = np.concatenate([in_tricks, at_end & ~trick])
    return met, np.concatenate([np.broadcast_to(free, in_tricks.shape), free_then])
