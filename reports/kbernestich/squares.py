"""Squares: what a cube on each brings, gross and net.

Gross is what the square brought: its value, the bid that came true, value times own
cards. Net is the difference to the same deals with that cube left in hand instead, in
points of the round, points at the end, and wins.
"""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid
from reports.game_report import ReportSection, Shown
from reports.kbernestich import pairs, worth
from reports.kbernestich.formatting import square_words
from reports.kbernestich.played import SUITS, PlayedGames, area_of
from reports.measures import MeasuresOf
from reports.page import Section
from reports.report_data import ReportData
from reports.tabled import Number, Table, worded

_CUBES = "cubes that a seat places there in a round"
_SQUARES = MeasuresOf(by="square")
MEASURES = (
    _SQUARES.mean("cubes on square", _CUBES),
    _SQUARES.mean("cubes on kind", _CUBES),
    _SQUARES.mean("gross", "points it brought per cube"),
)


def counts(played: PlayedGames) -> list[Counts]:
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
    some = {name: np.zeros_like(next(iter(parts.values()))) for name in wanted}
    for name, values in parts.items():
        kind = pairs.pooled(name)
        if kind in some:
            some[kind] = some[kind] + values
    return np.stack(list(some.values()))


def _of_squares(played: PlayedGames) -> tuple[dict[str, Array], dict[str, Array]]:
    """(games,) each: cubes on a square in a game, and the points it brought."""
    counts, brought = {}, {}
    bid = played.hunch + played.misery
    cards = [
        np.bitwise_count(played.won & suit)
        for suit in played.suit_masks[: played.suits]
    ]
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


def _letters(played: PlayedGames) -> dict[str, Array]:
    """(games,) cubes by square of Letter to Marie, where several may lie on one."""
    rows = played.cubes_placed
    size = len(played.squares)
    at = rows["square"] * played.size + rows["game"]
    many = np.bincount(at, minlength=size * played.size).reshape(size, played.size)
    return dict(zip(played.squares, many, strict=True))


def section(data: ReportData) -> Shown:
    """Gross and net, and how often each square has one."""
    yield Section("squares", "Squares: gross and net", f"With {data.who}.")
    yield from worth.shown(data)

    def ordered(rows: pl.DataFrame) -> pl.DataFrame:
        order = list(dict.fromkeys(rows.sort("players", descending=True)["square"]))
        rows = worded("said", square_words, "square")(rows)
        return rows.sort("players", pl.col("square").cast(pl.Enum(order)))

    yield Table(
        "squares-used",
        "Cubes on each square",
        "Of every colour apart. Colours differ in name only: what differs between "
        "them more than chance does is a fault of a strategy.",
        ("players", "square", Number("cubes on square", "cubes")),
        rows=ordered,
    )


SECTION = ReportSection(section, MEASURES, counts=counts)
