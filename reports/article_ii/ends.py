"""How games end: Spoilers who win, nobody who wins, Highlanders, ties."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports import course
from reports.article_ii.played import PlayedGames
from reports.claims import Claim
from reports.counts import Counts, grid
from reports.drawing import dots
from reports.formatting import PLAYERS, N, estimated, exhibit, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import PAIRED, ReportData
from reports.statistics.equivalence import judge, more_games, sure

HOW = {
    "total": "highest positive total",
    "electability": "equal totals, higher Electability",
    "shared": "equal totals, shared",
    "spoiler": "a Spoiler",
    "spoiler-shared": "Spoilers share",
    "none": "nobody",
    "guard": "broken off",
}
"""How a game may be decided, in words."""
_KINDS = {
    "Spoilers": ("spoiler", "spoiler-shared"),
    "nobody": ("none", "guard"),
    "shared": ("shared", "spoiler-shared"),
}
BENCHMARKS = {"Spoilers": (0.05, 1.0), "nobody": (-1.0, 0.05)}
"""Least and most of the games: below 5 % the Spoiler's way is closed; up to 5 % without
a winner are let pass. Spoilers should not win more than an even share of the seats."""


MEASURES = (
    Measure("ended", "share of games", "share", by=("by",)),
    Measure("Highlander competes", "games in which one competes", "share"),
    Measure("Highlander wins", "games that one wins", "share"),
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of ends by kind, of Highlanders, and of the best totals."""
    ends = np.stack([played.ended(*names) for names in _KINDS.values()])
    outsider = played.contenders & ~played.candidates
    stays = np.any(outsider & played.victory, axis=0)
    return [
        grid("ended", ends, played.one, by=list(_KINDS)),
        grid("Highlander competes", np.any(outsider, axis=0), played.one[0]),
        grid("Highlander wins", stays, played.one[0]),
    ]


def section(data: ReportData) -> Section:
    """Shares of games by how they were decided."""
    return Section(
        "ends",
        "Spoilers win, nobody wins",
        f"With {data.who}. With no positive total the Spoiler with the highest "
        "Electability wins; of two players there is no Spoiler, and nobody wins.",
        (
            course.decided(data, "ends-how", "Shares of all games.", HOW),
            _by_lineup(data),
            _highlander(data),
        ),
        tuple(
            finding for players in data.counts for finding in _findings(data, players)
        ),
    )


def _by_lineup(data: ReportData) -> Exhibit:
    """Spoiler wins and games without a winner, lineup by lineup."""
    rows = data.of("ended", only=~PAIRED)
    rows = rows.filter(pl.col("kind").is_in(["self", "mixed", "given"]))
    rows = rows.with_columns(winner="by")
    return exhibit(
        "ends-lineups",
        "Spoiler wins and games without a winner, by lineup",
        "Spoilers: one Spoiler wins, or several share. The figure shows "
        f"{data.players} players, and games that Spoilers or nobody win.",
        rows,
        (
            PLAYERS,
            Column("lineup", "lineup", "who plays"),
            Column("winner", "who wins", "Spoilers, nobody, or several share"),
            estimated("games", "share of games", "share"),
            N,
        ),
        dots(
            "lineup",
            "share of games, %",
            by="winner",
            only=(pl.col("players") == data.players) & (pl.col("by") != "shared"),
        ),
    )


def _highlander(data: ReportData) -> Exhibit:
    """How often a Spoiler competes as Highlander, and wins so."""
    parts = [
        data.leading(f"Highlander {what}").with_columns(what=pl.lit(what))
        for what in ("competes", "wins")
    ]
    rows = pl.concat(parts).filter(pl.col("players") > 2)
    return exhibit(
        "ends-highlander",
        "Spoilers who compete in the General as Highlander",
        "Shares of all games.",
        rows.sort("players", "what"),
        (
            PLAYERS,
            Column("what", "Highlander", "a Spoiler competes, or wins so"),
            estimated("games", "share of games", "share"),
            N,
        ),
    )


def _findings(data: ReportData, players: int) -> tuple[Finding, ...]:
    """Whether Spoilers win often enough but not too often; games without winner."""
    rows = data.leading("ended", players=players)
    values = []
    for how, (least, highest) in BENCHMARKS.items():
        spoilers = how == "Spoilers"
        if spoilers and players < 3:
            continue
        most = (players - 2) / players if spoilers else highest
        part = rows.filter(by=how)
        if part.is_empty():
            continue
        verdict = judge(part["estimate"], part["se"], least, most)[0]
        text = (
            f"With {players} players {_SAYS[how]} {share(part.row(0, named=True))} of "
            f"the games ({data.who}): {_said(verdict, least, most, spoilers)}"
        )
        if verdict == "undecided":
            more = more_games(part["estimate"], part["se"], data.games, least, most)
            text = f"{text}; {more}"
        claim = Claim(
            "games that Spoilers win",
            "ended",
            players,
            where={"by": how},
            even=(most + least) / 2,
            tolerance=(most - least) / 2,
        )
        told = Finding(f"{text}.", sure(verdict), "ends")
        values.append(replace(told, claim=claim) if spoilers else told)
    return tuple(values)


_SAYS = {"Spoilers": "Spoilers win", "nobody": "nobody wins"}


def _said(verdict: str, least: float, most: float, spoilers: bool) -> str:
    bounds = f"{100 * max(least, 0):.0f} to {100 * most:.0f} %"
    why = ", the most being their share of the seats" if spoilers else ""
    words = {
        "within": f"inside {bounds}{why}",
        "outside": f"outside {bounds}{why}",
        "undecided": f"whether inside {bounds}{why} is undecided",
    }
    return words[verdict]


SECTION = ReportSection(section, MEASURES, counts=counts)
