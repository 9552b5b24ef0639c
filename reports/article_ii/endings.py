"""How games end: with a Spoiler, nobody or a Highlander as winner, or tied."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports import course
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.claims import Claim
from reports.counts import Counts, grid
from reports.figure_specs import dots
from reports.formatting import estimated, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column
from reports.verdicts import claim, verdict_of

HOW = {
    "total": "highest positive total",
    "electability": "equal totals, higher Electability",
    "shared": "equal totals, shared",
    "spoiler": "a Spoiler",
    "spoiler-shared": "Spoilers share",
    "none": "nobody",
    "guard": "broken off",
}
"""The ways in which a game may be decided, in words."""
_KINDS = {
    "Spoilers": ("spoiler", "spoiler-shared"),
    "nobody": ("none", "guard"),
    "shared": ("shared", "spoiler-shared"),
}
BENCHMARKS = {"Spoilers": (0.05, 1.0), "nobody": (-1.0, 0.05)}
"""Least and greatest share of the games: below 5 % Spoilers cannot win; up to 5 %
without a winner are accepted. Spoilers should win at most their share of the seats."""

_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("ended", "share of games", by="by"),
    _ARRAYS.share("Highlander competes", "games in which one competes"),
    _ARRAYS.share("Highlander wins", "games that one wins"),
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count ends by kind, and Highlanders who compete and win."""
    ends = np.stack([played.ended(*names) for names in _KINDS.values()])
    outsider = played.contenders & ~played.candidates
    stays = np.any(outsider & played.victory, axis=0)
    return [
        grid("ended", ends, played.one, by=list(_KINDS)),
        grid("Highlander competes", np.any(outsider, axis=0), played.one[0]),
        grid("Highlander wins", stays, played.one[0]),
    ]


def section(data: ReportData) -> SectionParts:
    """Yield shares of games by how they were decided, and Highlanders."""
    yield (
        f"With {data.who}. If no total is positive, the Spoiler with the highest "
        "Electability wins; with two players there is no Spoiler, and nobody wins."
    )
    yield course.decided_by(data, "ends-how", "Shares of all games.", HOW)
    here = (pl.col("players") == data.players) & (pl.col("by") != "shared")
    yield MeasureTable(
        "ends-lineups",
        "Spoiler wins and games without a winner, by lineup",
        "Spoilers: one Spoiler wins, or several share. The figure shows "
        f"{data.players} players, and games that Spoilers or nobody win.",
        (
            "players",
            Column("lineup", "lineup", "who plays"),
            Column("winner", "who wins", "Spoilers, nobody, or several share"),
            Number("ended", "games"),
        ),
        only=pl.col("kind").is_in(["self", "mixed", "given"]),
        rows=lambda rows: rows.with_columns(winner="by"),
        draw=dots("lineup", "share of games, %", by="winner", only=here),
    )
    parts = [
        data.leading(f"Highlander {what}").with_columns(what=pl.lit(what))
        for what in ("competes", "wins")
    ]
    yield MeasureTable(
        "ends-highlander",
        "Spoilers who compete in the General as Highlander",
        "Shares of all games.",
        (
            "players",
            Column("what", "Highlander", "a Spoiler competes, or wins, as Highlander"),
            estimated("games", "share of games", "share"),
        ),
        rows=pl.concat(parts).filter(pl.col("players") > 2).sort("players", "what"),
    )
    for players in data.counts:
        yield from _findings(data, players)


def _findings(data: ReportData, players: int) -> SectionParts:
    """Say whether Spoilers win too rarely or too often, and how often nobody wins."""
    rows = data.leading("ended", players=players)
    by = {row["by"]: row for row in rows.to_dicts()}
    for kind, (least, highest) in BENCHMARKS.items():
        spoilers = kind == "Spoilers"
        if kind not in by or (spoilers and players < 3):
            continue
        most = (players - 2) / players if spoilers else highest
        verdict = verdict_of(by[kind], least, most)
        text = (
            f"With {players} players {_SAYS[kind]} {share(by[kind])} of the games "
            f"({data.who}): {_verdict_words(verdict, least, most, spoilers)}"
        )
        finding = claim(text, verdict, by[kind], data.games, least, most)
        tested = Claim(
            "games that Spoilers win",
            "ended",
            players,
            where={"by": kind},
            even=(most + least) / 2,
            tolerance=(most - least) / 2,
        )
        yield replace(finding, claim=tested) if spoilers else finding


_SAYS = {"Spoilers": "Spoilers win", "nobody": "nobody wins"}


def _verdict_words(verdict: str, least: float, most: float, spoilers: bool) -> str:
    bounds = f"{100 * max(least, 0):.0f} to {100 * most:.0f} %"
    why = " (at most their share of the seats)" if spoilers else ""
    words = {
        "within": f"inside {bounds}{why}",
        "outside": f"outside {bounds}{why}",
        "undecided": f"whether inside {bounds}{why} is undecided",
    }
    return words[verdict]


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("standing",),
    id="ends",
    title="Spoilers win, nobody wins",
    question="How often does a Spoiler win, or nobody?",
)
