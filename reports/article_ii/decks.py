"""Both decks side by side: the leading strategy with the updated and the original."""

import polars as pl

from reports.article_ii import side
from reports.article_ii.formatting import texts
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    Row,
    estimated,
    exhibit,
    listed,
    named,
    percent,
    plus,
    share,
)
from reports.game_report import ReportSection
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, overall, sure

TOLERANCE = 0.02
"""Shares that differ by less than 2 points are much the same."""
_KEYS = ("players", "what")
_Z = 1.96
_INDEPENDENT = (
    "original less updated; interval: the games of the two decks are independent"
)
_SHARES = {
    "a Candidate ahead as the General begins wins": ("won by standing", "standing", 0),
    "rank 1 of the Primary wins": ("won by rank", "rank", 1),
    "rank 2 of the Primary wins": ("won by rank", "rank", 2),
    "Spoilers win": ("ended", "by", "Spoilers"),
    "nobody wins": ("ended", "by", "nobody"),
    "marks on the leader, of marks that hit in the General": ("leader hit", "phase", 2),
}
_COMPARED = Column(
    "verdict",
    "2 points",
    "same: surely less than 2 points apart; differs: surely "
    "more; Holm over the rows of a number of players",
)


def section(data: ReportData) -> Section:
    """Shares, correlations and cards of both decks."""
    rows = _compared(data)
    return Section(
        "decks",
        "Both decks side by side",
        f"With {data.who}, and the same with the other printed deck. The original "
        "deck has no Styles and no Unaffiliated Activity, and more of some cards.",
        (_shares(data, rows), side.correlations(data), side.cards(data)),
        (
            *(_finding(data, rows, players) for players in data.counts),
            *side.tension_finding(data),
        ),
    )


def _compared(data: ReportData) -> pl.DataFrame:
    """A row a share and number of players: both decks, and the difference."""
    decks, parts = side.cells(data), []
    for what, (measure, by, value) in _SHARES.items():
        both = [
            named(
                data.of(measure, only=decks[name])
                .filter(pl.col(by) == value)
                .with_columns(what=pl.lit(what)),
                _KEYS,
                name,
            )
            for name in side.NAMES
        ]
        parts.append(both[0].join(both[1], on=_KEYS, how="inner"))
    rows = _difference(pl.concat(parts))
    values: list[str] = []
    groups = rows.partition_by("players", maintain_order=True)
    for part in groups:
        values += judge(part["more"], part["more_se"], -TOLERANCE, TOLERANCE)
    words = {"within": "same", "outside": "differs", "undecided": "undecided"}
    rows = pl.concat(groups) if groups else rows
    return rows.with_columns(verdict=texts([words[one] for one in values]))


def _difference(rows: pl.DataFrame) -> pl.DataFrame:
    """Original less updated."""
    one, other = side.NAMES
    se = (pl.col(f"{one}_se") ** 2 + pl.col(f"{other}_se") ** 2).sqrt()
    rows = rows.with_columns(more=pl.col(other) - pl.col(one), more_se=se)
    return rows.with_columns(
        more_low=pl.col("more") - _Z * pl.col("more_se"),
        more_high=pl.col("more") + _Z * pl.col("more_se"),
        where=pl.format("{}, {} players", "what", "players"),
        n=pl.min_horizontal(f"{one}_n", f"{other}_n"),
    ).sort("players", maintain_order=True)


def _shares(data: ReportData, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "decks-shares",
        "What differs between the decks",
        f"Shares of all games where nothing else is said. The figure shows "
        f"{data.players} players.",
        rows,
        (
            PLAYERS,
            Column("what", "what", "what is counted"),
            *(
                estimated(name, f"with the {name} deck", "share", name)
                for name in side.NAMES
            ),
            estimated("difference", "original less updated", "points", "more"),
            _COMPARED,
            Column("n", "n", "count behind the share of the deck with fewer", "count"),
        ),
        dots(
            "what",
            "original less updated, %",
            "more",
            reference=0,
            only=pl.col("players") == data.players,
        ),
        _INDEPENDENT,
    )


def _finding(data: ReportData, rows: pl.DataFrame, players: int) -> Finding:
    part = rows.filter(players=players)
    if part.is_empty():
        text = f"Decks, {players} players: the other deck was not played."
        return Finding(text, "open", "decks")
    several = part.rows(named=True)
    apart = [_said(row) for row in several if row["verdict"] == "differs"]
    open_ = sum(row["verdict"] == "undecided" for row in several)
    same = sum(row["verdict"] == "same" for row in several)
    text = f"Decks, {players} players, {data.who}: "
    text += (
        f"the original deck surely differs by more than 2 points in {listed(apart)}; "
        if apart
        else "nothing surely differs by more than 2 points; "
    )
    text += f"of {len(several)} shares {same} are the same, {open_} undecided."
    verdict = "outside" if apart else overall(["undecided"] if open_ else ["within"])
    return Finding(text, sure(verdict), "decks")


def _said(row: Row) -> str:
    return (
        f"{row['what']} ({share(row, 'original')} against "
        f"{percent(row['updated'])}: {plus(row['more'])} points)"
    )


SECTION = ReportSection(section)
