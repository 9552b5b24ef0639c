"""Tables of the leading strategy, with the rows of those who search beneath its own.

In full reports a section is made twice: of the leading strategy, and of the tables at
which somebody searches as if they were all that was played. Both have the same tables.
So beneath a row of the first stands the same row of the second, with the names of the
numbers that surely part, and the section has a sentence about them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import numpy as np
import polars as pl

from reports.formatting import Z, less, listed, number, points, share
from reports.game_report import ReportSection
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.statistics.equivalence import judge, label
from reports.verdicts import how_tested

SHARE, POINTS, TENTH = 0.05, 0.01, 0.1
"""Shares that differ by 5 points, win shares by 1 point, other numbers by a tenth of
that of the leading strategy: what differs by no more is alike."""
_LIMITS = "5 points of a share, 1 point of win share, else a tenth"
_WHO = ("strategy", "lineup")
"""Columns that say who plays."""
_PLAYED = Column("played", "played by", "who plays, in every seat")
_PARTS = Column(
    "parts",
    "parts in",
    "numbers that surely differ from those of the leading strategy, by over "
    f"{_LIMITS}; Holm over those of the section, 95 %",
)
_WAYS = {
    ("search",): "everybody at the table searches",
    ("search", "paired"): "one seat searches, in games that are played twice",
}
"""Kinds of cells of searchers, and how they sit there: those of a later way are asked
where an earlier one tells nothing."""
_WORDS = {"share": share, "points": points, "number": number}
_SHOWN = 4
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
"""A number told of both: its style, what it is, the row, its heading, the table by id
and title."""


def with_search(section: ReportSection, data: ReportData) -> Section:
    """The section of the leading strategy, with the rows of those who search.

    What fails is told in it.
    """
    shown = section.of(data, keeps=True)
    for kinds, words in _WAYS.items():
        try:
            search = searching(data, kinds)
            if search is not None:
                shown = _beneath(shown, section.of(search), data.lead, search, words)
        except Exception as error:
            shown = shown.broken(error)
    return shown


def _beneath(
    shown: Section, other: Section, lead: str, search: ReportData, words: str
) -> Section:
    """A section with the rows of another beneath its own, and what parts."""
    others = {one.id: one.table for one in other.exhibits}
    asked = [one for one in shown.exhibits if one.id in others]
    asked = [one for one in asked if _PARTS not in one.columns]
    found = (_both(one, others[one.id], lead, search.lead, words) for one in asked)
    every = {both.mine.id: both for both in found if both is not None}
    parts = [both.numbers() for both in every.values()]
    numbers = pl.concat(parts) if parts else pl.DataFrame(schema=_NUMBERS)
    if numbers.is_empty():
        return shown
    numbers = _judged(numbers)
    told = set(numbers["table"])
    exhibits = tuple(
        every[one.id].exhibit(numbers.filter(table=one.id)) if one.id in told else one
        for one in shown.exhibits
    )
    said = replace(_said(shown.title, numbers, lead, search, words), section=shown.id)
    return replace(shown, exhibits=exhibits, findings=(*shown.findings, said))


def searching(data: ReportData, kinds: Sequence[str]) -> ReportData | None:
    """The tables with searchers as a report of their own, of some ``kinds`` of cells.

    Those at which everybody searches lead it. None where a kind is lacking.
    """
    kind = pl.col("kind")
    found: list[tuple[pl.DataFrame, pl.DataFrame]] = []
    fewer: dict[int, int] = {}
    for one in data.searched:
        cells = one.cells.filter(kind.is_in(kinds))
        moved = pl.col("cell").cast(pl.Int32) + 1_000 * len(found)
        cells = cells.with_columns(moved)
        fewer |= dict.fromkeys(cells["cell"].to_list(), one.games)
        found.append((cells, one.sums.with_columns(moved)))
    cells = pl.concat([cells for cells, _ in found] or [data.cells.clear()])
    if not set(kinds) <= set(cells["kind"]):
        return None
    leads = pl.when(kind == "search").then(pl.lit("self")).otherwise(kind)
    return replace(
        data,
        sums=pl.concat([sums for _, sums in found], how="diagonal_relaxed"),
        cells=cells.with_columns(leads.alias("kind")),
        games=max(fewer.values()),
        fewer=fewer,
        lead=cells.filter(kind == "search")["lineup"][0],
        searched=(),
        story={},
        plays_on=None,
    )


@dataclass(frozen=True)
class _Both:
    """A table of the leading strategy, and the rows of those who search.

    rows: with the place ``at`` of the row in the table that is of the same, or none.
    keys: the columns that say what a row is about. who: the one that says who plays, if
    there is one. words: how those who search sit.
    """

    mine: Exhibit
    rows: pl.DataFrame
    keys: Sequence[str]
    who: str
    lead: str
    search: str
    words: str

    def numbers(self) -> pl.DataFrame:
        """A row a number that is told of both, with intervals."""
        found = []
        for row in self.rows.drop_nulls("at").rows(named=True):
            there = self.mine.table.row(row["at"], named=True)
            of = ", ".join(_named(self.mine, there, key) for key in self.keys)
            for column in _told(self.mine):
                lead, search = _ends(there, column), _ends(row, column)
                if lead is None or search is None:
                    continue
                what = ": ".join(filter(None, [column.title, of]))
                about = (column.style, what, row["at"], column.title)
                found.append((*about, *lead, *search))
        schema = {name: _NUMBERS[name] for name in [*_NUMBERS][:-2]}
        rows = pl.DataFrame(found, schema, orient="row")
        table, where = pl.lit(self.mine.id), pl.lit(self.mine.title)
        return rows.with_columns(table=table, where=where)

    def exhibit(self, numbers: pl.DataFrame) -> Exhibit:
        """The table with both; ``numbers`` are its own, judged."""
        mine, columns = self.mine, [*self.mine.columns]
        apart = numbers.filter(verdict="outside").group_by("at", maintain_order=True)
        parts = apart.agg(parts=pl.col("title").str.join(", "))
        beneath = self.rows.join(parts, on="at", how="left", maintain_order="left")
        above = mine.table.with_row_index("at").cast({"at": pl.Int64})
        who = self.who or _PLAYED.name
        if not self.who:
            above = above.with_columns(pl.lit(self.lead).alias(who))
            columns.insert(len(self.keys), _PLAYED)
        columns.insert(len(self.keys) + 1, _PARTS)
        beneath = beneath.with_columns(pl.lit(self.search).alias(who))
        rows = pl.concat([above, beneath], how="diagonal_relaxed")
        rows = rows.sort("at", nulls_last=True, maintain_order=True).drop("at")
        figure = f" The figure is without {self.search}." if mine.figure else ""
        return replace(
            mine,
            note=f"{mine.note} {self.search}: {self.words}.{figure}",
            table=rows.with_columns(pl.col("parts").fill_null("")),
            columns=tuple(columns),
        )


def _both(
    mine: Exhibit, other: pl.DataFrame, lead: str, search: str, words: str
) -> _Both | None:
    """Both, where rows are told of search, and of the same things."""
    names = [column.name for column in mine.columns]
    who = next((name for name in _WHO if name in names), "")
    left = takewhile(lambda one: one.style in ("text", "count"), mine.columns)
    keys = [one.name for one in left if one.name != who]
    table = mine.table.with_row_index("at").cast({"at": pl.Int64})
    if who and search in table[who]:
        return None  # told already
    if who:
        table, other = table.filter(**{who: lead}), other.filter(**{who: search})
    if other.is_empty() or not _told(mine):
        return None
    for rows in (table, other):
        if rows.height > 1 and (not keys or rows.select(keys).is_duplicated().any()):
            return None
    places = table.select(*keys, "at", same=pl.lit(0))
    rows = other.with_columns(same=pl.lit(0)).join(
        places, on=[*keys, "same"], how="left", nulls_equal=True, maintain_order="left"
    )
    return _Both(mine, rows.drop("same"), keys, who, lead, search, words)


def _told(exhibit: Exhibit) -> list[Column]:
    """The columns with an interval."""
    return [column for column in exhibit.columns if column.low]


def _named(exhibit: Exhibit, row: dict[str, Any], key: str) -> str:
    """What a row is about, in words: numbers with the heading of their column."""
    [column] = [one for one in exhibit.columns if one.name == key]
    return str(row[key]) if column.style == "text" else f"{column.title} {row[key]}"


def _ends(row: dict[str, Any], column: Column) -> tuple[float, ...] | None:
    """A number, its interval and its error by the longer half of that, if it has any.

    An interval without width (of games that are all alike) tells no error either.
    """
    names = filter(None, (column.name, column.low, column.high))
    value, low, high = (row[name] for name in names)
    if None in (value, low, high) or not np.isfinite([value, low, high]).all():
        return None
    se = max(high - value, value - low) / Z
    return (value, low, high, se) if se > 0 else None


def _judged(numbers: pl.DataFrame) -> pl.DataFrame:
    """With ``more`` (search less the leading one) and its ``verdict``."""
    rows = less(numbers, "search", "lead", "more")
    allowed = (
        pl.when(style="share")
        .then(SHARE)
        .when(style="points")
        .then(POINTS)
        .otherwise(TENTH * pl.col("lead").abs())
    )
    rows = rows.with_columns(allowed=allowed)
    most = rows["allowed"]
    verdicts = judge(rows["more"], rows["more_se"], -most, most)
    return rows.with_columns(verdict=pl.Series(verdicts, dtype=pl.String))


def _said(
    title: str, numbers: pl.DataFrame, lead: str, search: ReportData, words: str
) -> Finding:
    """How many numbers of a section part, and those that part most surely."""
    verdicts: Sequence[str] = numbers["verdict"].to_list()
    texts = [*_most(numbers, lead, search.lead)]
    most = f", the surest of them {listed(texts)}" if texts else ""
    return Finding(
        f"{title}, {search.lead} ({words}) beside {lead}: of {len(verdicts):,} numbers "
        f"of the tables {verdicts.count('outside'):,} surely part{most}; "
        f"{verdicts.count('within'):,} are alike, {verdicts.count('undecided'):,} "
        f"undecided (alike: within {_LIMITS}).",
        label(verdicts),
        tested=how_tested(_LIMITS, "numbers", len(verdicts), search.games),
    )


def _most(numbers: pl.DataFrame, lead: str, search: str) -> Iterator[str]:
    """The numbers that part most surely, with intervals that hold for all at once."""
    wide = at_once(at_once(numbers, "lead"), "search")
    ends = pl.col("lead_low", "lead_high", "search_low", "search_high")
    shares = pl.when(style="share").then(ends.clip(0, 1)).otherwise(ends)
    wide = wide.with_columns(shares.name.keep()).filter(verdict="outside")
    far = (pl.col("more") / pl.col("more_se")).abs()
    wide = wide.sort(far, descending=True, maintain_order=True)
    wide = wide.unique(["lead", "search"], keep="first", maintain_order=True)
    for row in wide.head(_SHOWN).rows(named=True):  # a number stands in several tables
        words = _WORDS[row["style"]]
        yield (
            f"“{row['where']}”, {row['what']} ({words(row, 'lead')} by {lead}, "
            f"{words(row, 'search')} by {search})"
        )
