"""Rows that a variant adds (a square, a card, an action): what was counted for each.

Every new row has a finding, made from declared data alone: the measures with a group of
its name, each compared with the other rows of that group.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from reports.formatting import exhibit
from reports.report_data import ReportData
from reports.report_document import Column, Finding, Section

ID = "new-rows"
_IN_FINDING = 3  # measures; the table has all
_OTHER_GROUPS = {"strategy", "decision"}  # that a measure by row may have, too
_SCHEMA = {
    "row": pl.String,
    "measure": pl.String,
    "doc": pl.String,
    "share": pl.Boolean,
    **dict.fromkeys(("estimate", "low", "high"), pl.Float64),
    **dict.fromkeys(("n", "rank", "among"), pl.Int64),
}


def section(data: ReportData, added: Sequence[tuple[str, str]]) -> Section | None:
    """Return the section on new rows (id, sentence on it); None if there are none."""
    if not added:
        return None
    rows = [row for name, _ in added for row in _numbers(data, name)]
    table = pl.DataFrame(rows, _SCHEMA, orient="row")
    printed = [_number(row) for row in table.to_dicts()]
    shown = table.with_columns(
        number=pl.Series(printed, dtype=pl.String),
        place=pl.format("{} of {}", "rank", "among"),
    )
    columns = (
        Column("row", "new", "the row that the variant adds"),
        Column("measure", "measure", "what is counted"),
        Column("doc", "meaning", "meaning of the measure"),
        Column("number", "number", "with its 95 % interval"),
        Column("place", "place", "from the greatest, of all rows of this group"),
        Column("n", "n", "counted", "count"),
    )
    findings = tuple(_finding(name, words, table) for name, words in added)
    numbers = exhibit(
        "new-rows-numbers",
        "What was counted for each",
        "Every measure of the report that distinguishes rows.",
        shown,
        columns,
    )
    words = f"{data.players} players, {data.who}."
    return Section(ID, "New in this variant", words, (numbers,), findings)


def _numbers(data: ReportData, name: str) -> Iterator[dict[str, object]]:
    """Yield a row for each measure that has a group of this name."""
    for measure in sorted(data.measures.values(), key=lambda m: "strategy" in m.by):
        groups = [group for group in measure.by if group not in _OTHER_GROUPS]
        if len(groups) != 1:
            continue
        rows = data.leading(measure.name, players=data.players).drop_nulls("estimate")
        [group] = groups
        own = rows.filter(pl.col(group).cast(pl.String) == name)
        for row in own.to_dicts():
            same = [part for part in measure.by if part in _OTHER_GROUPS]
            peers = rows.filter(*(pl.col(part) == row[part] for part in same))
            more = ", ".join(str(row[part]) for part in same if part == "decision")
            yield {
                "row": name,
                "measure": f"{measure.name}, {more}" if more else measure.name,
                "doc": measure.doc,
                "share": measure.share,
                "estimate": row["estimate"],
                "low": row["low"],
                "high": row["high"],
                "n": int(row["n"] or 0),
                "rank": 1 + (peers["estimate"] > row["estimate"]).sum(),
                "among": peers.height,
            }


def _number(row: dict[str, object]) -> str:
    """Format a number with its interval, a share in percent."""
    share = row["share"]
    ends = [
        f"{(100 if share else 1) * value:.{1 if share else 2}f}"
        for name in ("estimate", "low", "high")
        if isinstance(value := row[name], float)
    ]
    interval = f" [{', '.join(ends[1:])}]" if len(ends) == 3 else ""
    return f"{ends[0]}{' %' if share else ''}{interval}"


def _finding(name: str, words: str, table: pl.DataFrame) -> Finding:
    """Return the finding about a new row, which may be that it never occurred."""
    part = table.filter(row=name)
    if part.is_empty():
        return Finding(f"{words} Nobody came across it in these games.", "open", ID)
    parts = [
        f"{row['measure']} {_number(row)}, {row['rank']} of {row['among']}"
        for row in part.head(_IN_FINDING).to_dicts()
    ]
    return Finding(f"{words} {'; '.join(parts)}.", "", ID)
