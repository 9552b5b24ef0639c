"""Squares: what a cube on each brings, gross and net.

Gross is what the square brought: its value, the bid that came true, value times own
cards. Net is the difference to the same deals with that cube left in hand instead, in
points of the round, points at the end, and wins.
"""

import numpy as np
import polars as pl

from reports.found import Found
from reports.grids import Array, grid
from reports.kbernestich import pairs, worth
from reports.kbernestich.played import SUITS, Played, area_of
from reports.kbernestich.words import SQUARE, square_words
from reports.measures import Measure
from reports.page import Exhibit, Section
from reports.words import PLAYERS, N, estimated, exhibit

MEASURES: list[Measure] = []


def tables(_: Played) -> dict[str, pl.DataFrame]:
    """No tidy tables: all is summed from arrays."""
    return {}


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of cubes and points of every square."""
    counts, brought = _of_squares(played)
    names = list(counts)
    cubes = np.stack([counts[name] for name in names])
    seats = np.full((1, played.size), played.players * played.rounds)
    pooled = list(dict.fromkeys(pairs.pooled(name) for name in names))
    paying = [name for name in pooled if any(pairs.pooled(n) == name for n in brought)]
    found = [
        grid("cubes on square", cubes, seats, square=names),
        grid("cubes on kind", _pooled(counts, pooled), seats, square=pooled),
    ]
    if paying:
        gross, here = _pooled(brought, paying), _pooled(counts, paying)
        found.append(grid("gross", gross, here, square=paying))
    return found


def _pooled(parts: dict[str, Array], wanted: list[str]) -> Array:
    """(squares, games) added up over colours."""
    return np.stack(
        [
            sum((v for k, v in parts.items() if pairs.pooled(k) == name), np.int64(0))
            for name in wanted
        ]
    )


def _of_squares(played: Played) -> tuple[dict[str, Array], dict[str, Array]]:
    """(games,) each: cubes on a square in a game, and the points it brought."""
    counts, brought = {}, {}
    bid = played.hunch + played.misery
    cards = [np.bitwise_count(played.won & suit) for suit in _suits(played)]
    letters = _letters(played)
    for name in played.squares:
        here, area = played.on(name), area_of(name)
        counts[name] = here.sum(axis=(0, 1))
        if area == "to":
            counts[name] = letters[name]
            brought[name] = letters[name] * int(name.removeprefix("to-"))
        elif area == "hunch":
            brought[name] = (bid * here).sum(axis=(0, 1))
        elif area == "grace":
            brought[name] = (played.from_ * here).sum(axis=(0, 1))
        elif area == "from":
            _, suit, value = name.split("-")
            mine = (cards[SUITS.index(suit)] * here).sum(axis=(0, 1), dtype=np.int64)
            brought[name] = mine * int(value)
    return counts, brought


def _letters(played: Played) -> dict[str, Array]:
    """(games,) cubes by square of Letter to Marie, where several may lie on one."""
    rows = played.cubes_placed
    size = len(played.squares)
    at = rows["square"] * played.size + rows["game"]
    many = np.bincount(at, minlength=size * played.size).reshape(size, played.size)
    return {name: many[n] for n, name in enumerate(played.squares)}


def _suits(played: Played) -> list[np.uint64]:
    """The cards of each colour as a mask."""
    cards = played.words["card"]
    return [
        np.uint64(sum(1 << n for n, card in enumerate(cards) if card[0] == suit))
        for suit in SUITS[: played.suits]
    ]


def section(found: Found) -> Section:
    """Gross and net, and how often each square has one."""
    return Section(
        "squares",
        "Squares: gross and net",
        f"With {found.who}.",
        (*worth.exhibits(found), _used(found)),
        worth.findings(found),
    )


def _used(found: Found) -> Exhibit:
    rows = found.leading("cubes on square", "mean", ("square",))
    order = list(dict.fromkeys(rows.sort("players", descending=True)["square"]))
    words = [square_words(name) for name in rows["square"]]
    rows = rows.with_columns(said=pl.Series(words, dtype=pl.String)).sort(
        "players", pl.col("square").cast(pl.Enum(order))
    )
    return exhibit(
        "squares-used",
        "Cubes on each square",
        "Of every colour apart. Colours differ in name only: what differs between "
        "them more than chance does is a fault of a strategy.",
        rows,
        (
            PLAYERS,
            SQUARE,
            estimated("cubes", "cubes that a seat places there in a round"),
            N,
        ),
    )
