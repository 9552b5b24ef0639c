"""Which conclusions survive other values of what is assumed, and other readings.

The leading strategy plays as many games under each of some other rules, one at a time
(``WhatIfs.beside``); each conclusion is tested under each of them. A game declares

    SURVIVING = Surviving(conclusions, readings, players=(2,))

and yields ``SURVIVING.shown(data)`` in a section; ``SURVIVING.beside`` is what is
played. Conclusions about decisions that are tried with every option (``tried``) rest on
these cells alone, for the rules in force too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports.formatting import exhibit, joined, named
from reports.game_report import Parts
from reports.page import Column, Finding
from reports.report_data import ReportData
from reports.statistics.equivalence import judge
from reports.tabled import Number

Rules = Mapping[str, Any]
BASE = "as assumed"
_NAMED = 2  # readings that a conclusion names; of more there is a table
_KINDS = {
    "surely hold under all of them": (False, False),
    "fail under none, but some are unsure": (False, True),
    "do not survive": (True, None),
}
"""Whether a conclusion fails somewhere, and whether it is unsure somewhere."""


@dataclass(frozen=True)
class Reading:
    """Other rules: what they are about, in words, and how the rules change."""

    about: str
    words: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Conclusion:
    """A number of a measure lies above, or below, an edge; ``head`` names it."""

    text: str
    head: str
    measure: str
    above: bool
    edge: float
    group: tuple[str, Any] = ("", "")  # a group of the measure, and its value
    tried: bool = False


@dataclass(frozen=True)
class Surviving:
    """Conclusions, and the rules under which they are tested.

    ``tried`` are the decisions that are tried with every option there. ``more`` is a
    column of the table of numbers, and what it says of some rules.
    """

    conclusions: Callable[[Rules], Sequence[Conclusion]]
    readings: Callable[[Rules], Sequence[Reading]]
    players: tuple[int, ...]
    tried: Callable[[Rules], Mapping[str, Any]] | None = None
    more: tuple[Column, Callable[[Rules], str]] | None = None

    def every(self, rules: Rules) -> list[Reading]:
        """The rules in force, and those that differ from them."""
        base = Reading("", BASE, {})
        other = [
            one for one in self.readings(rules) if {**rules, **one.changes} != {**rules}
        ]
        return [base, *other]

    def beside(self, rules: Rules) -> tuple[dict[str, Any], ...]:
        """The cells that are played."""
        tried = {} if self.tried is None else {"tried": self.tried(rules)}
        found = self.every(rules) if tried else self.every(rules)[1:]
        return tuple(
            {"changes": one.changes, "words": one.words, "players": self.players}
            | tried
            for one in found
        )

    def table(self, data: ReportData) -> pl.DataFrame:
        """A row a reading: its numbers c0, c1, ... and on each a verdict v0, v1, ..."""
        rules, every = dict(data.rules), self.every(dict(data.rules))
        columns = {"about": [one.about for one in every]}
        columns["reading"] = [one.words for one in every]
        if self.more is not None:
            column, words = self.more
            columns[column.name] = [words({**rules, **one.changes}) for one in every]
        rows = pl.DataFrame(columns)
        beside, base = pl.col("kind") == "beside", pl.col("changes") == BASE
        reading = pl.when(beside).then(pl.col("changes")).otherwise(pl.lit(BASE))
        for at, one in enumerate(self.conclusions(rules)):
            only = beside if one.tried else beside & ~base | data.leads()
            found = data.of(one.measure, only=only)
            group, value = one.group
            found = found.filter(pl.col(group) == value) if group else found
            found = named(found.with_columns(reading=reading), ["reading"], f"c{at}")
            rows = joined(rows, found, ["reading"])
            rows = rows.with_columns(_verdicts(rows, at, one))
        return rows

    def shown(self, data: ReportData, name: str, note: str) -> Parts:
        """Which conclusions hold with what, the numbers, and that in words."""
        rows, every = self.table(data), self.conclusions(data.rules)
        survive = survival(rows, every)
        yield exhibit(
            f"{name}-conclusions",
            "Which conclusions survive",
            f"Of the rules of this report, and {rows.height - 1} that differ in one "
            "value or reading. A conclusion holds, or fails, where its number differs "
            "from the edge at 95 %, Holm over the readings.",
            survive,
            (
                Column("claim", "conclusion", "what is tested"),
                Column(
                    "holds", "holds with", "readings in which it surely holds", "count"
                ),
                Column("fails", "fails with", "readings in which it surely does not"),
                Column("unsure", "unsure with", "readings with too few games to tell"),
                Column("n", "of", "readings with data", "count"),
            ),
        )
        numbers = [
            Number(one.measure, one.head, name=f"c{at}") for at, one in enumerate(every)
        ]
        games = next((at for at, one in enumerate(every) if not one.tried), 0)
        yield exhibit(
            f"{name}-numbers",
            "The numbers under each value and reading",
            f"With {data.who}. {note}",
            rows,
            (
                Column("about", "about", "what is read otherwise"),
                Column("reading", "value or reading", "what differs"),
                *([] if self.more is None else [self.more[0]]),
                *(number.column(data) for number in numbers),
                Column(f"c{games}_n", "n", "count behind most of them", "count"),
            ),
        )
        yield from self._findings(data, survive, rows.height - 1)

    def _findings(self, data: ReportData, survive: pl.DataFrame, many: int) -> Parts:
        tested = survive.filter(pl.col("n") > 1)
        for words, (fails, unsure) in _KINDS.items():
            so = (pl.col("fails") != "none") == fails
            if unsure is not None:
                so &= (pl.col("unsure") != "none") == unsure
            texts = [
                row["claim"] + _against(row["fails"], row["unsure"])
                for row in tested.filter(so).rows(named=True)
            ]
            if texts:
                yield Finding(
                    f"Other values and readings, {many} tried one at a time, "
                    f"{data.who}: these conclusions {words}: {'; '.join(texts)}.",
                    "",
                )


def _verdicts(rows: pl.DataFrame, at: int, of: Conclusion) -> pl.Series:
    """(readings,) whether the conclusion "holds", "fails" or is "unsure"."""
    sure = judge(rows[f"c{at}"] - of.edge, rows[f"c{at}_se"], 0.0, 0.0)
    words = [
        None
        if value is None
        else "unsure"
        if verdict == "undecided"
        else "holds"
        if (value > of.edge) == of.above
        else "fails"
        for value, verdict in zip(rows[f"c{at}"], sure, strict=True)
    ]
    return pl.Series(f"v{at}", words, dtype=pl.String)


def survival(rows: pl.DataFrame, every: Sequence[Conclusion]) -> pl.DataFrame:
    """A row a conclusion: in how many readings it holds, and where it does not."""
    found = []
    for at, one in enumerate(every):
        some = rows.drop_nulls(f"v{at}")
        holds, fails, unsure = (
            some.filter(pl.col(f"v{at}") == verdict)["reading"].to_list()
            for verdict in ("holds", "fails", "unsure")
        )
        against = {"fails": _few(fails), "unsure": _few(unsure)}
        number = {"holds": len(holds), "n": some.height}
        found.append({"claim": one.text, **against, **number})
    return pl.DataFrame(found)


def _few(names: Sequence[str]) -> str:
    """Some readings, of many the first and how many more there are."""
    if len(names) > _NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return "; ".join(names) or "none"


def _against(fails: str, unsure: str) -> str:
    """Where a conclusion does not hold, and where it is unsure."""
    ways = {"not with": fails, "unsure with": unsure}
    parts = [f"{word} {what}" for word, what in ways.items() if what != "none"]
    return f" ({', '.join(parts)})" if parts else ""
