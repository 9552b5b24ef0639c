"""Parties: matches of four games, seats 0 and 2 against 1 and 3.

A Candidate gives their party a point, the President two more, and one to each partner.
A match is four successive games of a run; in each the players move on by one seat, so
partners stay partners. The unit of resampling is the match.
"""

import numpy as np
import polars as pl

from reports.article_ii import what_ifs
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.article_ii.what_ifs import PARTNER
from reports.bounded_claims import BoundedClaim
from reports.counts import Array, Counts, grid
from reports.figure_specs import dots
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData

GAMES = 4  # of a match
SWING = 5
"""The most that a party gains in a game in which one player wins."""
KINDS = {
    "tied": "the match ends in a tie",
    "early": "the match is decided before the last game",
    "led": "who leads before the last game wins (of matches that somebody leads)",
    "both": "both Candidates are of one party (of games; by chance alone 33.3 %)",
}
_MATCHES = MeasuresOf()
MEASURES = (
    _MATCHES.share("match", "share of the matches", by="by"),
    _MATCHES.mean("mean margin", "points between the parties at the end"),
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count matches by how they go, and margins; only with parties."""
    if not played.rules["parties"]:
        return []
    points, named = (
        by_match(played, values) for values in (played.points, played.candidates)
    )
    matches = points.shape[1]
    if not matches:
        return []
    lead = points[0] - points[1]
    before, end = lead[:, :-1].sum(axis=1), lead.sum(axis=1)
    every = np.ones(matches, dtype=np.int64)
    values = {
        "tied": (end == 0, every),
        "early": (abs(before) > SWING, every),
        "led": (before * end > 0, before != 0),
        "both": ((named == 2).any(axis=0).sum(axis=1), every * GAMES),
    }
    tops, below = (np.stack([pair[at] for pair in values.values()]) for at in (0, 1))
    return [
        grid("match", tops, below, by=list(values)),
        grid("mean margin", abs(end), every),
    ]


def by_match(played: ArticleIIArrays, values: Array) -> Array:
    """Return sums of values (seats, games) by party, (parties, matches, games).

    Party 0 is the players who sit in seats 0 and 2 of a match's first game. Matches
    that are not played in full are left out.
    """
    first = -int(played.game[0]) % GAMES
    matches = (played.size - first) // GAMES
    whole = slice(first, first + matches * GAMES)
    party = (played.seats + played.game[whole]) % 2
    part = values[:, whole].astype(np.int64)
    both = [(part * (party == number)).sum(axis=0) for number in (0, 1)]
    return np.stack(both).reshape(2, matches, GAMES)


def cells(data: ReportData) -> pl.Expr:
    """Return the cells with parties: the leading ones, or those of other rules."""
    if data.rules["parties"]:
        return data.leads()
    return (pl.col("kind") == "beside") & (pl.col("changes") == "parties=True")


SECTION = ReportSection(
    id="parties",
    title="Parties: matches of four games",
    question="How do matches of two parties go?",
    intro=f"4 players: two parties of two, partners opposite; if the rules have no "
    f"parties, {PARTNER} sits in every seat. It plays for its partner as for itself; "
    "the other strategies do not know their partners, and each plays for itself. "
    "Intervals go by match.",
    measures=MEASURES,
    counts=counts,
    tables=(
        MeasureTable(
            "parties-matches",
            "How matches go",
            f"A match is decided before the last game if the lead is more than {SWING} "
            "points, the most that a game brings if one player wins.",
            (
                WordColumn("what", "what", "what is counted", KINDS, "by"),
                Number("match", "share", "share of matches, or of what the row names"),
            ),
            only=cells,
            sort=("what",),
            draw=dots("what", "share, %"),
        ),
    ),
    claims=(
        BoundedClaim(
            "Parties: {value} of the matches end in a tie: {verdict}; the mean margin "
            "is {margin} points, and {early} are decided before the last game",
            "match",
            most=0.1,
            where={"by": "tied"},
            also={"margin": "mean margin", "early": ("match", {"by": "early"})},
            once=True,
            only=cells,
        ),
    ),
    what_ifs=(what_ifs.PARTIES,),
)
