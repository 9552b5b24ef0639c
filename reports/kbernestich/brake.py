"""The brake: who has more points receives fewer cubes. What that comes to.

A cube fewer follows from the score alone, so seats just above an edge of the refill
table are compared with seats just below it, in the round that follows.
"""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid, numbered
from reports.drawing import dots
from reports.formatting import ends, estimated, joined, less, named, number, share
from reports.game_report import Parts
from reports.kbernestich.played import PlayedGames
from reports.measures import MeasuresOf
from reports.page import Column, Finding
from reports.report_data import ReportData
from reports.tabled import Number, Table, Words

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
_REFILL, _EDGE = MeasuresOf(by="row"), MeasuresOf(by="edge above")
MEASURES = (
    _REFILL.share("refill rows", "share of seats with such a score"),
    *(_REFILL.mean(f"refill {name}", doc) for name, doc in _ROWS.items()),
    _REFILL.share("refill won", "share that wins the game"),
    *(_EDGE.mean(f"edge {name}", doc) for name, doc in _EDGES.items()),
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
    many, bands = inside.sum(axis=(1, 2)), numbered(len(rows))
    found = [grid("refill rows", many, every, row=bands)]
    for name, part in values.items():
        found.append(grid(f"refill {name}", _over(inside, part), many, row=bands))
    edges = [row[0] for row in rows if row[0] > 0]
    if edges:
        starts = np.array([[edge - NEAR, edge] for edge in edges])
        starts = starts.reshape(len(edges), 2, *[1] * before.ndim)
        sides = (before >= starts) & (before < starts + NEAR)
        near, labels = sides.sum(axis=(2, 3)), {"edge": edges, "above": (0, 1)}
        for name in _EDGES:
            part = _over(sides, values[name])
            found.append(grid(f"edge {name}", part, near, **labels))
    return found


def _over(flags: Array, values: Array) -> Array:
    """(groups, games) sum of values where the flags of a group are set."""
    return (flags * values).sum(axis=(-3, -2), dtype=np.int64)


def shown(data: ReportData) -> Parts:
    """The rows of the refill table, and its edges."""
    rows = data.rules["refill"]

    def scores(at: int) -> str:
        low, high, _ = rows[at - 1]
        return f"{low} or more" if high >= 999 else f"{low} to {high}"

    yield Table(
        "economy-refill",
        "The refill table: cubes by score",
        "Of rounds 2 and later. A cube due is lost where a player would hold more "
        "than he can.",
        (
            "players",
            Words("score", "score", "score before the round", scores, "row"),
            Number("refill rows", "seats"),
            Number("refill received", "received", name="received"),
            Number("refill capped", "lost", name="capped"),
            Number("refill in hand", "in hand", name="in hand"),
            Number("refill points", "points", name="points"),
            Number("refill won", "wins", name="won"),
        ),
        n=Column("points_n", "n", "seats with such a score", "count"),
    )
    costs = edges(data)
    points = "points in the round, above less below"
    yield Table(
        "economy-edges",
        "What a score beyond an edge of the refill table costs",
        f"Seats whose score is up to {NEAR} points above the edge, less seats up to "
        f"{NEAR} points below it, in the round that follows.",
        (
            "players",
            Column("edge", "score from", "first score that receives fewer", "count"),
            estimated("cubes", "cubes in hand, above less below", name="in hand"),
            estimated("placed", "cubes placed, above less below", name="placed"),
            estimated("points", points, name="points"),
        ),
        rows=costs.with_columns(
            what=pl.format("{} or more, {} players", "edge", "players")
        ),
        draw=dots("what", points, "points", reference=0),
        formula=_INDEPENDENT,
        n=Column("n", "n", "seats on the side that has fewer", "count"),
    )
    yield _finding(data, costs)


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
    both = less(joined(above, below, keys), "beyond", "below", name)
    fewer = pl.min_horizontal("beyond_n", "below_n")
    return both.select(*keys, name, *ends(name), n=fewer)


def _finding(data: ReportData, costs: pl.DataFrame) -> Finding:
    """What the brake costs, in words."""
    players = data.players
    rows = costs.filter(players=players).drop_nulls("points")
    if rows.is_empty():
        return Finding("Brake: no score came near an edge.", "open")
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
    return Finding(text, "")
