"""Numbers of tables at which everyone searches, compared with the leading strategy."""

from collections.abc import Mapping

import polars as pl

from reports.formatting import (
    estimated,
    join,
    join_words,
    number,
    renamed,
    subtract,
)
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge, label
from reports.verdicts import how_tested

_KEYS = ("what",)
_WORDS = {"outside": "differs", "within": "alike"}


def search_vs_baseline(
    data: ReportData, name: str, title: str, tolerances: Mapping[str, float]
) -> SectionParts:
    """Yield a table and a finding on measures without groups; nothing without search.

    ``tolerances``: by how much each measure may differ and still be alike.
    """
    here = pl.col("players") == data.players
    searches = (pl.col("kind") == "search") & here
    tables = [part for part in data.search_data if part.cells.filter(searches).height]
    if not tables:
        return
    lead, search = (
        pl.concat(
            [
                of.of(measure, only=only).with_columns(what=pl.lit(measure))
                for measure in tolerances
            ]
        )
        for of, only in ((data, data.leads(data.players)), (tables[0], searches))
    )
    rows = join(
        renamed(lead, _KEYS, "lead"), renamed(search, _KEYS, "search"), _KEYS
    ).drop_nulls(["lead_se", "search_se"])
    if rows.is_empty():
        return
    rows = subtract(rows, "search", "lead", "more")
    limits = [tolerances[what] for what in rows["what"]]
    least = [-limit for limit in limits]
    verdicts = judge(rows["more"], rows["more_se"], least, limits)
    words = [_WORDS.get(verdict, verdict) for verdict in verdicts]
    rows = rows.with_columns(
        what=pl.col("what").str.split(": ").list.last(),
        verdict=pl.Series(words, dtype=pl.String),
    )
    yield MeasureTable(
        name,
        title,
        f"{data.players} players: {data.who}, and a table at which everyone searches. "
        f"Differs: shown to, by more than {_limits(tolerances)}; Holm over the rows.",
        (
            Column("what", "what", "name of the number"),
            estimated(data.lead, "of the leading strategy", name="lead"),
            estimated("search", "if everyone searches", name="search"),
            estimated("difference", "search less the leading one", name="more"),
            Column("verdict", "verdict", "alike, differs or undecided"),
        ),
        rows=rows,
        n=Column("search_n", "n", "count behind the numbers of search", "count"),
    )
    parts = [
        f"{row['what']} ({number(row, 'lead')} by {data.lead}, "
        f"{number(row, 'search')} by search)"
        for row, verdict in zip(rows.to_dicts(), verdicts, strict=True)
        if verdict == "outside"
    ]
    undecided = verdicts.count("undecided")
    none = "no difference is shown" if undecided else "alike in all numbers"
    yield Finding(
        f"{title}, {data.players} players: "
        + (f"they differ in {join_words(parts)}" if parts else none)
        + f" (undecided: {undecided} of {len(verdicts)} numbers).",
        label(verdicts),
        tested=how_tested(
            "the tolerances named", "numbers", len(verdicts), tables[0].games
        ),
    )


def _limits(tolerances: Mapping[str, float]) -> str:
    """Return the tolerances in words, the smallest first."""
    names: dict[float, list[str]] = {}
    for measure, limit in sorted(tolerances.items(), key=lambda item: item[1]):
        names.setdefault(limit, []).append(measure.rpartition(": ")[2])
    return "; ".join(f"{limit:g} ({', '.join(of)})" for limit, of in names.items())
