"""Tables of the leading strategy, with the rows of search players below its own.

In full reports a section is made twice: for the leading strategy, and for the tables
with search players as if nothing else had been played. Both have the same tables. So
each row of the first is followed by the matching row of the second, with the names of
the numbers shown to differ, and the section gets a finding about them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np
import polars as pl

from reports.formatting import Z, join_words, number, points, share, subtract
from reports.game_report import ReportSection
from reports.report_data import ReportData
from reports.report_document import Column, Exhibit, Finding, Section
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import judge, label
from reports.verdicts import how_tested

SHARE, POINTS, TENTH = 0.05, 0.01, 0.1
"""Tolerances: 5 points for shares, 1 point for win shares, and for other numbers a
tenth of the leading strategy's."""
_LIMITS = "5 points of a share, 1 point of win share, else a tenth"
_WHO = ("strategy", "lineup")
"""Columns that say who plays."""
_PLAYED = Column("played", "played by", "who plays, in every seat")
_PARTS = Column(
    "parts",
    "differs in",
    "numbers shown to differ from those of the leading strategy, by over "
    f"{_LIMITS}; Holm over those of the section, 95 %",
)
_WAYS = {
    ("search",): "everyone at the table searches",
    ("search", "paired"): "one seat searches, in games played twice",
}
"""Kinds of cells with search players, and how they sit: later kinds are used for
tables that earlier ones do not fill."""
_FORMATS = {"share": share, "points": points, "number": number}
_IN_FINDING = 4  # numbers that differ
_NUMBERS = {
    "style": pl.String,
    "what": pl.String,
    "at": pl.Int64,
    "title": pl.String,
    **{
        f"{who}{end}": pl.Float64
        for who in ("lead", "search")
        for end in ("", "_low", "_high", "_se")
    },
    "table": pl.String,
    "where": pl.String,
}
"""Columns of a number that both tables have: its style, meaning, row and heading, its
values, and the table's id and title."""


def with_search(section: ReportSection, data: ReportData) -> Section:
    """Return the section of the leading strategy, with the rows of search players.

    If that fails, the section shows the error.
    """
    shown = section.of(data, keeps=True)
    for kinds, words in _WAYS.items():
        try:
            search = search_report(data, kinds)
            if search is not None:
                shown = _beneath(shown, section.of(search), data.lead, search, words)
        except Exception as error:
            shown = shown.broken(error)
    return shown


def _beneath(
    shown: Section, other: Section, lead: str, search: ReportData, words: str
) -> Section:
    """Return a section with the rows of another below its own, and what differs."""
    others = {exhibit.id: exhibit.table for exhibit in other.exhibits}
    pairs: dict[str, _Both] = {
        exhibit.id: both
        for exhibit in shown.exhibits
        if exhibit.id in others
        and _PARTS not in exhibit.columns
        and (both := _both(exhibit, others[exhibit.id], lead, search.lead, words))
    }
    parts = [both.numbers() for both in pairs.values()]
    numbers = pl.concat(parts) if parts else pl.DataFrame(schema=_NUMBERS)
    if numbers.is_empty():
        return shown
    numbers = _judged(numbers)
    changed = {
        name: pairs[name].exhibit(numbers.filter(table=name))
        for name in numbers["table"].unique(maintain_order=True)
    }
    exhibits = tuple(changed.get(exhibit.id, exhibit) for exhibit in shown.exhibits)
    finding = _finding(shown.title, numbers, lead, search, words)
    finding = replace(finding, section=shown.id)
    return replace(shown, exhibits=exhibits, findings=(*shown.findings, finding))


