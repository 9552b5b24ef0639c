"""The dealer: whether it matters who deals, and in which order one plays.

The first dealer is drawn, so seats as such cannot differ. He plays last in round 1;
afterwards whoever ended a round deals the next.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.claims import TOLERANCE
from reports.counts import Array, Counts
from reports.counts import grid_of_rows as grid
from reports.devil.formatting import each_count, place_words, with_verdict
from reports.devil.grids import flags
from reports.devil.played import PlayedGames
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    named,
    number,
    percent,
    points,
    share,
)
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.positions import VERSUS_EVEN, claimed, versus_even
from reports.report_data import ReportData
from reports.statistics.equivalence import more_games, overall, sure

POINT = 1.0
"""Points of round 1 that a place may be added more or less than the mean."""
_BY = ("place",)
_EXTRA = "points added less the table's mean"
MEASURES = (
    Measure("won by place", "games won of all games", "share", by=_BY),
    *(
        Measure(f"extra by place, {name}", _EXTRA, "mean", by=_BY, unit="points")
        for name in ("first", "later")
    ),
    *(
        Measure(
            f"ended by place, {name}",
            f"share of {name} rounds that this place ends",
            "share",
            by=_BY,
        )
        for name in ("first", "later")
    ),
)
_WHERE = Column("where", "where", "place in the order of turns of the round")


def counts(played: PlayedGames) -> Iterator[Counts]:
    """Sums by place in the order of turns; the dealer's is the last."""
    seats, places = played.players, range(1, played.players + 1)
    first = _at(played, played.dealer)
    yield grid(
        "won by place",
        played.number,
        (first & played.victory).any(axis=1),
        np.ones(played.size),
        place=places,
    )
    here = _at(played, played.rounds.once("dealer"))
    apart = (here * (seats * played.added - played.added.sum(axis=0))).sum(axis=1)
    ends = flags(played.ender, seats)
    ended = (here & ends).any(axis=1)
    opening = played.rounds.round == 1
    for name, some in (("first", opening), ("later", ~opening)):
        extra, often = f"extra by place, {name}", f"ended by place, {name}"
        yield grid(extra, played.game, apart * some, seats * some, place=places)
        yield grid(often, played.game, ended * some, some * 1, place=places)


def _at(played: PlayedGames, dealer: Array) -> Array:
    """(places, seats, rows) whether a seat has this place, 1 to the dealer's."""
    place = (played.seats - dealer - 1) % played.players
    return place == np.arange(played.players)[:, None, None]


def section(data: ReportData) -> Section:
    """Win shares and points by place."""
    places = _wins(data)
    rounds = _rounds(data)
    return Section(
        "dealer",
        "The dealer and the order of turns",
        f"With {data.who}. The first dealer is drawn; the seat to his left plays "
        "first, he plays last. Whoever ends a round deals the next.",
        (_shares(data, places), _dealers(places), _points(data, rounds)),
        _findings(data, places, rounds),
    )


def _wins(data: ReportData) -> pl.DataFrame:
    """Win share by place after the first dealer, less an even share."""
    rows = versus_even(data, "won by place", _BY, lambda rows: rows)
    return _by_players(rows, TOLERANCE, "more", ("favoured", "behind"))


def _rounds(data: ReportData) -> pl.DataFrame:
    """Points of round 1 by place, less the mean of the table; who ends it."""
    keys = ("players", "place")
    rows = data.leading("extra by place, first")
    for name in ("ended by place, first", "ended by place, later"):
        rows = joined(rows, named(data.leading(name), keys, name), keys)
    later = data.leading("extra by place, later")
    rows = joined(rows, named(later, keys, "later"), keys)
    return _by_players(rows, POINT, "estimate", ("costs", "saves"))


def _by_players(
    rows: pl.DataFrame, tolerance: float, name: str, words: tuple[str, str]
) -> pl.DataFrame:
    """Verdicts, the places of a table being a family; and places in words."""
    parts = [
        with_verdict(part, tolerance, name, words)
        for part in rows.partition_by("players", maintain_order=True)
    ]
    rows = pl.concat(parts) if parts else rows.with_columns(verdict=pl.lit(""))
    values = [place_words(*at) for at in rows.select("place", "players").rows()]
    return rows.with_columns(
        pl.Series("where", values, dtype=pl.String),
        table=pl.format("{} players", "players"),
    )


