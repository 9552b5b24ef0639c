"""Seats and start player: whether it matters where one sits, and what ties do.

The start player of round 1 is drawn at random, so seats as such cannot differ;
positions after him can: scores at the start differ, and later the lowest score starts.
"""

import numpy as np
import polars as pl

from reports import course
from reports.counts import Counts, grid, numbered
from reports.drawing import dots, heat
from reports.formatting import share
from reports.game_report import ReportSection
from reports.kbernestich.flow import by_place
from reports.kbernestich.played import PlayedGames
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.positions import finding, in_words, seat_in_words, shares, versus_even
from reports.report_data import ReportData
from reports.tabled import Number, tabled

MEASURES = (
    Measure("won by place", "games won of all games", "share", by=("place",)),
    Measure("score by place", "mean score of a seat", "mean", by=("place",)),
    Measure(
        "gained by place",
        "mean points that a seat wins in the round",
        "mean",
        by=("place", "round"),
    ),
    Measure("start by stack", "later rounds whose start is a tie", "share"),
)
_WHERE = Column("where", "where", "position after the start player of round 1, or seat")
_NOTE = "Games that nobody wins alone count for no position."


def counts(played: PlayedGames) -> list[Counts]:
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


def section(data: ReportData) -> Section:
    """Win share and points, by position and by seat."""
    places = versus_even(data, "won by place", ("place",), in_words("start player"))
    seats = versus_even(data, "won by seat", ("seat",), seat_in_words)
    return Section(
        "seats",
        "Seats, start player and ties",
        f"With {data.who}. The start player of round 1 is drawn; the scores at the "
        "start rise clockwise from him. Later the lowest score starts and names trump.",
        (
            shares(
                "seats-place",
                "Win share by position in round 1",
                _NOTE,
                places,
                _WHERE,
            ),
            _points(data),
            _in_round(data),
            course.decided(
                data,
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
                    data,
                    places.filter(players=players),
                    f"With {players} players the position at the table",
                    _named,
                )
                for players in data.counts
            ),
            _tie_finding(data),
        ),
    )


def _points(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "seats-points",
        "Score at the end, by position in round 1",
        "The scores at the start are part of it.",
        ("players", _WHERE, Number("score by place", "score")),
        rows=in_words("start player"),
        draw=dots("where", "score", by="players"),
    )


def _in_round(data: ReportData) -> Exhibit:
    """What it is worth to start a round: to name trump, to plot and lead first."""
    where = Column("where", "where", "position after the start player of the round")

    def ordered(rows: pl.DataFrame) -> pl.DataFrame:
        rows = rows.sort("cell", "round", "place")
        return in_words("start player")(rows)

    return tabled(
        data,
        "seats-round",
        "Points of a round, by position after its start player",
        "From round 2 on the start player is who has the lowest score, so positions "
        f"differ in cubes and skill too. The figure shows {data.players} players.",
        ("players", "round", where, Number("gained by place", "points")),
        rows=ordered,
        draw=heat(
            "where",
            "round",
            "points a round",
            ends=True,
            only=pl.col("players") == data.players,
        ),
    )


_ENDS = {"points": "points", "stack": "equal scores: place in the stack"}


def _tie_finding(data: ReportData) -> Finding:
    texts = []
    for players in data.counts:
        rows = data.leading("decided", players=players)
        stack = [share(row) for row in rows.rows(named=True) if row["by"] == "stack"]
        starts = data.leading("start by stack", players=players)
        texts.append(
            f"with {players} players the stack decides {(stack or ['none'])[0]} of the "
            "games"
            + "".join(
                f", and the start player of {share(row)} of the later rounds"
                for row in starts.drop_nulls("estimate").rows(named=True)
            )
        )
    return Finding(f"Ties, {data.who}: {'; '.join(texts)}.", "", "seats")


def _named(where: str) -> str:
    """A position, in a sentence."""
    return f"the {where}" if where == "start player" else f"the {where} player"


SECTION = ReportSection(section, MEASURES, counts=counts)
