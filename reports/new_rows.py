"""Rows that a variant adds (a square, a card, an action): what became of each.

Every new row has a finding, from declared data alone: the measures that have a group
of its name are told, each beside the other rows of the same group.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from reports.formatting import exhibit
from reports.page import Column, Finding, Section
from reports.report_data import ReportData

ID = "new-rows"
_FIRST = 3  # measures that the finding tells; the table has all
_BESIDE = {"strategy", "decision"}  # groups that may stand beside a row's name
_SCHEMA = {
    "row": pl.String,
    "measure": pl.String,
    "doc": pl.String,
    "share": pl.Boolean,
    **dict.fromkeys(("estimate", "low", "high"), pl.Float64),
    **dict.fromkeys(("n", "rank", "among"), pl.Int64),
}


def section(data: ReportData, added: Sequence[tuple[str, str]]) -> Section | None:
    """Of each new row (its id, and the sentence that tells it) what was counted.

    None where nothing was added.
    """
    if not added:
        return None
    rows = [row for name, _ in added for row in _told(data, name)]
    table = pl.DataFrame(rows, _SCHEMA, orient="row")
    shown = table.with_columns(
        number=_printed(table),
        place=pl.format("{} of {}", "rank", "among"),
    )
    columns = (
        Column("row", "new", "the row that the variant adds"),
        Column("measure", "measure", "what is counted"),
        Column("doc", "meaning", "of the measure"),
        Column("number", "number", "with its 95 % interval"),
        Column("place", "place", "from the greatest, of all rows of this group"),
        Column("n", "n", "counted", "count"),
    )
    findings = tuple(_finding(name, words, table) for name, words in added)
    one = exhibit(
        "new-rows-numbers",
        "What was counted of each",
        "Every measure of the report that tells rows apart.",
        shown,
        columns,
    )
    words = f"{data.players} players, {data.who}."
    return Section(ID, "New in this variant", words, (one,), findings)


def _told(data: ReportData, name: str) -> Iterator[dict[str, object]]:
    """A row a measure that has a group of this name."""
    every = sorted(data.measures.values(), key=lambda one: "strategy" in one.by)
    for measure in every:
        groups = [group for group in measure.by if group not in _BESIDE]
        if len(groups) != 1:
            continue
        rows = data.leading(measure.name, players=data.players).drop_nulls("estimate")
        [group] = groups
        mine = rows.filter(pl.col(group).cast(pl.String) == name)
        for one in mine.rows(named=True):
            same = [part for part in measure.by if part in _BESIDE]
            alike = rows.filter(*(pl.col(part) == one[part] for part in same))
            more = ", ".join(str(one[part]) for part in same if part == "decision")
            yield {
                "row": name,
                "measure": f"{measure.name}, {more}" if more else measure.name,
                "doc": measure.doc,
                "share": measure.share,
                "estimate": one["estimate"],
                "low": one["low"],
                "high": one["high"],
                "n": int(one["n"] or 0),
                "rank": 1 + (alike["estimate"] > one["estimate"]).sum(),
                "among": alike.height,
            }


def _printed(table: pl.DataFrame) -> pl.Series:
    return pl.Series([_number(row) for row in table.rows(named=True)], dtype=pl.String)


def _number(row: dict[str, object]) -> str:
    """A number with its interval, a share as percent."""
    share = row["share"]
    ends = [
        f"{(100 if share else 1) * value:.{1 if share else 2}f}"
        for name in ("estimate", "low", "high")
        if isinstance(value := row[name], float)
    ]
    interval = f" [{', '.join(ends[1:])}]" if len(ends) == 3 else ""
    return f"{ends[0]}{' %' if share else ''}{interval}"


def _finding(name: str, words: str, table: pl.DataFrame) -> Finding:
    """What is told of a new row; that nothing was counted of it, where that is so."""
    part = table.filter(row=name)
    if part.is_empty():
        return Finding(f"{words} Nobody met it in these games.", "open", ID)
    parts = [
        f"{row['measure']} {_number(row)}, {row['rank']} of {row['among']}"
        for row in part.head(_FIRST).rows(named=True)
    ]
    return Finding(f"{words} {'; '.join(parts)}.", "", ID)
