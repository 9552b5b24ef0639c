"""The dealer: whether it matters who deals, and in which order one plays.

The first dealer is drawn, so seats as such cannot differ. He plays last in round 1;
afterwards whoever ended a round deals the next.
"""

import numpy as np
import polars as pl

from reports.devil.grids import flags, grid
from reports.devil.played import Array, Played
from reports.devil.words import judged, place_words
from reports.drawing import dots
from reports.found import PAIRED, Found
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import more_games, overall, sure
from reports.words import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    named,
    number,
    percent,
    plus,
    points,
    share,
)

TOLERANCE = 0.02
"""A place may win this much more or less than an even share: 2 points."""
_BY = ("place",)
_WHERE = Column("where", "where", "place in the order of turns of the round")
_LINEUPS = Column(
    "lineups", "over lineups", "least and greatest 'less even' over all lineups"
)


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums by place in the order of turns; the dealer's is the last."""
    seats, places = played.players, range(1, played.players + 1)
    first = _at(played, played.dealer)
    found = [
        grid("won by place", played.number, (first & played.victory).any(axis=1),
             np.ones(played.size), place=places)
    ]  # fmt: skip
    here = _at(played, played.rounds.once("dealer"))
    apart = (here * (seats * played.added - played.added.sum(axis=0))).sum(axis=1)
    ends = flags(played.ender, seats)
    ended = (here & ends).any(axis=1)
    opening = played.rounds.round == 1
    for name, some in (("first", opening), ("later", ~opening)):
        found += [
            grid(f"extra by place, {name}", played.game, apart * some, seats * some,
                 place=places),
            grid(f"ended by place, {name}", played.game, ended * some, some * 1,
                 place=places),
        ]  # fmt: skip
    return found


def _at(played: Played, dealer: Array) -> Array:
    """(places, seats, rows) whether a seat has this place, 1 to the dealer's."""
    place = (played.seats - dealer - 1) % played.players
    return place == np.arange(played.players)[:, None, None]


def section(found: Found) -> Section:
    """Win shares and points by place."""
    places = _wins(found)
    rounds = _rounds(found)
    return Section(
        "dealer",
        "The dealer and the order of turns",
        f"With {found.who}. The first dealer is drawn; the seat to his left plays "
        "first, he plays last. Whoever ends a round deals the next.",
        (_shares(places), _dealers(found, places), _points(rounds)),
        tuple(_finding(found, places, rounds, players) for players in found.counts),
    )


def _wins(found: Found) -> pl.DataFrame:
    """Win share by place after the first dealer, less an even share."""
    every = found.of("won by place", "rate", _BY, only=~PAIRED)
    even = pl.col("estimate").mean().over("cell")
    every = every.with_columns(
        more=pl.col("estimate") - even,
        more_low=pl.col("low") - even,
        more_high=pl.col("high") - even,
        more_se="se",
        even=even,
    )
    ends = every.group_by("players", "place").agg(
        least=pl.col("more").min(), most=pl.col("more").max()
    )
    texts = [
        f"{plus(least)} to {plus(most)}"
        for least, most in ends.select("least", "most").rows()
    ]
    ends = ends.select("players", "place", pl.Series("lineups", texts, dtype=pl.String))
    rows = joined(every.filter(found.leads()), ends, ("players", "place"))
    return _by_players(rows, TOLERANCE, "more", ("favoured", "behind"))


def _rounds(found: Found) -> pl.DataFrame:
    """Points of round 1 by place, less the mean of the table; who ends it."""
    keys = ("players", "place")
    rows = found.leading("extra by place, first", "mean", _BY)
    for name in ("ended by place, first", "ended by place, later"):
        kind = found.leading(name, "rate", _BY)
        rows = joined(rows, named(kind, keys, name), keys)
    later = found.leading("extra by place, later", "mean", _BY)
    rows = joined(rows, named(later, keys, "later"), keys)
    return _by_players(rows, 0.5, "estimate", ("costs", "saves"))