def _shares(data: ReportData, places: pl.DataFrame) -> Exhibit:
    return exhibit(
        "dealer-places",
        "Win share of the game by place in round 1",
        "Games that nobody wins alone count for no place. Verdict: 2 points; Holm "
        "over the places of a table.",
        places,
        (
            PLAYERS,
            _WHERE,
            estimated("win share", "games won of all games", "share"),
            VERSUS_EVEN,
            Column("verdict", "verdict", "against 2 points from even"),
            N,
        ),
        dots(
            "where",
            "win share vs. even share, %",
            "more",
            reference=0,
            only=pl.col("players") == data.players,
            heading=f"Win share by place in round 1, {data.players} players",
        ),
        "vs. even share = games won from a place / games - mean of this over places",
    )


def _dealers(places: pl.DataFrame) -> Exhibit:
    rows = places.filter(pl.col("place") == pl.col("players"))
    return exhibit(
        "dealer-advantage",
        "The first dealer's advantage, by number of players",
        "The same numbers, the first dealer's alone.",
        rows,
        (
            PLAYERS,
            estimated("win share", "games won of all games", "share"),
            VERSUS_EVEN,
            Column("verdict", "verdict", "against 2 points from even"),
            N,
        ),
        dots(
            "table",
            "the first dealer's win share vs. even share, %",
            "more",
            reference=0,
        ),
    )


def _points(data: ReportData, rounds: pl.DataFrame) -> Exhibit:
    return exhibit(
        "dealer-rounds",
        "Points of a round by place, and who ends it",
        "Points added less the mean of the table: more is worse. Round 1 has a dealer "
        "drawn at random; in later rounds he is who ended the last one. Verdict: a "
        "point, round 1; Holm over the places of a table.",
        rounds,
        (
            PLAYERS,
            _WHERE,
            estimated("points, round 1", "points added less the table's mean"),
            Column("verdict", "verdict", "against a point, round 1"),
            estimated(
                "later rounds", "points added less the table's mean", name="later"
            ),
            estimated(
                "ends round 1",
                "share of first rounds that this place ends",
                "share",
                "ended by place, first",
            ),
            estimated(
                "ends later",
                "share of later rounds that this place ends",
                "share",
                "ended by place, later",
            ),
            Column("n", "n", "first rounds, times the seats", "count"),
        ),
        dots(
            "where",
            "points of round 1 less the table's mean",
            reference=0,
            only=pl.col("players") == data.players,
            heading=f"Points of round 1 by place, {data.players} players",
        ),
    )


def _findings(
    data: ReportData, places: pl.DataFrame, rounds: pl.DataFrame
) -> tuple[Finding, ...]:
    known = places.drop_nulls("estimate")
    if known.is_empty():
        return (Finding("Dealer: no data.", "open", "dealer"),)
    dealers = {
        row["players"]: f"{points(row, 'more')} ({row['verdict']})"
        for row in known.filter(pl.col("place") == pl.col("players")).rows(named=True)
    }
    verdict = overall(list(map(_plain, known["verdict"])))
    text = (
        f"First dealer's win share vs. even share, in points, {data.who}: "
        f"{each_count(dealers)}; the verdicts are about {100 * TOLERANCE:g} points."
    )
    return (
        _finding(data, known.filter(players=data.players), rounds),
        Finding(text, sure(verdict), "dealer"),
    )


def _finding(data: ReportData, rows: pl.DataFrame, rounds: pl.DataFrame) -> Finding:
    players = data.players
    verdict = overall(list(map(_plain, rows["verdict"])))
    dealer = rows.filter(place=players).row(0, named=True)
    ranked = rows.sort("estimate")
    least, most = (ranked.row(at, named=True) for at in (0, -1))
    first = rounds.filter(players=players, place=players).to_dicts()
    extra = [f", and round 1 adds {number(row)} to the mean for him" for row in first]
    text = (
        f"With {players} players {_SAID[verdict]}: the first dealer wins "
        f"{share(dealer)} of the games{''.join(extra)}; the {least['where']} wins "
        f"least, {share(least)}, the {most['where']} most, {share(most)} (even: "
        f"{percent(rows['even'][0])}; {data.who})"
    )
    if verdict == "undecided":
        needed = more_games(rows["more"], rows["se"], data.games, -TOLERANCE, TOLERANCE)
        text = f"{text}; {needed}"
    claim = claimed(data, rows, "who deals first")
    return Finding(f"{text}.", sure(verdict), "dealer", claim)


def _plain(verdict: str) -> str:
    """A verdict of this table as one of the three."""
    return "outside" if verdict in {"favoured", "behind"} else verdict


_SAID = {
    "within": "who deals first matters by less than 2 points",
    "outside": "who deals first matters by more than 2 points",
    "undecided": "it is undecided whether who deals first matters by over 2 points",
}


SECTION = ReportSection(section, MEASURES, counts=counts)
