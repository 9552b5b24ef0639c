"""Readings: what each other reading of the rule texts does to the Virtues."""

import polars as pl

from reports.drake.design import tried
from reports.drake.formatting import VIRTUE
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    points,
)
from reports.game_report import ReportSection
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import PAIRED, ReportData
from reports.statistics.equivalence import judge

_LARGE = 0.05
"""A reading that moves a Virtue by more than 5 points has to be settled first."""
_READING = Column("reading", "reading", "what is read otherwise, all else the same")
_MORE = estimated(
    "change", "share under this reading less that in force", "points", "more"
)


def section(data: ReportData) -> Section:
    """Shares of the Virtues under each other reading, less those in force."""
    rows = changes(data)
    return Section(
        "readings",
        "Readings of the rules",
        f"With {data.who}. What the rule texts leave open is read in one way (V1 to "
        "V10 in the sources). Each other reading is played alone, with games of its "
        "own. V7, V9 and V10 have no other reading.",
        tuple(_exhibits(data, rows)),
        _findings(data, rows),
    )


def changes(data: ReportData) -> pl.DataFrame:
    """A row a reading, number of players and Virtue: both shares, and the change."""
    design = [
        {**one.values, "changes": one.key}
        for one in tried(data.rules)
        if one.sweep == "readings"
    ]
    rows = data.of("virtue wins", only=pl.col("kind") == "beside")
    rows = pl.DataFrame(design).join(rows, on="changes", maintain_order="left_right")
    keys = ("players", "virtue")
    base = named(data.of("virtue wins", only=data.leads() & ~PAIRED), keys, "base")
    rows = joined(rows, base, keys).with_columns(
        more=pl.col("estimate") - pl.col("base")
    )
    error = (pl.col("se") ** 2 + pl.col("base_se") ** 2).sqrt()
    rows = rows.with_columns(more_se=error)
    return rows.with_columns(
        more_low=pl.col("more") - 1.96 * pl.col("more_se"),
        more_high=pl.col("more") + 1.96 * pl.col("more_se"),
    )


def _exhibits(data: ReportData, rows: pl.DataFrame) -> list[Exhibit]:
    if rows.is_empty():
        return []
    only = pl.col("players") == data.players
    return [
        exhibit(
            "readings-change",
            "What each reading does to the Virtues",
            f"The figure shows {data.players} players. n: games under this reading.",
            rows,
            (
                _READING,
                PLAYERS,
                VIRTUE,
                estimated("wins", "games that it wins under the reading", "share"),
                estimated("in force", "the same as rules are", "share", "base"),
                _MORE,
                N,
            ),
            dots("reading", "change of its share, %", "more", by="virtue", reference=0,
                 only=only),
        )
    ]  # fmt: skip


def _findings(data: ReportData, rows: pl.DataFrame) -> tuple[Finding, ...]:
    found = []
    for players in rows["players"].unique().sort():
        here = rows.filter(players=players)
        verdicts = judge(here["more"], here["more_se"], -_LARGE, _LARGE)
        large = here.filter(pl.Series(verdicts) == "outside")
        most = large.sort(pl.col("more").abs(), descending=True)
        most = most.unique("reading", keep="first", maintain_order=True)
        texts = [
            f"{row['reading']}: {row['virtue']} {points(row, 'more')} points"
            for row in most.rows(named=True)
        ]
        known = "settle first " if texts else ""
        what = listed(texts) or "no reading surely moves a Virtue by more than 5 points"
        text = f"Readings, {players} players, {data.who}: {known}{what}."
        found.append(Finding(text, "sure" if texts else "open", "readings"))
    return tuple(found)


SECTION = ReportSection(section)
