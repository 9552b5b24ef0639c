"""Squares: what a cube on each brings, gross and net.

Gross is what the square brought: its value, the bid that came true, value times own
cards. Net is the difference to the same deals with that cube left in hand instead, in
points of the round, points at the end, and wins.
"""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid
from reports.game_report import ReportSection
from reports.kbernestich import pairs, worth
from reports.kbernestich.formatting import square_words
from reports.kbernestich.played import SUITS, PlayedGames, area_of
from reports.measures import Measure
from reports.page import Exhibit, Section
from reports.report_data import ReportData
from reports.tabled import Number, tabled, worded

_CUBES = "cubes that a seat places there in a round"
MEASURES = tuple(
    Measure(name, doc, "mean", by=("square",))
    for name, doc in {
        "cubes on square": _CUBES,
        "cubes on kind": _CUBES,
        "gross": "points it brought per cube",
    }.items()
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
    return np.stack(
        [
            sum((v for k, v in parts.items() if pairs.pooled(k) == name), np.int64(0))
            for name in wanted
        ]
    )


def _of_squares(played: PlayedGames) -> tuple[dict[str, Array], dict[str, Array]]:
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


def _letters(played: PlayedGames) -> dict[str, Array]:
    """(games,) cubes by square of Letter to Marie, where several may lie on one."""
    rows = played.cubes_placed
    size = len(played.squares)
    at = rows["square"] * played.size + rows["game"]
    many = np.bincount(at, minlength=size * played.size).reshape(size, played.size)
    return {name: many[n] for n, name in enumerate(played.squares)}


def _suits(played: PlayedGames) -> list[np.uint64]:
    """The cards of each colour as a mask."""
    cards = played.vocabularies["card"]
    return [
        np.uint64(sum(1 << n for n, card in enumerate(cards) if card[0] == suit))
        for suit in SUITS[: played.suits]
    ]


def section(data: ReportData) -> Section:
    """Gross and net, and how often each square has one."""
    return Section(
        "squares",
        "Squares: gross and net",
        f"With {data.who}.",
        (*worth.exhibits(data), _used(data)),
        worth.findings(data),
    )


def _used(data: ReportData) -> Exhibit:
    def ordered(rows: pl.DataFrame) -> pl.DataFrame:
        order = list(dict.fromkeys(rows.sort("players", descending=True)["square"]))
        rows = worded("said", square_words, "square")(rows)
        return rows.sort("players", pl.col("square").cast(pl.Enum(order)))

    return tabled(
        data,
        "squares-used",
        "Cubes on each square",
        "Of every colour apart. Colours differ in name only: what differs between "
        "them more than chance does is a fault of a strategy.",
        ("players", "square", Number("cubes on square", "cubes")),
        rows=ordered,
    )


SECTION = ReportSection(section, MEASURES, counts=counts)
