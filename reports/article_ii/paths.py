"""Who becomes Candidate and President, and from where.

From which rank of the Primary, and from which standing when the General begins: ahead
of the other Candidate, behind him, or as a Spoiler.
"""

import numpy as np
import polars as pl

from reports.article_ii.formatting import tables_of, texts
from reports.article_ii.played import PlayedGames
from reports.counts import Array, Counts, grid
from reports.drawing import dots
from reports.formatting import (
    LINEUPS,
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    named,
    number,
    percent,
    share,
)
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge

STANDINGS = ("Candidate ahead", "Candidate level", "Candidate behind", "Spoiler")
AHEAD, SPOILER = 0, 3
NEAR = 3
"""A gap so small (points) is closed by one card."""
FAVOURED = 0.5
"""A Candidate who is ahead as the General begins is compared with this win share."""
_LOW = -30_000  # below every total


MEASURES = (
    *(
        measure
        for by in ("rank", "standing")
        for measure in (
            Measure(f"won by {by}", "share of such seats that win", "share", by=(by,)),
            Measure(
                f"from {by}", "of games won by one player alone", "share", by=(by,)
            ),
        )
    ),
    Measure("gap", "points between the second and the third of the Primary", "mean"),
    Measure("near", "games in which these are near each other", "share"),
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by rank of the Primary, and by standing when the General begins."""
    ranks, standings = range(1, played.players + 1), range(len(STANDINGS))
    over, won = played.over[0], played.victory
    decided = (over & (played.winner >= 0))[None]
    at = np.stack([(played.rank == rank) & over for rank in ranks])
    stood = standing(played) & over
    gap = _last_place(played) * over
    from_rank, from_standing = ((part & won).sum(axis=1) for part in (at, stood))
    return [
        grid("won by rank", from_rank, at.sum(axis=1), rank=ranks),
        grid("from rank", from_rank, decided, rank=ranks),
        grid("won by standing", from_standing, stood.sum(axis=1), standing=standings),
        grid("from standing", from_standing, decided, standing=standings),
        grid("gap", gap, over),
        grid("near", (gap <= NEAR) & over, over),
    ]


def standing(played: PlayedGames) -> Array:
    """(standings, seats, games) how a seat stands when the General begins.

    Ahead: with the higher total of the General, if it were held at once.
    """
    total = np.where(played.candidates, played.general[0], _LOW)
    least = np.where(played.candidates, played.general[0], -_LOW).min(axis=0)
    level = least == total.max(axis=0)
    first = played.candidates & (total == total.max(axis=0))
    return np.stack(
        [
            first & ~level,
            played.candidates & level,
            played.candidates & ~first,
            ~played.candidates,
        ]
    )


def _last_place(played: PlayedGames) -> Array:
    """(games,) the second highest total of the Primary less the third, or 0."""
    if played.players < 3:
        return np.zeros(played.size, dtype=np.int64)
    ordered = np.sort(played.primary[0], axis=0).astype(np.int64)
    gap: Array = ordered[-2] - ordered[-3]
    return gap


def section(data: ReportData) -> Section:
    """Presidents by rank and standing; the gap at the last Candidate's place."""
    ranks, standings = _ranks(data), _standings(data)
    return Section(
        "paths",
        "Who becomes Candidate and President, and from where",
        f"With {data.who}. Rank 1 has the highest total of the Primary; Candidates "
        "are ranks 1 and 2. Ahead is the Candidate who would have the higher total if "
        "the General were held as it begins.",
        (
            exhibit(
                "paths-rank",
                "Presidents by rank of the Primary",
                "Ranks 3 and 4 are Spoilers.",
                ranks,
                (
                    PLAYERS,
                    Column("rank", "rank", "rank of the Primary total", "count"),
                    estimated(
                        "win share", "games won by this rank, of its seats", "share"
                    ),
                    estimated(
                        "of Presidents",
                        "of games won by one player alone",
                        "share",
                        "part",
                    ),
                    LINEUPS,
                    N,
                ),
                dots("where", "win share of a seat, %", by="table"),
            ),
            exhibit(
                "paths-standing",
                "Presidents by standing when the General begins",
                "A Spoiler wins where no total is positive, or by the Highlander.",
                standings,
                (
                    PLAYERS,
                    Column("where", "standing", "standing when the General begins"),
                    estimated(
                        "win share", "games won by a seat that stands so", "share"
                    ),
                    estimated(
                        "of Presidents",
                        "of games won by one player alone",
                        "share",
                        "part",
                    ),
                    LINEUPS,
                    N,
                ),
                dots("where", "win share of a seat, %", by="table"),
            ),
            _gaps(data),
        ),
        tuple(_finding(ranks, standings, data, players) for players in data.counts),
    )


def _ranks(data: ReportData) -> pl.DataFrame:
    rows = _both(data, "rank")
    return rows.with_columns(where=pl.format("rank {}", "rank"))


def _standings(data: ReportData) -> pl.DataFrame:
    rows = _both(data, "standing")
    return rows.with_columns(where=texts([STANDINGS[at] for at in rows["standing"]]))


def _both(data: ReportData, by: str) -> pl.DataFrame:
    """Win share of a seat from there, and share of the Presidents."""
    keys = ("players", by)
    rows = data.leading(f"won by {by}")
    part = data.leading(f"from {by}")
    rows = joined(rows, named(part, keys, "part"), keys)
    spread = data.spread(f"won by {by}", percent=True)
    return tables_of(joined(rows, spread, keys))


def _gaps(data: ReportData) -> Exhibit:
    """How close the last place of a Candidate is."""
    rows = data.leading("gap")
    near = data.leading("near")
    rows = joined(rows, named(near, ("players",), "near"), ("players",))
    return exhibit(
        "paths-gap",
        "How close the last Candidate's place is",
        "Points of the Primary between the second and the third.",
        rows.filter(pl.col("players") > 2),
        (
            PLAYERS,
            estimated("gap", "mean gap, points"),
            estimated(
                f"within {NEAR}", f"gap of {NEAR} or less, of games", "share", "near"
            ),
            N,
        ),
    )


def _finding(
    ranks: pl.DataFrame, standings: pl.DataFrame, data: ReportData, players: int
) -> Finding:
    by_rank = ranks.filter(players=players).rows(named=True)
    ahead = standings.filter(players=players, standing=AHEAD)
    if len(by_rank) < 2 or ahead.is_empty():
        return Finding(f"Paths, {players} players: no data.", "open", "paths")
    first, second = by_rank[:2]
    verdict = judge(ahead["estimate"], ahead["se"], FAVOURED, 1.0, share=True)[0]
    behind = standings.filter(players=players, standing=AHEAD + 2)
    values = "".join(f", who is behind {share(row)}" for row in behind.rows(named=True))
    text = (
        f"With {players} players rank 1 of the Primary becomes President in "
        f"{share(first)} of the games, rank 2 in {share(second)} (even: "
        f"{percent(1 / players)}). The Candidate who is ahead when the General begins "
        f"wins {share(ahead.row(0, named=True))}{values}: "
        f"{_SAID[verdict]} ({data.who})."
    )
    for row in data.leading("gap", players=players).rows(named=True):
        if players > 2:
            text = (
                f"{text.removesuffix('.')}. The third is {number(row)} points short of "
                "the second."
            )
    return Finding(text, "open" if verdict == "undecided" else "sure", "paths")


_SAID = {
    "within": "who is ahead then wins more often than not",
    "outside": "who is ahead then loses more often than he wins",
    "undecided": "whether he wins more often than not is undecided",
}


SECTION = ReportSection(section, MEASURES, counts=counts)
