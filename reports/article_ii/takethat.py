"""Take-that: on whom cards fall, how often the leader is hit, and kingmaking.

A hit is a card played on another player (or taken from him) that lowers his total of
the phase. The leader is who alone would win if the phase ended then.
"""

import numpy as np
import polars as pl

from reports.article_ii import choices, kingmaking, leaders
from reports.article_ii.formatting import PHASE, phase_words, tables_of, texts
from reports.article_ii.played import PHASES, PlayedGames
from reports.counts import Counts, grid
from reports.drawing import bars, dots
from reports.formatting import PLAYERS, N, estimated, exhibit
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Section
from reports.report_data import PAIRED, ReportData

ACTS = (
    "helps himself",
    "harms himself",
    "helps another",
    "hits another",
    "no points",
)


MEASURES = (
    Measure("acts", "share of the changes", "share", by=("phase", "act")),
    Measure("hits", "hits in a phase", "mean", by=("phase",)),
    Measure("points hit", "points that a hit takes", "mean", by=("phase",)),
    Measure("lead changes", "changes of the leader in a phase", "mean", by=("phase",)),
    *leaders.MEASURES,
    *choices.MEASURES,
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of changes by what they do, and of hits on the leader."""
    changes = played.changes
    phase, gain = changes["phase"].astype(np.int64), changes["gain"]
    other = changes["on"] != changes["seat"]
    hits = other & (gain < 0)
    act = np.select([gain == 0, gain > 0], [4, 0 + 2 * other], 1 + 2 * other)
    acts = played.counted(np.ones_like(other), phase * len(ACTS) + act, 2 * len(ACTS))
    acts = acts.reshape(2, len(ACTS), played.size)
    new, all_hits = (
        played.counted(rows, phase, 2)
        for rows in (changes["leader"] != changes["leader_after"], hits)
    )
    lost = np.bincount(
        phase[hits] * played.size + changes["at"][hits], -gain[hits], 2 * played.size
    ).reshape(2, played.size)
    found = [
        grid(
            "acts",
            acts,
            acts.sum(axis=1, keepdims=True),
            phase=PHASES,
            act=range(len(ACTS)),
        ),
        grid("hits", all_hits, played.over, phase=PHASES),
        grid("points hit", lost, all_hits, phase=PHASES),
        grid("lead changes", new, played.over, phase=PHASES),
    ]
    return [*found, *leaders.counts(played), *choices.counts(played)]


def section(data: ReportData) -> Section:
    """What cards do to whom, hits on the leader, kingmaking."""
    hits = leaders.hits(data)
    return Section(
        "take-that",
        "Take-that: hits on the leader, kingmaking",
        f"With {data.who}. The leader is who alone would win the phase if it ended at "
        "that moment: the highest total of the Primary, the President of the General. "
        "A hit lowers another player's total of the phase.",
        (
            _acts(data),
            leaders.exhibit_of(hits),
            _how_many(data),
            *kingmaking.exhibits(data),
            _lineups(data),
        ),
        (
            *(
                leaders.finding(data, hits, players)
                for players in data.counts
                if players > 2
            ),
            *(
                finding
                for players in data.counts
                if players > 2
                for finding in kingmaking.findings(data, players)
            ),
        ),
    )


def _acts(data: ReportData) -> Exhibit:
    rows = data.leading("acts")
    rows = phase_words(rows).with_columns(
        what=texts([ACTS[act] for act in rows["act"]]),
        where=pl.format("{}, {} players", "election", "players"),
    )
    return exhibit(
        "take-that-acts",
        "What cards do to the totals, and whose",
        "Each card that comes to lie on a player or is removed, by what it does at "
        "once to the total of the phase of the player it concerns.",
        rows,
        (
            PLAYERS,
            PHASE,
            Column("what", "what", "whose total, and whether it rises"),
            estimated("share", "share of the cards", "share"),
            N,
        ),
        bars("where", "share of the cards, %", "what"),
    )


def _how_many(data: ReportData) -> Exhibit:
    """Hits and changes of the lead in a phase, and what a hit takes."""
    kinds = (
        ("hits", "hits"),
        ("points of a hit", "points hit"),
        ("changes of leader", "lead changes"),
    )
    parts = [data.leading(name).with_columns(what=pl.lit(what)) for what, name in kinds]
    rows = phase_words(pl.concat(parts)).with_columns(
        what=pl.format("{}, {}", "what", "election")
    )
    return exhibit(
        "take-that-number",
        "How much is hit, and how often the leader changes",
        "A change from or to nobody leading alone counts too.",
        tables_of(rows),
        (
            PLAYERS,
            Column("what", "what", "what is counted"),
            estimated("mean", "mean number"),
            N,
        ),
        dots("what", "hits, points, changes", by="table"),
    )


def _lineups(data: ReportData) -> Exhibit:
    """Hits on the leader, lineup by lineup."""
    only = ~PAIRED & (pl.col("players") == data.players)
    rows = phase_words(data.of("leader hit", only=only))
    return exhibit(
        "take-that-lineups",
        "Hits on the leader, by lineup",
        f"{data.players} players; counted as above.",
        rows.filter(pl.col("kind").is_in(["self", "mixed", "given"])),
        (
            Column("lineup", "lineup", "who plays"),
            PHASE,
            estimated("on the leader", "share of marks that hit", "share"),
            N,
        ),
        dots("lineup", "share of marks that hit the leader, %", by="election"),
    )


SECTION = ReportSection(section, MEASURES, counts=counts)
