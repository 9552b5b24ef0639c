"""Take-that: on whom cards fall, how often the leader is hit, and kingmaking.

A hit is a card played on another player (or taken from them) that lowers their total of
the phase. The leader is the player who alone would win if the phase ended then.
"""

import numpy as np
import polars as pl

from reports.article_ii import general_choices, kingmaking, leader_hits, what_ifs
from reports.article_ii.game_arrays import PHASE_WORDS, PHASES, ArticleIIArrays
from reports.article_ii.labels import PHASE
from reports.counts import Counts, grid
from reports.figure_specs import bars, dots
from reports.formatting import estimated
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import (
    PLAYERS_IN_WORDS,
    MeasureTable,
    Number,
    WordColumn,
    with_words,
)
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

ACTS = (
    "helps its player",
    "harms its player",
    "helps another",
    "hits another",
    "no points",
)
_PHASES = MeasuresOf(by="phase")
MEASURES = (
    _PHASES.share("acts", "share of the changes", by="phase act"),
    _PHASES.mean("hits", "hits in a phase"),
    _PHASES.mean("points hit", "points that a hit takes"),
    _PHASES.mean("changes of leader", "changes of the leader in a phase"),
    *leader_hits.MEASURES,
    *general_choices.MEASURES,
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count changes by what they do, hits on the leader, and choices."""
    changes = played.changes
    phase, gain = changes["phase"].astype(np.int64), changes["gain"]
    other = changes["on"] != changes["seat"]
    hits = other & (gain < 0)
    act = np.select([gain == 0, gain > 0], [4, 0 + 2 * other], 1 + 2 * other)
    acts = played.counted(np.ones_like(other), phase * len(ACTS) + act, 2 * len(ACTS))
    acts = acts.reshape(2, len(ACTS), played.size)
    new_leader, all_hits = (
        played.counted(rows, phase, 2)
        for rows in (changes["leader"] != changes["leader_after"], hits)
    )
    lost = np.bincount(
        phase[hits] * played.size + changes["at"][hits], -gain[hits], 2 * played.size
    ).reshape(2, played.size)
    by = {"phase": PHASES, "act": range(len(ACTS))}
    measured = [
        grid("acts", acts, acts.sum(axis=1, keepdims=True), **by),
        grid("hits", all_hits, played.over, phase=PHASES),
        grid("points hit", lost, all_hits, phase=PHASES),
        grid("changes of leader", new_leader, played.over, phase=PHASES),
    ]
    return [*measured, *leader_hits.counts(played), *general_choices.counts(played)]


def section(data: ReportData) -> SectionParts:
    """Yield what cards do to whom, hits on the leader, and kingmaking."""
    hits = leader_hits.hits(data)
    yield (
        f"With {data.who}. The leader is the player who alone would win the phase if "
        "it ended at that moment: the highest total of the Primary, the President of "
        "the General. A hit lowers another player's total of the phase."
    )
    whose = "whose total, and whether it rises"
    where = pl.format("{}, {} players", "election", "players")
    yield MeasureTable(
        "take-that-acts",
        "What cards do to the totals, and whose",
        "Each card that is placed on a player or removed, by what it does at once to "
        "that player's total of the phase.",
        (
            "players",
            PHASE,
            WordColumn("what", "what", whose, ACTS.__getitem__, "act"),
            Number("acts", "share", "share of the cards"),
        ),
        rows=lambda rows: rows.with_columns(where=where),
        draw=bars("where", "share of the cards, %", "what"),
    )
    yield leader_hits.table_of(hits)
    yield _how_many(data)
    yield from kingmaking.tables(data)
    here = pl.col("players") == data.players
    yield MeasureTable(
        "take-that-lineups",
        "Hits on the leader, by lineup",
        f"{data.players} players; counted as above.",
        (
            Column("lineup", "lineup", "who plays"),
            PHASE,
            Number("leader hit", "on the leader", "share of marks that hit"),
        ),
        only=here & pl.col("kind").is_in(["self", "mixed", "given"]),
        draw=dots("lineup", "share of marks that hit the leader, %", by="election"),
    )
    several = [players for players in data.counts if players > 2]
    for players in several:
        yield leader_hits.finding(data, hits, players)
    for players in several:
        yield from kingmaking.findings(data, players)


def _how_many(data: ReportData) -> MeasureTable:
    """Return the table of hits, of points hit and of changes of the lead in a phase."""
    kinds = {
        "hits": "hits",
        "points of a hit": "points hit",
        "changes of leader": "changes of leader",
    }
    rows = pl.concat(
        data.leading(name).with_columns(which=pl.lit(which))
        for which, name in kinds.items()
    )
    words = with_words(
        "what", lambda w, at: f"{w}, {PHASE_WORDS[at]}", "which", "phase"
    )
    return MeasureTable(
        "take-that-number",
        "How often and how hard players are hit, and how often the leader changes",
        "A change from or to no sole leader counts too.",
        (
            "players",
            Column("what", "what", "what is counted"),
            estimated("mean", "mean number"),
        ),
        rows=PLAYERS_IN_WORDS(words(rows)),
        draw=dots("what", "hits, points, changes", by="table"),
    )


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("change", "standing"),
    id="take-that",
    title="Take-that: hits on the leader, kingmaking",
    question="How often is the leader hit, and do those who cannot win decide it?",
    what_ifs=(what_ifs.CHOICES,),
)
