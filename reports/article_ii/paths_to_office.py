"""Who becomes Candidate and President, and from where.

From which rank of the Primary, and from which standing when the General begins: ahead
of the other Candidate, behind, or as a Spoiler.
"""

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import ArticleIIArrays
from reports.counts import Array, Counts, grid
from reports.figure_specs import dots
from reports.formatting import LINEUPS, number, percent, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import sureness
from reports.verdicts import how_tested, verdict_of

STANDINGS = ("Candidate ahead", "Candidate level", "Candidate behind", "Spoiler")
AHEAD = 0
NEAR = 3
"""One card closes a gap of this many points."""
FAVOURED = 0.5
"""The win share of a Candidate who is ahead as the General begins, to compare with."""
_LOW = -30_000  # below every total

_OF_SEATS = "share of these seats that win"
_OF_GAMES = "of games won by one player alone"
_GAP = "points between the second and the third of the Primary"
_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("won by rank", _OF_SEATS, by="rank"),
    _ARRAYS.share("from rank", _OF_GAMES, by="rank"),
    _ARRAYS.share("won by standing", _OF_SEATS, by="standing"),
    _ARRAYS.share("from standing", _OF_GAMES, by="standing"),
    _ARRAYS.mean("gap", _GAP),
    _ARRAYS.share("near", "games in which the second and the third are this close"),
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count wins by rank of the Primary, and by standing when the General begins."""
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


def standing(played: ArticleIIArrays) -> Array:
    """Return how a seat stands when the General begins, (standings, seats, games).

    Ahead: with the higher total of the General, if it ended at once.
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


def _last_place(played: ArticleIIArrays) -> Array:
    """Return the second highest total of the Primary less the third, or 0, (games,)."""
    if played.players < 3:
        return np.zeros(played.size, dtype=np.int64)
    ordered = np.sort(played.primary[0], axis=0).astype(np.int64)
    gap: Array = ordered[-2] - ordered[-3]
    return gap


def section(data: ReportData) -> SectionParts:
    """Yield Presidents by rank and standing, and the gap behind the second place."""
    yield (
        f"With {data.who}. Rank 1 has the highest total of the Primary; Candidates "
        "are ranks 1 and 2. The Candidate who would have the higher total if the "
        "General ended as it begins is ahead."
    )
    draw = dots("where", "win share of a seat, %", by="table")
    won = "games won by this rank, of its seats"
    yield MeasureTable(
        "paths-rank",
        "Presidents by rank of the Primary",
        "Ranks 3 and 4 are Spoilers.",
        (
            "players",
            Column("rank", "rank", "rank of the Primary total", "count"),
            Number("won by rank", "win share", won),
            Number("from rank", "of Presidents", name="part"),
            LINEUPS,
        ),
        rows=lambda rows: PLAYERS_IN_WORDS(rows).with_columns(
            where=pl.format("rank {}", "rank")
        ),
        draw=draw,
    )
    stands = "standing when the General begins"
    yield MeasureTable(
        "paths-standing",
        "Presidents by standing when the General begins",
        "A Spoiler wins if no total is positive, or as Highlander.",
        (
            "players",
            WordColumn("where", "standing", stands, STANDINGS.__getitem__, "standing"),
            Number("won by standing", "win share", "games won by such a seat"),
            Number("from standing", "of Presidents", name="part"),
            LINEUPS,
        ),
        rows=PLAYERS_IN_WORDS,
        draw=draw,
    )
    near = f"share of games with a gap of {NEAR} or less"
    yield MeasureTable(
        "paths-gap",
        "How close the race for the second Candidate is",
        "Points of the Primary between the second and the third.",
        (
            "players",
            Number("gap", "gap", "mean gap, points"),
            Number("near", f"within {NEAR}", near, "near"),
        ),
        rows=lambda rows: rows.filter(pl.col("players") > 2),
    )
    for players in data.counts:
        yield _finding(data, players)


def _finding(data: ReportData, players: int) -> Finding:
    by_rank = data.leading("won by rank", players=players).to_dicts()
    standings = data.leading("won by standing", players=players)
    ahead = standings.filter(standing=AHEAD).to_dicts()
    if len(by_rank) < 2 or not ahead:
        return Finding(f"Paths, {players} players: no data.", "open")
    first, second = by_rank[:2]
    verdict = verdict_of(ahead[0], FAVOURED, 1.0)
    behind = standings.filter(standing=AHEAD + 2)
    values = "".join(f", the one behind {share(row)}" for row in behind.to_dicts())
    text = (
        f"With {players} players rank 1 of the Primary becomes President in "
        f"{share(first)} of the games, rank 2 in {share(second)} (even: "
        f"{percent(1 / players)}). The Candidate who is ahead when the General begins "
        f"wins {share(ahead[0])}{values}: {_VERDICTS[verdict]} ({data.who})."
    )
    for row in data.leading("gap", players=players).to_dicts():
        if players > 2:
            text = (
                f"{text.removesuffix('.')}. The third is {number(row)} points short of "
                "the second."
            )
    tested = how_tested(percent(FAVOURED), "shares", 1, ahead[0]["n"])
    return Finding(text, sureness(verdict), tested=tested)


_VERDICTS = {
    "within": "the Candidate ahead wins more often than not",
    "outside": "the Candidate ahead loses more often than not",
    "undecided": "whether the Candidate ahead wins more often than not is undecided",
}


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("standing",),
    id="paths",
    title="Who becomes Candidate and President, and from where",
    question="Who becomes Candidate and President, and from which place?",
)
