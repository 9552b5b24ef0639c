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
from reports.counts import Array, Counts, grid
from reports.figure_specs import bars, dots, steps
from reports.formatting import number, percent, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import sureness
from reports.verdicts import how_tested, verdict_of

GAMES = 4
"""The number of games of a match."""
SWING = 5
"""The most that a party can gain on the other in a game: two Candidates, one of them
President, and the partner's point. (Two partners who share the Presidency gain 6.)"""
MOST = 12
"""Margins above this are counted as this."""
TIES = 0.1
"""Up to a tenth of the matches without a winner are accepted."""
SOURCES = ("Candidates", "President", "partner of the President")
KINDS = {
    "tied": "the match ends in a tie",
    "early": "the match is decided before the last game",
    "led": "who leads before the last game wins (of matches that somebody leads)",
    "both": "both Candidates are of one party (of games)",
    "candidates": "the party with more Candidates wins (of matches with more)",
}

_ARRAYS = MeasuresOf()
_POINTS = "points of both parties in a match"
MEASURES = (
    _ARRAYS.share("match", "share of the matches", by="by"),
    _ARRAYS.mean("match points", _POINTS, by="source"),
    _ARRAYS.share("match margin", "share of the matches", by="margin"),
    _ARRAYS.mean("mean margin", "points between the parties at the end"),
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count points by source, matches, and margins; only with parties."""
    if not played.rules["parties"]:
        return []
    points, named, won = (
        by_match(played, values)
        for values in (played.points, played.candidates, played.winners)
    )
    matches = points.shape[1]
    if not matches:
        return []
    lead = points[0] - points[1]
    before, end = lead[:, :-1].sum(axis=1), lead.sum(axis=1)
    more = (named[0] - named[1]).sum(axis=1)
    every, margins = np.ones(matches, dtype=np.int64), range(MOST + 1)
    values = {
        "tied": (end == 0, every),
        "early": (abs(before) > SWING, every),
        "led": (before * end > 0, before != 0),
        "candidates": (more * end > 0, more != 0),
        "both": ((named == 2).any(axis=0).sum(axis=1), every * GAMES),
    }
    total, nominated, elected = (
        part.sum(axis=(0, 2)) for part in (points, named, 2 * won)
    )
    sources = np.stack([nominated, elected, total - nominated - elected])
    far = np.minimum(abs(end), MOST) == np.array(margins)[:, None]
    tops, below = (np.stack([pair[at] for pair in values.values()]) for at in (0, 1))
    return [
        grid("match", tops, below, by=list(values)),
        grid("match points", sources, every[None], source=range(len(SOURCES))),
        grid("match margin", far, every[None], margin=margins),
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


def section(data: ReportData) -> SectionParts:
    """Yield points, ties and margins of matches."""
    only = cells(data)
    what = "what is counted"
    who = data.who if data.rules["parties"] else f"{PARTNER} in every seat"
    yield (
        f"With {who}, 4 players: two parties of two, partners opposite. "
        f"{PARTNER} plays for its partner as for itself; the other strategies do not "
        "know their partners, and each plays for itself. Intervals go by match."
    )
    yield MeasureTable(
        "parties-matches",
        "How matches go",
        "A match is decided before the last game if the lead is more than "
        f"{SWING} points, the most that a game brings if one player wins.",
        (
            WordColumn("what", "what", what, KINDS.__getitem__, "by"),
            Number("match", "share", "share of matches, or of what the row names"),
        ),
        only=only,
        draw=dots("what", "share, %"),
    )
    sources = "what the points are for"
    yield MeasureTable(
        "parties-points",
        "Where the points of a match come from",
        "Points of both parties in four games.",
        (
            WordColumn("what", "points for", sources, SOURCES.__getitem__, "source"),
            Number("match points", "points"),
        ),
        only=only,
        rows=lambda rows: rows.with_columns(match=pl.lit("both parties")),
        draw=bars("match", "points in a match", "what"),
    )
    count = pl.col("estimate") * pl.col("n")
    margin = "points of the winner less the other's"
    yield MeasureTable(
        "parties-margin",
        "By how many points a match is won",
        f"Margins beyond {MOST} count as {MOST}.",
        (
            Column("margin", "margin", margin, "count"),
            Number("match margin", "matches", "share of matches"),
        ),
        only=only,
        rows=lambda rows: rows.with_columns(many=count, match=pl.lit("all")),
        draw=steps("margin", "many", "points of margin (0: a tie)", "match"),
    )
    yield from _findings(data, only)


def _findings(data: ReportData, only: pl.Expr) -> SectionParts:
    known = {row["by"]: row for row in data.of("match", only=only).to_dicts()}
    if "tied" not in known:
        yield Finding("Parties: no match was played.", "open")
        return
    verdict = verdict_of(known["tied"], -1.0, TIES)
    margin = data.of("mean margin", only=only).row(0, named=True)
    text = (
        f"Parties, {data.lead} in every seat: {share(known['tied'])} of the matches "
        f"end in a tie ({_VERDICTS[verdict]}); the mean margin is {number(margin)} "
        "points."
    )
    tested = how_tested(percent(TIES), "shares", 1, known["tied"]["n"], "matches")
    yield Finding(text, sureness(verdict), tested=tested)
    led = f"; who leads then wins {share(known['led'])}" if "led" in known else ""
    text = (
        f"Parties, {data.lead} in every seat: {share(known['early'])} of the matches "
        f"are decided before the last game{led}. Both Candidates are of one party in "
        f"{share(known['both'])} of the games (by chance alone 33.3 %)."
    )
    yield Finding(text, "")


_VERDICTS = {
    "within": f"no more than {100 * TIES:.0f} %",
    "outside": f"more than {100 * TIES:.0f} %",
    "undecided": f"whether more than {100 * TIES:.0f} % is undecided",
}


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    id="parties",
    title="Parties: matches of four games",
    question="How do matches of two parties go?",
    what_ifs=(what_ifs.PARTIES,),
)
