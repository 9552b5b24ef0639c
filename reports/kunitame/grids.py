"""Sums of squares and cards, from dense arrays: a million rows would be too slow.

A grid has a number for each of some groups (square; square and week; card) in each
game. Its sums are those of ``reports.measures``, without a row for every number.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from reports.kunitame.played import Array, Played


def sums(
    measure: str, groups: Mapping[str, Sequence[Any]], y: Array, x: Array
) -> pl.DataFrame:
    """Sum a grid of (groups, games) over its games: y per x."""
    top, below = y.astype(np.float64), x.astype(np.float64)
    return pl.DataFrame(
        {
            **{
                name: pl.Series(list(values)).cast(_kind(values))
                for name, values in groups.items()
            },
            "y": top.sum(axis=1),
            "x": below.sum(axis=1),
            "yy": np.einsum("kg,kg->k", top, top),
            "xx": np.einsum("kg,kg->k", below, below),
            "xy": np.einsum("kg,kg->k", top, below),
            "games": np.count_nonzero(below, axis=1).astype(np.float64),
            "measure": [measure] * len(top),
        }
    )


def _kind(values: Sequence[Any]) -> type[pl.DataType]:
    return pl.Int64 if values and isinstance(values[0], int) else pl.String


def grids(played: Played) -> list[pl.DataFrame]:
    """The sums of all grids of a block."""
    return [*_of_squares(played), *_of_cards(played)]


def _of_squares(played: Played) -> list[pl.DataFrame]:
    names = [name for name in played.words["square"] if name not in {"?", "pass"}]
    counts = square_counts(played, len(names))
    pairs: dict[str, tuple[str, str | None]] = {
        "met": ("met", None),
        "open": ("open", "met"),
        "claimed": ("claims", "open"),
        "claims": ("claims", None),
        "contested": ("contested", None),
        "refilled": ("refilled", None),
        "paid": ("paid", None),
        "worth": ("paid", "met"),
    }
    by_square = {"square": names}
    by_week: dict[str, list[Any]] = {
        "square": [name for name in names for _ in range(played.weeks)],
        "week": list(range(1, played.weeks + 1)) * len(names),
    }
    found = []
    for measure, (top, below) in pairs.items():
        whole, weekly = f"{measure} by square", f"{measure} by square and week"
        y, x = counts[top], counts[below or "weeks"]
        found.append(sums(whole, by_square, y.sum(axis=1), x.sum(axis=1)))
        flat = (part.reshape(-1, played.size) for part in (y, x))
        found.append(sums(weekly, by_week, *flat))
    ever = counts["claims"].sum(axis=1) > 0
    found.append(sums("ever claimed by square", by_square, ever, np.ones_like(ever)))
    return found


def square_counts(played: Played, squares: int) -> dict[str, Array]:
    """(squares, weeks, games) how often each square was met, open, claimed, ...

    met: tricks, or liquidations of a seat, that met it; open: those in which it held
    a gem; claims: gems won from it; paid: their points; refilled: gems put back on
    it; contested: two or more seats met it in the week; weeks: 1 each.
    """
    shape = (squares, played.weeks, played.size)
    met, opened, contested = (np.zeros(shape, dtype=np.uint8) for _ in range(3))
    trick_only = _mask(played, lambda when: when == "trick")
    later = ~trick_only
    in_trick, at_end = played.met & trick_only, played.liquidation("met") & later
    free, free_later = in_trick & played.gems, at_end & played.liquidation("open")
    two = _by_two(played, in_trick, at_end)
    for square in range(squares):
        bit = np.uint64(square)
        trick = bool(trick_only >> bit & np.uint64(1))
        met[square] = _count(in_trick if trick else at_end, bit)
        opened[square] = _count(free if trick else free_later, bit)
        contested[square] = two >> bit & np.uint64(1)
    won, back = (_moved(played, squares, won=flag) for flag in (True, False))
    return {
        "met": met,
        "open": opened,
        "contested": contested,
        "claims": won[0],
        "paid": won[1],
        "refilled": back[0],
        "weeks": np.ones(shape, dtype=np.uint8),
    }


def _mask(played: Played, wanted: Any) -> np.uint64:
    """The squares whose condition is tested then."""
    when = {square["id"]: square["when"] for square in played.rules["squares"]}
    ids = played.words["square"]
    return np.uint64(
        sum(1 << n for n, name in enumerate(ids) if wanted(when.get(name)))
    )


def _count(masks: Array, bit: np.uint64) -> Array:
    """(weeks, games) in how many of (weeks, many, games) masks a bit is set."""
    flags = (masks >> bit & np.uint64(1)).astype(np.uint8)
    count: Array = flags.sum(axis=1, dtype=np.uint8)
    return count


def _by_two(played: Played, in_trick: Array, at_end: Array) -> Array:
    """(weeks, games) squares that two or more seats met in the week."""
    one = np.zeros_like(played.met[:, 0])
    two = one.copy()
    for seat in range(played.players):
        mine = np.where(played.taker == seat, in_trick, np.uint64(0))
        met = np.bitwise_or.reduce(mine, axis=1) | at_end[:, seat]
        two |= one & met
        one |= met
    return two


def _moved(played: Played, squares: int, *, won: bool) -> tuple[Array, Array]:
    """(squares, weeks, games) gems won from or put on squares, and their points."""
    moves = played.moves(won=won)
    shape = (squares, played.weeks, played.size)
    at = (moves["square"] * played.weeks + moves["week"]) * played.size + moves["game"]
    size = int(np.prod(shape))
    many = np.bincount(at, minlength=size).reshape(shape)
    points = np.bincount(at, moves["value"], size).reshape(shape)
    return many, points


def _of_cards(played: Played) -> list[pl.DataFrame]:
    names = list(dict.fromkeys(played.words["card"]))
    size = len(names)
    dealt = _dealt(played, names)
    games = np.broadcast_to(np.arange(played.size), played.led.shape)
    won = _per_game(played, played.won_with, games, size)
    led = _per_game(played, played.led, games, size)
    both = played.led == played.won_with
    led_won = _per_game(played, played.led[both], games[both], size)
    cards = {"card": names}
    return [
        sums("won when dealt", cards, won, dealt),
        sums("led when dealt", cards, led, dealt),
        sums("won when led", cards, led_won, led),
    ]


def _per_game(played: Played, cards: Array, games: Array, size: int) -> Array:
    """(cards, games) how often each card occurs in each game."""
    at = cards.astype(np.int64) * played.size + games
    return np.bincount(at.reshape(-1), minlength=size * played.size).reshape(size, -1)


def _dealt(played: Played, names: list[str]) -> Array:
    """(cards, games) how often each card was dealt or drawn."""
    place = {name: n for n, name in enumerate(names)}
    hands = np.bitwise_or.reduce(played.hands, axis=1)  # (weeks, games)
    dealt = np.zeros((len(names), played.size), dtype=np.int64)
    for bit, name in enumerate(played.words["card"]):
        dealt[place[name]] += (hands >> np.uint64(bit) & np.uint64(1)).sum(
            axis=0, dtype=np.int64
        )
    drawn = played.raw.get("devil")
    if drawn is not None:
        cards = drawn["card"].to_physical().to_numpy()
        games = (drawn["game"] - int(played.game[0])).to_numpy().astype(np.int64)
        dealt += _per_game(played, cards, games, len(names))
    return dealt
