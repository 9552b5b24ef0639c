"""How rounds end, and who profits: the one who ends it, or the others."""

import numpy as np
import polars as pl

from reports.counts import Counts
from reports.counts import grid_of_rows as grid
from reports.devil.formatting import ENDING, ENDING_WORDS, with_verdict
from reports.devil.grids import flags
from reports.devil.played import ENDINGS, PlayedGames
from reports.drawing import bars, dots
from reports.formatting import (
    PLAYERS,
    STRATEGY,
    N,
    Row,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
    percent,
    share,
)
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData

TOLERANCE = 1.0
"""Whoever ends a round, and gets one point less or more than the others, gets the
same."""
FEW = 100
_BY = ("by",)
_OTHERS = "points added to each of the others"
MEASURES = (
    Measure("rounds by ending", "share of the rounds that end so", "share", by=_BY),
    Measure("turns by ending", "turns of such a round", "mean", by=_BY),
    Measure("ender by ending", "points added to who ended it", "mean", by=_BY),
    Measure("others by ending", _OTHERS, "mean", by=_BY),
    Measure("ahead by ending", "others less ender", "mean", by=_BY),
    Measure("least by ending", "share in which nobody is added less", "share", by=_BY),
    Measure("last ender wins", "games won by who ends the last round", "share"),
)
_FORMULA = (
    "ahead = mean over rounds of (points added to the others / others - points added "
    "to who ended it)"
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by ending, and of last rounds."""
    here, others = flags(played.ending, len(ENDINGS)), played.players - 1
    rest = played.added.sum(axis=0) - played.own
    least = played.own <= played.added.min(axis=0, initial=np.iinfo(np.int64).max)
    wins = played.winner[played.game] == played.ender
    ones = np.ones(len(played.game))
    values = {
        "turns": (played.rounds.once("turns"), 1),
        "ender": (played.own, 1),
        "others": (rest, others),
        "ahead": (rest - others * played.own, others),
        "least": (least, 1),
    }
    return [
        grid("rounds by ending", played.game, here, ones, by=ENDINGS),
        *(
            grid(f"{name} by ending", played.game, here * y, here * x, by=ENDINGS)
            for name, (y, x) in values.items()
        ),
        grid("last ender wins", played.game, wins & played.over, played.over),
    ]


def section(data: ReportData) -> Section:
    """Endings of the leading lineup, and of every strategy."""
    table = endings(data)
    return Section(
        "endings",
        "How rounds end, and who profits",
        f"With {data.who}. Points are bad: the least total wins. Going out leaves "
        "nothing in hand; who declares counts his own hand twice.",
        (_shares(data, table), _profit(table), _strategies(data)),
        (_finding(data, table, data.players),),
    )


def endings(data: ReportData) -> pl.DataFrame:
    """A row a number of players and ending, with what it brings."""
    keys = ("players", "by")
    table = data.leading("rounds by ending")
    for name in ("turns", "ender", "others", "ahead", "least"):
        rows = data.leading(f"{name} by ending")
        table = joined(table, named(rows, keys, name), keys)
    table = table.filter(pl.col("estimate") > 0)
    parts = [
        with_verdict(part, TOLERANCE, "ahead", ("profits", "pays"))
        for part in table.partition_by("players", maintain_order=True)
    ]
    if not parts:
        return worded(table.with_columns(verdict=pl.lit("")))
    return worded(pl.concat(parts))


def worded(rows: pl.DataFrame) -> pl.DataFrame:
    """Endings in words (``how``), in their order."""
    words = [ENDING_WORDS[by] for by in rows["by"]]
    place = [ENDINGS.index(by) for by in rows["by"]]
    return rows.with_columns(
        pl.Series("how", words, dtype=pl.String),
        pl.Series("place", place, dtype=pl.Int64),
        table=pl.format("{} players", "players"),
    ).sort("players", "place")


def _shares(data: ReportData, table: pl.DataFrame) -> Exhibit:
    spread = data.spread("rounds by ending", percent=True)
    return exhibit(
        "endings-shares",
        "How rounds end",
        "Of all rounds that were played to their end.",
        joined(table, spread, ("players", "by")),
        (
            PLAYERS,
            ENDING,
            estimated("rounds", "share of the rounds that end so", "share"),
            estimated("turns", "turns of such a round", name="turns"),
            Column(
                "lineups",
                "over lineups",
                "least and greatest share over all lineups simulated",
            ),
            N,
        ),
        bars("table", "share of the rounds, %", "how"),
    )


def _profit(table: pl.DataFrame) -> Exhibit:
    return exhibit(
        "endings-profit",
        "Points added by how the round ends: to who ended it, and to the others",
        "Ahead is what the one who ended the round gained on the mean of the others. "
        f"Verdict: {TOLERANCE:g} point; Holm over the endings of a table.",
        table,
        (
            PLAYERS,
            ENDING,
            estimated("ender", "points added to who ended it", name="ender"),
            estimated("others", _OTHERS, name="others"),
            estimated("ahead", "others less ender", name="ahead"),
            Column("verdict", "verdict", "who ended it profits or pays, 95 %"),
            estimated("least", "share in which nobody is added less", "share", "least"),
            Column("ahead_n", "n", "such rounds, times the other seats", "count"),
        ),
        dots("how", "points gained on the others", "ahead", by="players", reference=0),
        _FORMULA,
    )


def _strategies(data: ReportData) -> Exhibit:
    only, keys = data.alone, ("cell", "by")
    table = data.of("rounds by ending", only=only)
    for name in ("ender", "others"):
        rows = data.of(f"{name} by ending", only=only)
        table = joined(table, named(rows, keys, name), keys)
    table = table.filter(pl.col("estimate") > 0).with_columns(strategy="lineup")
    order = {
        name: at for at, name in enumerate(table["lineup"].unique(maintain_order=True))
    }
    rows = worded(table).sort(
        pl.col("lineup").replace_strict(order, default=0, return_dtype=pl.Int64),
        "place",
    )
    return exhibit(
        "endings-strategies",
        "How rounds end with each strategy",
        f"Each strategy at a table of its own kind, {data.players} players.",
        rows,
        (
            STRATEGY,
            ENDING,
            estimated("rounds", "share of the rounds that end so", "share"),
            estimated("ender", "points added to who ended it", name="ender"),
            estimated("others", _OTHERS, name="others"),
            N,
        ),
        bars("strategy", "share of the rounds, %", "how"),
    )


def _finding(data: ReportData, table: pl.DataFrame, players: int) -> Finding:
    rows = table.filter(pl.col("players") == players, pl.col("turns_n") >= FEW)
    if rows.is_empty():
        text = f"Endings, {players} players: too few rounds ended."
        return Finding(text, "open", "endings")
    several = rows.sort("estimate", descending=True).rows(named=True)
    often = listed([f"{share(row)} {row['how']}" for row in several])
    chosen = [row for row in several if row["by"].startswith(("end", "oni"))]
    profit = "".join(f" {_told(row)}." for row in chosen)
    wins = data.leading("last ender wins", players=players).to_dicts()
    last = (
        f" Who ends the last round wins {share(wins[0])} of the games "
        f"(even: {percent(1 / players)})."
        if wins
        else ""
    )
    open_ = any(row["verdict"] == "undecided" for row in chosen)
    text = f"Endings, {players} players, {data.who}: {often}.{profit}{last}"
    return Finding(text, "open" if open_ else "sure", "endings")


def _told(row: Row) -> str:
    """What it brings to declare, or to play the Onifuda, in words."""
    said = {
        "profits": "profits: the others are added more, by",
        "pays": "pays: he is added more than the others, whose lead is",
        "within": "comes out even with the others, within a point:",
        "undecided": "comes out, undecided whether within a point of the others, at",
    }
    who = f"Who {row['how'].replace('declared', 'declares')}"
    who = "Who plays the Onifuda" if row["by"] == "oni" else who
    return f"{who} {said[row['verdict']]} {number(row, 'ahead')} points"


SECTION = ReportSection(section, MEASURES, counts=counts)
