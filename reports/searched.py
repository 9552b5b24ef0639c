"""The same numbers where everybody searches, beside those of the leading strategy."""

from collections.abc import Mapping

import polars as pl

from reports.drawing import dots
from reports.formatting import Row, estimated, joined, less, listed, named
from reports.game_report import Parts
from reports.page import Column, Finding
from reports.parting import parted
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, label
from reports.tabled import Number, Table
from reports.verdicts import how_tested

_KEYS = ("what",)
_SAID = {"outside": "parts", "within": "alike"}


def searched(
    data: ReportData, name: str, title: str, tolerances: Mapping[str, float]
) -> Parts:
    """A table and a finding of these measures, which have no groups; none unsearched.

    ``tolerances``: by how much each may differ and still be alike.
    """
    here = pl.col("players") == data.players
    searches = (pl.col("kind") == "search") & here
    told = [one for one in data.searched if one.cells.filter(searches).height]
    if not told:
        return
    lead, search = (
        pl.concat(
            [
                of.of(measure, only=only).with_columns(what=pl.lit(measure))
                for measure in tolerances
            ]
        )
        for of, only in (
            (data, data.leads(data.players)),
            (told[0], searches),
        )
    )
    rows = joined(
        named(lead, _KEYS, "lead"), named(search, _KEYS, "search"), _KEYS
    ).drop_nulls(["lead_se", "search_se"])
    if rows.is_empty():
        return
    rows = less(rows, "search", "lead", "more")
    most = [tolerances[what] for what in rows["what"]]
    verdicts = judge(rows["more"], rows["more_se"], [-one for one in most], most)
    rows = rows.with_columns(
        what=pl.col("what").str.split(": ").list.last(),
        verdict=pl.Series([_SAID.get(one, one) for one in verdicts], dtype=pl.String),
    )
    yield Table(
        name,
        title,
        f"{data.players} players: {data.who}, and a table at which everybody searches. "
        f"They part where they surely differ by more than {_limits(tolerances)}; Holm "
        "over the rows.",
        (
            Column("what", "what", "name of the number"),
            estimated(data.lead, "by the leading strategy", name="lead"),
            estimated("search", "where everybody searches", name="search"),
            estimated("difference", "search less the leading one", name="more"),
            Column("verdict", "verdict", "alike, parts or undecided"),
        ),
        rows=rows,
        n=Column("search_n", "n", "count behind the numbers of search", "count"),
    )
    parts = [
        f"{row['what']} ({_told(row, 'lead')} by {data.lead}, "
        f"{_told(row, 'search')} by search)"
        for row, verdict in zip(rows.rows(named=True), verdicts, strict=True)
        if verdict == "outside"
    ]
    undecided = verdicts.count("undecided")
    yield Finding(
        f"{title}, {data.players} players: "
        + (f"they part in {listed(parts)}" if parts else "nowhere do they surely part")
        + f" (undecided: {undecided} of {len(verdicts)} numbers).",
        label(verdicts),
        tested=how_tested(
            "the tolerances named", "numbers", len(verdicts), told[0].games
        ),
    )


def one_searches(
    data: ReportData, measure: str, name: str, title: str, tolerance: float
) -> Parts:
    """A measure of decisions tried: of one who searches, beside the leading strategy.

    And where they surely differ by over ``tolerance``. Nothing where none was tried.
    """
    here, by = pl.col("players") == data.players, data.measure(measure).by
    among = (pl.col("kind") == "one") & here
    parts = [one.of(measure, only=among) for one in data.searched]
    if not any(part.height for part in parts):
        return
    each = pl.concat_str(pl.col(by).cast(pl.String), separator=", ")
    words = each if by else pl.lit(measure)
    rows = pl.concat([data.leading(measure, players=data.players), *parts])
    rows = rows.with_columns(strategy="lineup", what=words).sort(
        pl.col("lineup") != data.lead, "what", maintain_order=True
    )
    tried = Column("what", "what", "what is tried")
    yield Table(
        name,
        title,
        f"{data.players} players: of {data.who}, and of one who searches among these: "
        f"his own decisions are tried, and played on as {data.lead} plays.",
        ("strategy", tried, Number(measure, "worth")),
        rows=rows,
        draw=dots("what", "change of the win share, %", by="strategy", reference=0),
    )
    yield from parted(rows, "what", data, tolerance, title)


def _limits(tolerances: Mapping[str, float]) -> str:
    """The tolerances in words, the smallest first."""
    found: dict[float, list[str]] = {}
    for measure, most in sorted(tolerances.items(), key=lambda one: one[1]):
        found.setdefault(most, []).append(measure.rpartition(": ")[2])
    return "; ".join(f"{most:g} ({', '.join(names)})" for most, names in found.items())


def _told(row: Row, name: str) -> str:
    return f"{row[name]:.2f} [{row[f'{name}_low']:.2f}, {row[f'{name}_high']:.2f}]"
