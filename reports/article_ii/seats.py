"""Seats and start: whether it matters who begins, in either phase.

Who begins is drawn anew for each phase, so seats as such cannot differ; places after
him can: the last places play the last cards.
"""

import numpy as np
import polars as pl

from reports.article_ii.played import PHASES, Played
from reports.article_ii.words import phase_words, place_name, tables_of, texts
from reports.drawing import dots
from reports.found import PAIRED, Found
from reports.grids import grid
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, more_games, overall, sure
from reports.words import (
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

_WHERE = Column("where", "place", "place after who begins the phase, or seat")
_LINEUPS = Column(
    "lineups", "over lineups", "least and greatest 'less even' over all lineups"
)
_VERDICT = Column(
    "verdict", "2 points", "against 2 points; Holm over the places of a table"
)


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums by place after who begins: wins in both phases, Candidates."""
    places = range(played.players)
    at = np.stack([played.place == place for place in places], axis=1)
    at &= played.over[:, None, None]  # (phases, places, seats, games)
    won = np.any(at & played.victory, axis=2)
    nominated = (at[0] & played.candidates).any(axis=1)
    one = played.over[:, None]
    return [
        grid("won by place", won, one, phase=PHASES, place=places),
        grid("nominated by place", nominated, one[0], place=places),
    ]


def section(found: Found) -> Section:
    """Win share by place after who begins, and by seat."""
    places = less_even(found, "won by place", ("phase", "place"))
    named = less_even(found, "nominated by place", ("place",))
    named = named.filter(pl.col("players") > 2)
    return Section(
        "seats",
        "Seats and start",
        f"With {found.who}. Each phase is begun by a player drawn at random; the last "
        "place after him plays the last card of the phase, if all hands are alike.",
        (
            _shares("seats-primary", "Win share by place after who begins the Primary",
                    places.filter(phase=1)),
            _shares("seats-general", "Win share by place after who begins the General",
                    places.filter(phase=2)),
            _shares("seats-candidates",
                    "Share that become Candidates, by place after who begins the "
                    "Primary", named, "Candidates"),
            _shares("seats-seat", "Win share by seat (a check: who begins is drawn)",
                    less_even(found, "won by seat", ("seat",))),
        ),
        tuple(
            _finding(found, part, players)
            for players in found.counts
            for part in places.filter(players=players).partition_by("phase")
        ),
    )  # fmt: skip


def less_even(found: Found, measure: str, by: tuple[str, ...]) -> pl.DataFrame:
    """Shares of the leading lineup, less an even share, with verdicts."""
    every = found.of(measure, "rate", by, only=~PAIRED)
    even = pl.col("estimate").mean().over("cell", *by[:-1])
    every = every.with_columns(even=even).with_columns(
        more=pl.col("estimate") - pl.col("even"),
        more_low=pl.col("low") - pl.col("even"),
        more_high=pl.col("high") - pl.col("even"),
    )
    rows = every.filter(found.leads())
    told: list[str] = []
    groups = rows.partition_by("players", *by[:-1], maintain_order=True)
    for part in groups:
        told += judge(part["more"], part["se"], -TOLERANCE, TOLERANCE)
    rows = pl.concat(groups) if groups else rows
    names = [f"seat {n}" if by[-1] == "seat" else place_name(n) for n in rows[by[-1]]]
    rows = rows.with_columns(verdict=texts(told), where=texts(names))
    return tables_of(joined(rows, _spread(every, by), ("players", *by)))


def _spread(every: pl.DataFrame, by: tuple[str, ...]) -> pl.DataFrame:
    """Least and greatest difference from even over all lineups, in words."""
    keys = ("players", *by)
    ends = every.drop_nulls("more").group_by(keys).agg(
        pl.col("more").min().alias("least"), pl.col("more").max().alias("most")
    )  # fmt: skip
    told = [
        f"{plus(least)} to {plus(most)}"
        for least, most in ends.select("least", "most").rows()
    ]
    return ends.select(*keys, lineups=texts(told))


def _shares(name: str, title: str, rows: pl.DataFrame, what: str = "wins") -> Exhibit:
    won = what == "wins"
    doc = "games won alone, of all games" if won else "games in which he becomes one"
    return exhibit(
        name,
        title,
        "Games that nobody wins alone count for no place." if won else
        "Of two players both are Candidates.",
        rows,
        (
            PLAYERS,
            _WHERE,
            estimated("win share" if won else "Candidate", doc, "share"),
            estimated("less even", "share less the mean over places", "points", "more"),
            _VERDICT,
            _LINEUPS,
            N,
        ),
        dots("where", "share less even, %", "more", by="table", reference=0),
        "less even = share of a place - mean of this over the places",
    )  # fmt: skip


def _finding(found: Found, rows: pl.DataFrame, players: int) -> Finding:
    phase = phase_words(rows)["election"][0]
    known = rows.drop_nulls("estimate").sort("estimate")
    verdict = overall(rows["verdict"].to_list())
    least, most = (known.row(at, named=True) for at in (0, -1))
    text = (
        f"With {players} players, who begins the {phase} "
        f"{_SAID[verdict]}: {least['where']} wins {share(least)} of the games, "
        f"{most['where']} {share(most)}, where even is "
        f"{percent(known['even'][0])} ({found.who}; over all lineups these two are "
        f"{least['lineups']} and {most['lineups']} points from even)."
    )
    if verdict == "undecided":
        needed = more_games(
            known["more"], known["se"], found.games, -TOLERANCE, TOLERANCE
        )
        text = f"{text.removesuffix('.')}; {needed}."
    return Finding(text, sure(verdict), "seats")


_SAID = {
    "within": "matters by less than 2 points of win share",
    "outside": "matters by more than 2 points of win share",
    "undecided": "may matter by more than 2 points of win share, or may not",
}