def search_report(data: ReportData, kinds: Sequence[str]) -> ReportData | None:
    """Return the tables with search players as separate data, of these kinds of cells.

    The lineups in which everyone searches lead. None if a kind is missing.
    """
    kind = pl.col("kind")
    tables: list[tuple[pl.DataFrame, pl.DataFrame]] = []
    fewer: dict[int, int] = {}
    for part in data.search_data:
        cells = part.cells.filter(kind.is_in(kinds))
        moved = pl.col("cell").cast(pl.Int32) + 1_000 * len(tables)  # unique numbers
        cells = cells.with_columns(moved)
        fewer |= dict.fromkeys(cells["cell"].to_list(), part.games)
        tables.append((cells, part.sums.with_columns(moved)))
    cells = pl.concat([cells for cells, _ in tables] or [data.cells.clear()])
    if not set(kinds) <= set(cells["kind"]):
        return None
    leads = pl.when(kind == "search").then(pl.lit("self")).otherwise(kind)
    return replace(
        data,
        sums=pl.concat([sums for _, sums in tables], how="diagonal_relaxed"),
        cells=cells.with_columns(leads.alias("kind")),
        games=max(fewer.values()),
        cell_games=fewer,
        outcome_games={},
        looks={},
        lead=cells.filter(kind == "search")["lineup"][0],
        search_data=(),
        story={},
        continuation=None,
    )


@dataclass(frozen=True)
class _Both:
    """A table of the leading strategy, and the rows of search players.

    rows: ``at`` is the place of the matching row in the table, or null. keys: the
    columns that say what a row is about. who: the column that says who plays, or "".
    words: how the search players sit.
    """

    mine: Exhibit
    rows: pl.DataFrame
    keys: Sequence[str]
    who: str
    lead: str
    search: str
    words: str

    def numbers(self) -> pl.DataFrame:
        """Return a row for each number that both have, with intervals."""
        numbers = []
        for row in self.rows.drop_nulls("at").to_dicts():
            own = self.mine.table.row(row["at"], named=True)
            of = ", ".join(_named(self.mine, own, key) for key in self.keys)
            for column in _estimates(self.mine):
                lead, search = _ends(own, column), _ends(row, column)
                if lead is None or search is None:
                    continue
                what = ": ".join(filter(None, [column.title, of]))
                about = (column.style, what, row["at"], column.title)
                numbers.append((*about, *lead, *search))
        schema = {name: _NUMBERS[name] for name in [*_NUMBERS][:-2]}
        rows = pl.DataFrame(numbers, schema, orient="row")
        table, where = pl.lit(self.mine.id), pl.lit(self.mine.title)
        return rows.with_columns(table=table, where=where)

    def exhibit(self, numbers: pl.DataFrame) -> Exhibit:
        """Return the exhibit with both; ``numbers`` are its own, with verdicts."""
        mine, columns = self.mine, [*self.mine.columns]
        differing = numbers.filter(verdict="outside").group_by(
            "at", maintain_order=True
        )
        parts = differing.agg(parts=pl.col("title").str.join(", "))
        below = self.rows.join(parts, on="at", how="left", maintain_order="left")
        above = mine.table.with_row_index("at").cast({"at": pl.Int64})
        who = self.who or _PLAYED.name
        if not self.who:
            above = above.with_columns(pl.lit(self.lead).alias(who))
            columns.insert(len(self.keys), _PLAYED)
        columns.insert(len(self.keys) + 1, _PARTS)
        below = below.with_columns(pl.lit(self.search).alias(who))
        rows = pl.concat([above, below], how="diagonal_relaxed")
        rows = rows.sort("at", nulls_last=True, maintain_order=True).drop("at")
        figure = f" The figure leaves out {self.search}." if mine.figure else ""
        return replace(
            mine,
            note=f"{mine.note} {self.search}: {self.words}.{figure}",
            table=rows.with_columns(pl.col("parts").fill_null("")),
            columns=tuple(columns),
        )


def _both(
    mine: Exhibit, other: pl.DataFrame, lead: str, search: str, words: str
) -> _Both | None:
    """Match the rows of both; None if search has none, or the keys are not unique."""
    names = [column.name for column in mine.columns]
    who = next((name for name in _WHO if name in names), "")
    left = takewhile(lambda column: column.style in ("text", "count"), mine.columns)
    keys = [column.name for column in left if column.name != who]
    table = mine.table.with_row_index("at").cast({"at": pl.Int64})
    if who and search in table[who]:
        return None  # the table has search players already
    if who:
        table, other = table.filter(**{who: lead}), other.filter(**{who: search})
    if other.is_empty() or not _estimates(mine):
        return None
    for rows in (table, other):
        if rows.height > 1 and (not keys or rows.select(keys).is_duplicated().any()):
            return None
    places = table.select(*keys, "at", same=pl.lit(0))
    rows = other.with_columns(same=pl.lit(0)).join(
        places, on=[*keys, "same"], how="left", nulls_equal=True, maintain_order="left"
    )
    return _Both(mine, rows.drop("same"), keys, who, lead, search, words)


