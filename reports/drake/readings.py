"""What each other reading of the rule texts does to the Virtues."""

import polars as pl

from reports.drake.labels import VIRTUE
from reports.drake.rule_sweeps import other_readings, rule_sweeps
from reports.figure_specs import dots
from reports.formatting import (
    PLAYERS,
    STRATEGY,
    N,
    Row,
    estimated,
    exhibit,
    join,
    join_words,
    points,
    renamed,
    signed_points,
)
from reports.game_report import ReportSection, SectionParts, WhatIfs
from reports.report_data import SINGLE, ReportData
from reports.report_document import Column, Exhibit, Finding
from reports.scorecard.line_statistics import ROLE_WINS
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import judge

_LARGE = 0.05
"""A reading that moves a Virtue by more than 5 points has to be settled first."""
_READING = Column("reading", "reading", "what is read otherwise, all else equal")
_MORE = estimated("change", "share under it less that in force", "points", "more")
_KEYS = ("strategy", "players", "virtue")
_Z = 1.96


def section(data: ReportData) -> SectionParts:
    """Yield shares of the Virtues under each other reading, less those in force."""
    rows = changes(data)
    yield (
        "What the rule texts leave open is read in one way (V1 to V10 in the sources). "
        "Each other reading is played alone, with the same strategy in every seat and "
        "games of its own. V7, V9 and V10 have no other reading. Where an action may "
        "be passed (V5), a Maiden and a Knight can be left in play, and then only "
        "Treasures can be played."
    )
    yield from _exhibits(data, rows)
    yield from _findings(data, rows)


def changes(data: ReportData) -> pl.DataFrame:
    """Return a row per reading, strategy, players and Virtue: shares, the change."""
    design = [
        {**reading.values, "changes": reading.key}
        for reading in rule_sweeps(data.rules)
        if reading.sweep == "readings" and not reading.strategies
    ]
    if not design:
        return pl.DataFrame()
    strategy = pl.col("lineup").str.split(" (").list.first().alias("strategy")
    every = data.of(ROLE_WINS).with_columns(strategy)
    rows = every.filter(kind="beside")
    rows = pl.DataFrame(design).join(rows, on="changes", maintain_order="left_right")
    base = renamed(every.filter(pl.col("kind").is_in(SINGLE)), _KEYS, "base")
    more, error = pl.col("more"), _Z * pl.col("more_se")
    rows = join(rows, base, _KEYS).with_columns(
        more=pl.col("estimate") - pl.col("base"),
        more_se=(pl.col("se") ** 2 + pl.col("base_se") ** 2).sqrt(),
    )
    return rows.with_columns(more_low=more - error, more_high=more + error)


def _exhibits(data: ReportData, rows: pl.DataFrame) -> list[Exhibit]:
    if rows.is_empty():
        return []
    shown = (pl.col("players") == data.players) & (pl.col("strategy") == data.lead)
    return [
        exhibit(
            "readings-change",
            "What each reading does to the Virtues",
            f"The figure shows {data.players} players, {data.who}. n: games under the "
            "reading.",
            rows,
            (
                _READING,
                STRATEGY,
                PLAYERS,
                VIRTUE,
                estimated("wins", "games that it wins under the reading", "share"),
                estimated("in force", "under the rules in force", "share", "base"),
                _MORE,
                N,
            ),
            dots(
                "reading",
                "change of its share, %",
                "more",
                by="virtue",
                reference=0,
                only=shown,
            ),
        )
    ]


def _findings(data: ReportData, rows: pl.DataFrame) -> tuple[Finding, ...]:
    if rows.is_empty():
        return ()
    own = rows.filter(strategy=data.lead)
    return tuple(
        _finding(data, own.filter(players=players), rows)
        for players in own["players"].unique().sort()
    )


def _finding(data: ReportData, own: pl.DataFrame, rows: pl.DataFrame) -> Finding:
    """Say which readings move a Virtue most, with one number of players."""
    verdicts = judge(own["more"], own["more_se"], -_LARGE, _LARGE)
    largest = (
        simultaneous_intervals(own, "more")
        .filter(pl.Series(verdicts) == "outside")
        .sort(pl.col("more").abs(), descending=True)
    )
    largest = largest.unique("reading", keep="first", maintain_order=True)
    texts = [_moved(row, rows) for row in largest.to_dicts()]
    moved = "no reading is shown to move a Virtue by more than 5 points"
    if texts:
        moved = f"settle first: {'; '.join(texts)}"
    players = own["players"][0]
    text = f"Readings, {players} players, {data.who}: {moved}."
    return Finding(text, "" if texts else "open", "readings")


def _moved(row: Row, rows: pl.DataFrame) -> str:
    """Say what a reading does to a Virtue, with other strategies too."""
    same = {name: row[name] for name in ("reading", "players", "virtue")}
    other = rows.filter(pl.col("strategy") != row["strategy"], **same)
    words = [f"{o['strategy']} {signed_points(o['more'])}" for o in other.to_dicts()]
    whom = f", by other strategies {join_words(words)}" if words else ""
    change = f"{row['virtue']} {points(row, 'more')} points"
    return f"{row['reading']} ({change}{whom})"


SECTION = ReportSection(
    section,
    id="readings",
    title="Readings of the rules",
    question="Which open readings of the rules move the Virtues, and how far?",
    what_ifs=(WhatIfs(other_rules=other_readings),),
)
