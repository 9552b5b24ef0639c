"""The dealer: whether it matters who deals, and in which order one plays.

The first dealer is drawn, so seats as such cannot differ. He plays last in round 1;
afterwards whoever ended a round deals the next.
"""

import polars as pl

from reports.devil.words import each_count, judged, place_words
from reports.drawing import dots
from reports.found import Found
from reports.page import Column, Exhibit, Finding, Section
from reports.places import LESS_EVEN, TOLERANCE, less_even
from reports.places import LINEUPS as OVER_LINEUPS
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
    points,
    share,
)

POINT = 1.0
"""Points of round 1 that a place may be added more or less than the mean."""
_BY = ("place",)
_WHERE = Column("where", "where", "place in the order of turns of the round")


def section(found: Found) -> Section:
    """Win shares and points by place."""
    places = _wins(found)
    rounds = _rounds(found)
    return Section(
        "dealer",
        "The dealer and the order of turns",
        f"With {found.who}. The first dealer is drawn; the seat to his left plays "
        "first, he plays last. Whoever ends a round deals the next.",
        (_shares(found, places), _dealers(places), _points(found, rounds)),
        _findings(found, places, rounds),
    )


def _wins(found: Found) -> pl.DataFrame:
    """Win share by place after the first dealer, less an even share."""
    rows = less_even(found, "won by place", _BY, str)
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
    return _by_players(rows, POINT, "estimate", ("costs", "saves"))


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


def _shares(found: Found, places: pl.DataFrame) -> Exhibit:
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
            LESS_EVEN,
            Column("verdict", "verdict", "against 2 points from even"),
            OVER_LINEUPS,
            N,
        ),
        dots(
            "where",
            "win share less even, %",
            "more",
            reference=0,
            only=pl.col("players") == found.players,
            heading=f"Win share by place in round 1, {found.players} players",
        ),
        "less even = games won from a place / games - mean of this over the places",
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
            LESS_EVEN,
            Column("verdict", "verdict", "against 2 points from even"),
            LINEUPS,
            N,
        ),
        dots("table", "the first dealer's win share less even, %", "more", reference=0),
    )


def _points(found: Found, rounds: pl.DataFrame) -> Exhibit:
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
            estimated("later rounds", "points added less the table's mean",
                      name="later"),
            estimated("ends round 1", "share of first rounds that this place ends",
                      "share", "ended by place, first"),
            estimated("ends later", "share of later rounds that this place ends",
                      "share", "ended by place, later"),
            Column("n", "n", "first rounds, times the seats", "count"),
        ),
        dots(
            "where", "points of round 1 less the table's mean", reference=0,
            only=pl.col("players") == found.players,
            heading=f"Points of round 1 by place, {found.players} players",
        ),
    )  # fmt: skip


def _findings(
    found: Found, places: pl.DataFrame, rounds: pl.DataFrame
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
        f"First dealer's win share less even, in points, {found.who}: "
        f"{each_count(dealers)}; the verdicts are about {100 * TOLERANCE:g} points."
    )
    return (
        _finding(found, known.filter(players=found.players), rounds),
        Finding(text, sure(verdict), "dealer"),
    )


def _finding(found: Found, rows: pl.DataFrame, rounds: pl.DataFrame) -> Finding:
    players = found.players
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
        f"{percent(rows['even'][0])}; {found.who}; the dealer's points from even over "
        f"all lineups: {dealer['lineups']})"
    )
    if verdict == "undecided":
        needed = more_games(
            rows["more"], rows["se"], found.games, -TOLERANCE, TOLERANCE
        )
        text = f"{text}; {needed}"
    return Finding(f"{text}.", sure(verdict), "dealer")


def _plain(verdict: str) -> str:
    """A verdict of this table as one of the three."""
    return "outside" if verdict in {"favoured", "behind"} else verdict


_SAID = {
    "within": "who deals first matters by less than 2 points",
    "outside": "who deals first matters by more than 2 points",
    "undecided": "it is undecided whether who deals first matters by over 2 points",
}
