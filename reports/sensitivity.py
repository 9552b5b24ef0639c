"""Which conclusions survive other values of assumed rules, and other readings.

The leading strategy plays the same number of games under several other rules, one at a
time (``WhatIfs.other_rules``), and each conclusion is tested under each of them. A game
declares

    SENSITIVITY = Sensitivity(conclusions, readings, players=(2,))

and yields ``SENSITIVITY.shown(...)`` in a section; ``SENSITIVITY.other_rules`` are the
cells to play.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reports.formatting import exhibit, join, renamed
from reports.game_report import SectionParts
from reports.measure_tables import Number
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge
from reports.verdicts import how_tested

Rules = Mapping[str, Any]
BASE = "as assumed"
_READINGS_NAMED = 2  # in a sentence; the table has all


@dataclass(frozen=True)
class RuleReading:
    """Other rules: what they are about, their name, and how the rules change."""

    about: str
    words: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Conclusion:
    """The claim that a number is above, or below, an edge; ``head``: its heading."""

    text: str
    head: str
    measure: str
    above: bool
    edge: float
    group: tuple[str, Any] = ("", "")  # a group of the measure, and its value


@dataclass(frozen=True)
class Sensitivity:
    """Conclusions, and the rules under which they are tested.

    ``more``: another column of the table of numbers, and a function that returns its
    text, given rules.
    """

    conclusions: Callable[[Rules], Sequence[Conclusion]]
    readings: Callable[[Rules], Sequence[RuleReading]]
    players: tuple[int, ...]
    more: tuple[Column, Callable[[Rules], str]] | None = None

    def all_readings(self, rules: Rules) -> list[RuleReading]:
        """Return the rules in force, and the readings that differ from them."""
        force = {**rules}
        others = [of for of in self.readings(rules) if force | {**of.changes} != force]
        return [RuleReading("", BASE, {}), *others]

    def other_rules(self, rules: Rules) -> tuple[dict[str, Any], ...]:
        """Return the cells to play, as plain data."""
        return tuple(
            {"changes": of.changes, "words": of.words, "players": self.players}
            for of in self.all_readings(rules)[1:]
        )

    def table(self, data: ReportData) -> pl.DataFrame:
        """Return a row for each reading: numbers c0, c1, ..., verdicts v0, v1, ..."""
        rules, readings = dict(data.rules), self.all_readings(dict(data.rules))
        columns = {"about": [of.about for of in readings]}
        columns["reading"] = [of.words for of in readings]
        if self.more is not None:
            column, words = self.more
            columns[column.name] = [words({**rules, **of.changes}) for of in readings]
        rows = pl.DataFrame(columns)
        beside = pl.col("kind") == "beside"
        reading = pl.when(beside).then(pl.col("changes")).otherwise(pl.lit(BASE))
        for at, conclusion in enumerate(self.conclusions(rules)):
            numbers = data.of(conclusion.measure, only=beside | data.leads())
            group, value = conclusion.group
            numbers = numbers.filter(pl.col(group) == value) if group else numbers
            numbers = numbers.with_columns(reading=reading)
            rows = join(rows, renamed(numbers, ["reading"], f"c{at}"), ["reading"])
            rows = rows.with_columns(_verdicts(rows, at, conclusion))
        return rows

    def shown(self, data: ReportData, name: str, note: str) -> SectionParts:
        """Yield tables of which conclusions hold under which rules, and findings."""
        rows, conclusions = self.table(data), self.conclusions(data.rules)
        survive = survival(rows, conclusions)
        yield exhibit(
            f"{name}-conclusions",
            "Which conclusions survive",
            f"Under the rules of this report, and {rows.height - 1} that differ in one "
            "value or reading. A conclusion holds, or fails, if its number is shown to "
            "differ from the edge (95 %, Holm over the readings).",
            survive,
            (
                Column("claim", "conclusion", "what is tested"),
                Column("holds", "holds with", "readings in which it holds", "count"),
                Column("fails", "fails with", "readings in which it fails"),
                Column("unsure", "unsure with", "readings with too few games to tell"),
                Column("n", "of", "readings with data", "count"),
            ),
        )
        numbers = [
            Number(of.measure, of.head, name=f"c{at}")
            for at, of in enumerate(conclusions)
        ]
        yield exhibit(
            f"{name}-numbers",
            "The numbers under each value and reading",
            f"With {data.who}. {note}",
            rows,
            (
                Column("about", "about", "what is read differently"),
                Column("reading", "value or reading", "what differs"),
                *([] if self.more is None else [self.more[0]]),
                *(number.column(data) for number in numbers),
                Column("c0_n", "n", "count behind most of them", "count"),
            ),
        )
        yield from self._findings(data, survive, rows.height - 1)

    def _findings(
        self, data: ReportData, survive: pl.DataFrame, many: int
    ) -> SectionParts:
        tested = survive.filter(pl.col("n") > 1)
        fails = pl.col("fails") != "none"
        for words, kind in (
            ("hold under all of them", ~fails & (pl.col("unsure") == "none")),
            ("do not survive", fails),
        ):
            texts = [
                row["claim"] + _against(row["fails"], row["unsure"])
                for row in tested.filter(kind).to_dicts()
            ]
            if texts:
                yield Finding(
                    f"Other values and readings, {many} tried one at a time, "
                    f"{data.who}: these conclusions {words}: {'; '.join(texts)}.",
                    "likely",
                    tested=how_tested(
                        "the edge named",
                        "readings",
                        many,
                        data.games,
                        method="each conclusion by itself; Holm",
                    ),
                )


def _verdicts(rows: pl.DataFrame, at: int, of: Conclusion) -> pl.Series:
    """Return (readings,) whether the conclusion "holds", "fails" or is "unsure"."""
    tests = judge(rows[f"c{at}"] - of.edge, rows[f"c{at}_se"], 0.0, 0.0)
    words = [
        None
        if value is None
        else "unsure"
        if verdict == "undecided"
        else "holds"
        if (value > of.edge) == of.above
        else "fails"
        for value, verdict in zip(rows[f"c{at}"], tests, strict=True)
    ]
    return pl.Series(f"v{at}", words, dtype=pl.String)


def survival(rows: pl.DataFrame, every: Sequence[Conclusion]) -> pl.DataFrame:
    """Return a row for each conclusion: how often it holds, and where it does not."""
    counts = []
    for at, conclusion in enumerate(every):
        known = rows.drop_nulls(f"v{at}")
        holds, fails, unsure = (
            known.filter(pl.col(f"v{at}") == verdict)["reading"].to_list()
            for verdict in ("holds", "fails", "unsure")
        )
        against = {"fails": _listed(fails), "unsure": _listed(unsure)}
        number = {"holds": len(holds), "n": known.height}
        counts.append({"claim": conclusion.text, **against, **number})
    return pl.DataFrame(counts)


def _listed(names: Sequence[str]) -> str:
    """List readings; of many, the first and how many more there are."""
    if len(names) > _READINGS_NAMED:
        return f"{names[0]} and {len(names) - 1} more"
    return "; ".join(names) or "none"


def _against(fails: str, unsure: str) -> str:
    """Say where a conclusion does not hold, and where it is unsure."""
    ways = {"not with": fails, "unsure with": unsure}
    parts = [f"{word} {what}" for word, what in ways.items() if what != "none"]
    return f" ({', '.join(parts)})" if parts else ""
