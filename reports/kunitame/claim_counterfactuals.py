"""Squares of pledges: claims tried, games without a square, and use by position."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_sample, numbers_to
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
    """Return gems won from squares or put back, (squares, weeks, seats, sample)."""
    moves = played.moves(won=won)
    keep = np.flatnonzero(np.isin(moves["game"], sample))
    at = tuple(moves[name][keep] for name in ("square", "week", "seat"))
    game = np.searchsorted(sample, moves["game"][keep])
    ids = played.vocabularies["square"]
    shape = (len(ids), played.weeks, played.players, len(sample))
    index = np.ravel_multi_index((*at, game), shape)
    gems = np.bincount(index, minlength=int(np.prod(shape))).reshape(shape)
    return gems[np.array(squares, dtype=np.int64)]


def _by_place(
    played: KunitameArrays,
    sample: Array,
    bits: Mapping[str, np.uint64],
    won: Array,
    back: Array,
) -> Iterator[Counts]:
    """Yield how each square is used by position, in a sample of the games."""
    seats = np.arange(played.players)[:, None]
    dealer = played.dealer[:, None, sample].astype(np.int64)
    place = (seats - dealer) % played.players  # (weeks, seats, games)
    met, gems = _met(played, sample)
    names, places = [*bits], numbers_to(played.players)
    shape = (len(names), played.players, len(sample))
    sums = {name: np.zeros(shape, dtype=np.int64) for name in (*USES, "weeks", "met")}
    for number, bit in enumerate(bits.values()):
        met_it = [(part & bit) != 0 for part in met]  # of each trick and liquidation
        times = sum(flag.astype(np.int64) for flag in met_it)
        free = sum(((g & bit) != 0) & f for g, f in zip(gems, met_it, strict=True))
        several = (times > 0).sum(axis=1, keepdims=True) > 1
        values = {
            "eligible": times,
            "open": free,
            "claimed": won[number],
            "contested": (times > 0) & several,
            "returned": back[number],
            "weeks": np.ones_like(times),
            "met": times > 0,
        }
        for seat in range(played.players):
            mine = place == seat
            for name, value in values.items():
                sums[name][number, seat] = (value * mine).sum(axis=(0, 1))
    for name, (_, _, per) in USES.items():
        measure = f"{name} by square and position"
        counted = sample, sums[name], sums[per]
        yield grid_of_sample(measure, *counted, square=names, position=places)


def _met(
    played: KunitameArrays, sample: Array
) -> tuple[Sequence[Array], Sequence[Array]]:
    """Return masks of squares met, and with a gem, (weeks, seats, games) each.

    One mask for each trick, which belongs to the seat that wins it, and one for
    liquidation; squares tested at liquidation count only then.
    """
    ids = played.vocabularies["square"]
    when = {row["id"]: row["when"] for row in played.rules["squares"]}
    trick = np.uint64(sum(1 << n for n, i in enumerate(ids) if when.get(i) == "trick"))
    seats = np.arange(played.players)[:, None]
    taker, squares, free = (
        part[:, :, None, sample] for part in (played.taker, played.met, played.gems)
    )
    met, gems = [], []
    for number in range(played.rounds):
        mine = taker[:, number] == seats
        met.append(np.where(mine, squares[:, number] & trick, np.uint64(0)))
        gems.append(np.broadcast_to(free[:, number], mine.shape))
    met.append(played.liquidation("met")[:, :, sample] & ~trick)
    gems.append(played.liquidation("open")[:, :, sample])
    return met, gems
