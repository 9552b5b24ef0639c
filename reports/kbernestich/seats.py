"""Seats and start player: whether it matters where one sits, and what ties do.

The start player of round 1 is drawn at random, so seats as such cannot differ; places
after him can: scores at the start differ, and later the lowest score starts.
"""

import numpy as np
import polars as pl

from reports import course
from reports.drawing import dots, heat
from reports.found import Found
from reports.grids import grid, numbered
from reports.kbernestich.flow import by_place
from reports.kbernestich.played import Played
from reports.kbernestich.words import ROUND, place_name
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.places import finding, less_even, seat_name, shares
from reports.words import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    share,
)

MEASURES: list[Measure] = []
_WHERE = Column("where", "where", "place after the start player of round 1, or seat")
_NOTE = "Games that nobody wins alone count for no place."


def tables(_: Played) -> dict[str, pl.DataFrame]:
    """No tidy tables: all is summed from arrays."""
    return {}


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums by place after the start player, and of ties for the start."""
    places, rounds = range(played.players), numbered(played.rounds)
    one = np.ones((1, played.size), dtype=np.uint8)
    at = [played.place == place for place in places]
    won = np.stack([(here & played.victory).any(axis=0) for here in at])
    points = np.stack([(here * played.scores).sum(axis=0) for here in at])
    gained = by_place(played, played.score - played.before)
    found = [
        grid("won by place", won, one, place=places),
        grid("score by place", points, one, place=places),
        grid("gained by place", gained, one[None], place=places, round=rounds),
    ]
    if played.rounds > 1:
        before = played.before[1:]
        tied = (before == before.min(axis=1, keepdims=True)).sum(axis=1) > 1
        every = np.full(played.size, played.rounds - 1)
        found.append(grid("start by stack", tied.sum(axis=0), every))
    return found


def section(found: Found) -> Section:
    """Win share and points, by seat and by place after the start player."""
    places = less_even(found, "won by place", ("place",), place_name)
    seats = less_even(found, "won by seat", ("seat",), seat_name)
    return Section(
        "seats",
        "Seats, start player and ties",
        f"With {found.who}. The start player of round 1 is drawn; the scores at the "
        "start rise clockwise from him. Later the lowest score starts and names trump.",
        (
            shares(
                "seats-place",
                "Win share by place after the start player of round 1",
                _NOTE,
                places,
                _WHERE,
            ),
            _points(found),
            _in_round(found),
            course.decided(
                found,
                "seats-ties",
                "Of equal highest scores the disc at the bottom of the stack wins, "
                "which came there first.",
                _ENDS,
            ),
            shares(
                "seats-seat",
                "Win share by seat (a check: the start player is drawn)",
                _NOTE,
                seats,
                _WHERE,
            ),
        ),
        (
            *(
                finding(
                    found,
                    places.filter(players=players),
                    f"With {players} players the place at the table",
                    _named,
                )
                for players in found.counts
            ),
            _tie_finding(found),
        ),
    )


def _points(found: Found) -> Exhibit:
    rows = found.leading("score by place", "mean", ("place",))
    names = [place_name(place) for place in rows["place"]]
    return exhibit(
        "seats-points",
        "Score at the end, by place after the start player of round 1",
        "The scores at the start are part of it.",
        rows.with_columns(pl.Series("where", names, dtype=pl.String)),
        (
            PLAYERS,
            _WHERE,
            estimated("score", "mean score of a seat"),
            N,
        ),
        dots("where", "score", by="players"),
    )


def _in_round(found: Found) -> Exhibit:
    """What it is worth to start a round: to name trump, to plot and lead first."""
    rows = found.leading("gained by place", "mean", ("round", "place"))
    names = [place_name(place) for place in rows["place"]]
    return exhibit(
        "seats-round",
        "Points of a round, by place after its start player",
        "From round 2 on the start player is who has the lowest score, so places "
        f"differ in cubes and skill too. The figure shows {found.players} players.",
        rows.with_columns(pl.Series("where", names, dtype=pl.String)),
        (
            PLAYERS,
            ROUND,
            Column("where", "where", "place after the start player of the round"),
            estimated("points", "mean points that a seat wins in the round"),
            N,
        ),
        heat(
            "where", "round", "points a round",
            ends=True, only=pl.col("players") == found.players,
        ),
    )  # fmt: skip


_ENDS = {"points": "points", "stack": "equal scores: place in the stack"}


def _tie_finding(found: Found) -> Finding:
    texts = []
    for players in found.counts:
        rows = found.of_games("decided", ("by",), only=found.leads(players))
        stack = [share(row) for row in rows.rows(named=True) if row["by"] == "stack"]
        starts = found.leading("start by stack", "rate", players=players)
        texts.append(
            f"with {players} players the stack decides {(stack or ['none'])[0]} of the "
            "games"
            + "".join(
                f", and the start player of {share(row)} of the later rounds"
                for row in starts.drop_nulls("estimate").rows(named=True)
            )
        )
    return Finding(f"Ties, {found.who}: {'; '.join(texts)}.", "sure", "seats")


def _named(where: str) -> str:
    """A place after the start player, in a sentence."""
    if where == "start player":
        return "the start player"
    return f"the seat {where.removesuffix(' after')} after the start player"