def _estimates(exhibit: Exhibit) -> list[Column]:
    """Return the columns with an interval."""
    return [column for column in exhibit.columns if column.low]


def _named(exhibit: Exhibit, row: dict[str, Any], key: str) -> str:
    """Return the value of a key in words: numbers with the heading of their column."""
    [column] = [column for column in exhibit.columns if column.name == key]
    return str(row[key]) if column.style == "text" else f"{column.title} {row[key]}"


def _ends(row: dict[str, Any], column: Column) -> tuple[float, ...] | None:
    """Return a number, its interval, and a standard error from the longer half of it.

    None without an interval, or without a width (as in games that are all alike).
    """
    names = filter(None, (column.name, column.low, column.high))
    value, low, high = (row[name] for name in names)
    if None in (value, low, high) or not np.isfinite([value, low, high]).all():
        return None
    se = max(high - value, value - low) / Z
    return (value, low, high, se) if se > 0 else None


def _judged(numbers: pl.DataFrame) -> pl.DataFrame:
    """Add ``more`` (search less the leading strategy) and its ``verdict``."""
    rows = subtract(numbers, "search", "lead", "more")
    allowed = (
        pl.when(style="share")
        .then(SHARE)
        .when(style="points")
        .then(POINTS)
        .otherwise(TENTH * pl.col("lead").abs())
    )
    rows = rows.with_columns(allowed=allowed)
    tolerance = rows["allowed"]
    verdicts = judge(rows["more"], rows["more_se"], -tolerance, tolerance)
    return rows.with_columns(verdict=pl.Series(verdicts, dtype=pl.String))


def _finding(
    title: str, numbers: pl.DataFrame, lead: str, search: ReportData, words: str
) -> Finding:
    """Return a finding on how many numbers of a section differ, with the clearest."""
    verdicts: Sequence[str] = numbers["verdict"].to_list()
    texts = [*_clearest(numbers, lead, search.lead)]
    clearest = f", most clearly {join_words(texts)}" if texts else ""
    return Finding(
        f"{title}, {search.lead} ({words}) compared with {lead}: of {len(verdicts):,} "
        f"numbers in the tables, {verdicts.count('outside'):,} are shown to differ"
        f"{clearest}; {verdicts.count('within'):,} are alike, "
        f"{verdicts.count('undecided'):,} undecided (alike: within {_LIMITS}).",
        label(verdicts),
        tested=how_tested(_LIMITS, "numbers", len(verdicts), search.games),
    )


def _clearest(numbers: pl.DataFrame, lead: str, search: str) -> Iterator[str]:
    """Yield the numbers that differ most clearly, with simultaneous intervals."""
    wide = simultaneous_intervals(simultaneous_intervals(numbers, "lead"), "search")
    ends = pl.col("lead_low", "lead_high", "search_low", "search_high")
    shares = pl.when(style="share").then(ends.clip(0, 1)).otherwise(ends)
    wide = wide.with_columns(shares.name.keep()).filter(verdict="outside")
    far = (pl.col("more") / pl.col("more_se")).abs()
    wide = wide.sort(far, descending=True, maintain_order=True)
    # a number may be in several tables
    wide = wide.unique(["lead", "search"], keep="first", maintain_order=True)
    for row in wide.head(_IN_FINDING).to_dicts():
        text = _FORMATS[row["style"]]
        yield (
            f"“{row['where']}”, {row['what']} ({text(row, 'lead')} by {lead}, "
            f"{text(row, 'search')} by {search})"
        )
