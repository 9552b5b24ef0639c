"""The brake: who has more points receives fewer cubes. What that comes to.

A cube fewer follows from the score alone, so seats just above an edge of the refill
table are compared with seats just below it, in the round that follows.
"""

from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbered
from reports.drawing import dots
from reports.formatting import PLAYERS, estimated, exhibit, joined, named, number, share
from reports.kbernestich.played import PlayedGames
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding
from reports.report_data import ReportData
from reports.tabled import Number, tabled, worded

NEAR = 3
"""Scores so close to an edge of the refill table are compared: 23 to 25, 26 to 28."""
_INDEPENDENT = (
    f"costs = mean over seats up to {NEAR} points above the edge less that below; "
    "interval: both sides taken as independent"
)


_ROWS = {
    "received": "cubes received",
    "capped": "cubes due but lost to the limit",
    "in hand": "cubes in hand at the deal",
    "placed": "cubes placed in the round that follows",
    "points": "points in the round that follows",
}
_EDGES = {
    "in hand": "cubes in hand",
    "placed": "cubes placed",
    "points": "points in the round that follows",
}
MEASURES = (
    Measure("refill rows", "share of seats with such a score", "share", by=("row",)),
    *(Measure(f"refill {n}", doc, "mean", by=("row",)) for n, doc in _ROWS.items()),
    Measure("refill won", "share that wins the game", "share", by=("row",)),
    *(
        Measure(f"edge {name}", doc, "mean", by=("edge", "above"))
        for name, doc in _EDGES.items()
    ),
)


def refill(played: PlayedGames) -> Array:
    """(rounds - 1, seats, games) cubes that the table gives after a round."""
    rows = played.rules["refill"]
    table = np.zeros(1024, dtype=np.int16)
    for low, high, cubes in reversed(rows):
        table[low : high + 1] = cubes
    return table.take(np.minimum(played.score[:-1], 1023))


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by row of the refill table, and near its edges, of rounds 2 and later."""
    if played.rounds == 1:
        return []
    rows = played.rules["refill"]
    before, due = played.before[1:], refill(played)
    values = {
        "received": played.received[1:],
        "in hand": played.cubes[1:],
        "capped": due - played.received[1:],
        "placed": played.cubes[1:] - played.kept[1:],
        "points": (played.score - played.before)[1:],
        "won": np.broadcast_to(played.victory, before.shape),
    }
    inside = np.stack([(before >= low) & (before <= high) for low, high, _ in rows])
    every = np.full(played.size, before.shape[0] * played.players)
    bands = numbered(len(rows))
    edges = [row[0] for row in rows if row[0] > 0]
    sides = (
        np.stack(
            [
                [(before >= low) & (before < low + NEAR) for low in (edge - NEAR, edge)]
                for edge in edges
            ]
        )
        if edges
        else np.zeros((0, 2, *before.shape), dtype=np.bool_)
    )
    return [
        grid("refill rows", inside.sum(axis=(1, 2)), every, row=bands),
        *(
            grid(
                f"refill {name}",
                _over(inside, part),
                inside.sum(axis=(1, 2)),
                row=bands,
            )
            for name, part in values.items()
        ),
        *(
            grid(
                f"edge {name}",
                _over(sides, values[name]),
                sides.sum(axis=(2, 3)),
                edge=edges,
                above=(0, 1),
            )
            for name in _EDGES
        ),
    ]


def _over(flags: Array, values: Array) -> Array:
    """(groups, games) sum of values where the flags of a group are set."""
    return (flags * values).sum(axis=(-3, -2), dtype=np.int64)


def exhibits(data: ReportData) -> tuple[Exhibit, ...]:
    """The rows of the refill table, and its edges."""
    return (_rows(data), _edges(data))


def row_words(rows: Any, at: int) -> str:
    """A row of the refill table, by its scores."""
    low, high, _ = rows[at - 1]
    return f"{low} or more" if high >= 999 else f"{low} to {high}"


def _rows(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "economy-refill",
        "The refill table: cubes by score",
        "Of rounds 2 and later. A cube due is lost where a player would hold more "
        "than he can.",
        (
            "players",
            Column("score", "score", "score before the round"),
            Number("refill rows", "seats"),
            Number("refill received", "received", name="received"),
            Number("refill capped", "lost", name="capped"),
            Number("refill in hand", "in hand", name="in hand"),
            Number("refill points", "points", name="points"),
            Number("refill won", "wins", name="won"),
        ),
        rows=worded("score", lambda at: row_words(data.rules["refill"], at), "row"),
        n=Column("points_n", "n", "seats with such a score", "count"),
    )


def edges(data: ReportData) -> pl.DataFrame:
    """A row an edge: cubes and points of seats above it less those below."""
    keys = ("players", "edge")
    table, *parts = (_change(data, name, keys) for name in _EDGES)
    for part in parts:
        table = joined(table, part.drop("n"), keys)
    return table


def _change(data: ReportData, name: str, keys: tuple[str, ...]) -> pl.DataFrame:
    """One number: above an edge less below it."""
    rows = data.leading(f"edge {name}")
    below, above = (
        named(rows.filter(above=side), keys, side_name)
        for side, side_name in enumerate(("below", "beyond"))
    )
    both = joined(above, below, keys)
    change = pl.col("beyond") - pl.col("below")
    se = (pl.col("beyond_se") ** 2 + pl.col("below_se") ** 2).sqrt()
    return both.select(
        *keys,
        change.alias(name),
        (change - 1.96 * se).alias(f"{name}_low"),
        (change + 1.96 * se).alias(f"{name}_high"),
        pl.min_horizontal("beyond_n", "below_n").alias("n"),
    )


def _edges(data: ReportData) -> Exhibit:
    rows = edges(data)
    return exhibit(
        "economy-edges",
        "What a score beyond an edge of the refill table costs",
        f"Seats whose score is up to {NEAR} points above the edge, less seats up to "
        f"{NEAR} points below it, in the round that follows.",
        rows.with_columns(what=pl.format("{} or more, {} players", "edge", "players")),
        (
            PLAYERS,
            Column("edge", "score from", "first score that receives fewer", "count"),
            estimated("cubes", "cubes in hand, above less below", name="in hand"),
            estimated("placed", "cubes placed, above less below", name="placed"),
            estimated("points", "points in the round, above less below", name="points"),
            Column("n", "n", "seats on the side that has fewer", "count"),
        ),
        dots("what", "points in the round, above less below", "points", reference=0),
        _INDEPENDENT,
    )


def finding(data: ReportData) -> Finding:
    """What the brake costs, in words."""
    players = data.players
    rows = edges(data).filter(players=players).drop_nulls("points")
    if rows.is_empty():
        return Finding("Brake: no score came near an edge.", "open", "economy")
    seats = data.leading("refill rows", players=players)
    texts = [
        f"from {row['edge']} points on a seat has {number(row, 'in hand')} cubes and "
        f"wins {number(row, 'points')} points in the round that follows"
        for row in rows.rows(named=True)
    ]
    most = seats.rows(named=True)[-1]
    text = (
        f"Brake, {players} players, {data.who}: against seats just below the edge, "
        f"{'; '.join(texts)}. {share(most)} of the seats are in the last row of the "
        "table when a round begins."
    )
    return Finding(text, "", "economy")