def _by_players(
    rows: pl.DataFrame, tolerance: float, name: str, words: tuple[str, str]
) -> pl.DataFrame:
    """Verdicts, the places of a table being a family; and places in words."""
    parts = [
        judged(part, tolerance, name, words)
        for part in rows.partition_by("players", maintain_order=True)
    ]
    rows = pl.concat(parts) if parts else rows.with_columns(verdict=pl.lit(""))
    told = [place_words(*at) for at in rows.select("place", "players").rows()]
    return rows.with_columns(
        pl.Series("where", told, dtype=pl.String),
        table=pl.format("{} players", "players"),
    )


def _shares(places: pl.DataFrame) -> Exhibit:
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
            estimated("less even", "win share less an even share", "points", "more"),
            Column("verdict", "verdict", "against 2 points from even"),
            _LINEUPS,
            N,
        ),
        dots("where", "win share less even, %", "more", by="table", reference=0),
        "less even = games won from a place / games - mean of this over the places",
    )


def _dealers(found: Found, places: pl.DataFrame) -> Exhibit:
    rows = places.filter(pl.col("place") == pl.col("players"))
    return exhibit(
        "dealer-advantage",
        "The first dealer's advantage, by number of players",
        "The same numbers, the first dealer's alone.",
        rows,
        (
            PLAYERS,
            estimated("win share", "games won of all games", "share"),
            estimated("less even", "win share less an even share", "points", "more"),
            Column("verdict", "verdict", "against 2 points from even"),
            LINEUPS,
            N,
        ),
        dots("table", "the first dealer's win share less even, %", "more", reference=0),
    )


def _points(rounds: pl.DataFrame) -> Exhibit:
    return exhibit(
        "dealer-rounds",
        "Points of a round by place, and who ends it",
        "Points added less the mean of the table: more is worse. Round 1 has a dealer "
        "drawn at random; in later rounds he is who ended the last one. Verdict: half "
        "a point, round 1; Holm over the places of a table.",
        rounds,
        (
            PLAYERS,
            _WHERE,
            estimated("points, round 1", "points added less the table's mean"),
            Column("verdict", "verdict", "against half a point, round 1"),
            estimated("later rounds", "points added less the table's mean",
                      name="later"),
            estimated("ends round 1", "share of first rounds that this place ends",
                      "share", "ended by place, first"),
            estimated("ends later", "share of later rounds that this place ends",
                      "share", "ended by place, later"),
            N,
        ),
        dots("where", "points of round 1 less the table's mean", by="table",
             reference=0),
    )  # fmt: skip


def _finding(
    found: Found, places: pl.DataFrame, rounds: pl.DataFrame, players: int
) -> Finding:
    rows = places.filter(players=players).drop_nulls("estimate")
    if rows.is_empty():
        return Finding(f"Dealer, {players} players: no data.", "open", "dealer")
    verdicts = [
        "outside" if word in {"favoured", "behind"} else word
        for word in rows["verdict"]
    ]
    verdict = overall(verdicts)
    dealer = rows.filter(place=players).row(0, named=True)
    ranked = rows.sort("estimate")
    least, most = (ranked.row(at, named=True) for at in (0, -1))
    first = rounds.filter(players=players, place=players).to_dicts()
    extra = (
        f", and in round 1 is added {number(first[0])} points more than the mean"
        if first
        else ""
    )
    text = (
        f"With {players} players {_SAID[verdict]}: the first dealer wins "
        f"{share(dealer)} of the games, {points(dealer, 'more')} points from even"
        f"{extra}; least wins the {least['where']} {percent(least['estimate'])}, most "
        f"the {most['where']} {percent(most['estimate'])} (even: "
        f"{percent(rows['even'][0])}; {found.who}; over all lineups the dealer is "
        f"{dealer['lineups']} points from even)."
    )
    if verdict == "undecided":
        needed = more_games(
            rows["more"], rows["se"], found.games, -TOLERANCE, TOLERANCE
        )
        text = f"{text.removesuffix('.')}; {needed}."
    return Finding(text, sure(verdict), "dealer")


_SAID = {
    "within": "who deals first matters by less than 2 points",
    "outside": "who deals first matters by more than 2 points",
    "undecided": "it is undecided whether who deals first matters by over 2 points",
}
