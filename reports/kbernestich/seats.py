"""Seats and start player: whether it matters where one sits, and what ties do.

The start player of round 1 is drawn at random, so seats as such cannot differ; places
after him can: scores at the start differ, and later the lowest score starts.
"""

import numpy as np
import polars as pl

from reports.drawing import bars, dots, heat
from reports.found import PAIRED, Found
from reports.kbernestich.flow import by_place
from reports.kbernestich.grids import grid, numbered
from reports.kbernestich.played import Played
from reports.kbernestich.words import ROUND, place_name
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, more_games, overall, sure
from reports.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    percent,
    plus,
    share,
)

TOLERANCE = 0.02
"""A place may win this much more or less than an even share: 2 points."""

MEASURES: list[Measure] = []
_WHERE = Column("where", "where", "place after the start player of round 1, or seat")
_LINEUPS = Column(
    "lineups", "over lineups", "least and greatest 'less even' over all lineups"
)
_VERDICT = Column(
    "verdict", "2 points", "against 2 points; Holm over the places of a table"
)


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
    places = _less_even(found, "won by place", "place")
    return Section(
        "seats",
        "Seats, start player and ties",
        f"With {found.who}. The start player of round 1 is drawn; the scores at the "
        "start rise clockwise from him. Later the lowest score starts and names trump.",
        (
            _shares(
                "seats-place",
                "Win share by place after the start player of round 1",
                places,
            ),
            _points(found),
            _in_round(found),
            _ties(found),
            _shares(
                "seats-seat",
                "Win share by seat (a check: the start player is drawn)",
                _less_even(found, "won by seat", "seat"),
            ),
        ),
        (
            *(_finding(found, places, players) for players in found.counts),
            _tie_finding(found),
        ),
    )


def _less_even(found: Found, measure: str, group: str) -> pl.DataFrame:
    """Win shares of the leading lineup, less an even share of the games won."""
    every = found.of(measure, "rate", (group,), only=~PAIRED)
    even = pl.col("estimate").mean().over("cell")
    every = every.with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        even=even,
    )
    rows = every.filter(found.leads())
    told: list[str] = []
    for players in found.counts:
        part = rows.filter(players=players)
        told += judge(part["more"], part["se"], -TOLERANCE, TOLERANCE)
    names = [f"seat {n}" if group == "seat" else place_name(n) for n in rows[group]]
    rows = rows.with_columns(
        pl.Series("verdict", told, dtype=pl.String),
        pl.Series("where", names, dtype=pl.String),
    )
    return joined(rows, _spread(every, group), ("players", group))


def _spread(every: pl.DataFrame, group: str) -> pl.DataFrame:
    """Least and greatest difference from even over all lineups, in words."""
    keys = ("players", group)
    ends = (
        every.drop_nulls("more")
        .group_by(keys)
        .agg(pl.col("more").min().alias("least"), pl.col("more").max().alias("most"))
    )
    texts = [
        f"{plus(least)} to {plus(most)}"
        for least, most in ends.select("least", "most").rows()
    ]
    return ends.select(*keys, pl.Series("lineups", texts, dtype=pl.String))


def _shares(name: str, title: str, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        name,
        title,
        "Games that nobody wins alone count for no place.",
        rows,
        (
            PLAYERS,
            _WHERE,
            estimated("win share", "games won of all games", "share"),
            estimated("less even", "win share less an even share", "points", "more"),
            _VERDICT,
            _LINEUPS,
            N,
        ),
        dots("where", "win share less even, %", "more", by="players", reference=0),
        "less even = games won from a place / games - mean of this over the places",
    )


def _points(found: Found) -> Exhibit:
    rows = found.leading("score by place", "mean", ("place",))
    names = [place_name(place) for place in rows["place"]]
    return exhibit(
        "seats-points",
        "Score at the end, by place after the start player of round 1",
        "The scores at the start are part of it.",
        rows.with_columns(pl.Series("where", names, dtype=pl.String)),
        (PLAYERS, _WHERE, estimated("score", "mean score of a seat"), N),
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


def _ties(found: Found) -> Exhibit:
    rows = found.of_games("decided", ("by",), only=found.leads())
    words = [_ENDS.get(by, by) for by in rows["by"]]
    rows = rows.with_columns(
        pl.Series("how", words, dtype=pl.String),
        table=pl.format("{} players", "players"),
    )
    spread = found.spread("decided", "per_game", ("by",), percent=True)
    return exhibit(
        "seats-ties",
        "How games are decided",
        "Of equal highest scores the disc at the bottom of the stack wins, which came "
        "there first.",
        joined(rows, spread, ("players", "by")),
        (
            Column("how", "how", "what decided"),
            PLAYERS,
            estimated("games", "share of games", "share"),
            LINEUPS,
            N,
        ),
        bars("table", "share of games, %", "how"),
    )


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


def _finding(found: Found, places: pl.DataFrame, players: int) -> Finding:
    rows = places.filter(players=players)
    verdict = overall(rows["verdict"].to_list())
    known = rows.drop_nulls("estimate").sort("estimate")
    if known.is_empty():
        return Finding(f"Seats, {players} players: no data.", "open", "seats")
    least, most = (known.row(at, named=True) for at in (0, -1))
    text = (
        f"With {players} players {_SAID[verdict]}: {_named(least['where'])} wins "
        f"{share(least)} of the games, {_named(most['where'])} {share(most)}, where "
        f"even is {percent(known['even'][0])} ({found.who}; over all lineups these two "
        f"places are {least['lineups']} and {most['lineups']} points from even)."
    )
    if verdict == "undecided":
        needed = more_games(
            known["more"], known["se"], found.games, -TOLERANCE, TOLERANCE
        )
        text = f"{text.removesuffix('.')}; {needed}."
    return Finding(text, sure(verdict), "seats")


def _named(where: str) -> str:
    """A place after the start player, in a sentence."""
    if where == "start player":
        return "the start player"
    return f"the seat {where.removesuffix(' after')} after the start player"


_SAID = {
    "within": "the place at the table matters by less than 2 points",
    "outside": "the place at the table matters by more than 2 points",
    "undecided": "it is undecided whether the place matters by more than 2 points",
}
