"""The shares of the four Virtues under each table of cards, and how balanced it is."""

from collections.abc import Sequence

import polars as pl

from reports.drake.labels import EVEN, TOLERANCE, VIRTUES
from reports.drake.rule_sweeps import DETAILED, OF_REGION, OTHERS, REGION, rule_sweeps
from reports.formatting import join, renamed
from reports.measure_tables import Source
from reports.report_data import ReportData
from reports.scorecard.line_statistics import ROLE_WINS
from reports.statistics.equivalence import judge, overall

PLAYED = DETAILED[0]
"""The number of players of most tables."""


def sweep_rows(data: ReportData, sweep: str) -> pl.DataFrame:
    """Return a row per table of a sweep, strategy, players and Virtue; what differs."""
    design = [
        {**table.values, "changes": table.key}
        for table in rule_sweeps(data.rules)
        if table.sweep == sweep
    ]
    if not design:
        return pl.DataFrame()
    strategy = pl.col("lineup").str.split(" (").list.first()
    rows = data.of(ROLE_WINS, only=pl.col("kind") == "beside")
    rows = rows.with_columns(strategy=strategy)
    other = pl.col("strategy").is_in(OTHERS) & (pl.col("strategy") != data.lead)
    rows = rows.filter(other if sweep == "by whom" else ~other)
    return pl.DataFrame(design).join(rows, on="changes", maintain_order="left_right")


def sweep(name: str, *keys: str, where: pl.Expr | bool = True) -> Source:
    """Make a source: the tables of a sweep, by ``keys``, each judged by itself."""

    def rows(data: ReportData) -> pl.DataFrame:
        played = sweep_rows(data, name)
        return judge_tables(played.filter(where) if played.height else played, keys)

    return rows


def judge_tables(rows: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return a row per table: the share of each Virtue, the furthest one, a verdict."""
    if rows.is_empty():
        return rows
    keys, low, high = ("cell", *names), EVEN - TOLERANCE, EVEN + TOLERANCE
    tables = rows.partition_by("cell", maintain_order=True)
    verdicts = [
        overall(judge(table["estimate"], table["se"], low, high, share=True))
        for table in tables
    ]
    distance = (pl.col("estimate") - EVEN).abs()
    wide = rows.group_by(keys, maintain_order=True).agg(
        pl.col("strategy", "players", "n").first(), estimate=distance.max()
    )
    for virtue in VIRTUES:
        wide = join(
            wide, renamed(rows.filter(virtue=virtue), ("cell",), virtue), ["cell"]
        )
    return wide.with_columns(pl.Series("verdict", verdicts, dtype=pl.String))


def region(data: ReportData) -> pl.DataFrame:
    """Return a row per table, of the region and of other sizes, nearest first."""
    played = pl.col("players") == PLAYED
    near = sweep("region", *REGION, where=played)(data)
    if near.is_empty():
        return near
    rest = sweep("sizes", "maidens", "knights", where=played)(data).filter(
        ~pl.col("cell").is_in(near["cell"].implode())
    )
    rest = rest.with_columns(pl.lit("listed").alias(stat) for stat in OF_REGION)
    return pl.concat([near, rest.select(near.columns)]).sort(
        "estimate", maintain_order=True
    )
