"""Hastur: how often he could counter, does, and what that is worth."""

import polars as pl

from reports.drawing import dots
from reports.evilpact.formatting import share, shown
from reports.evilpact.played import tables
from reports.formatting import points
from reports.formatting import share as told
from reports.game_report import ReportSection
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number

_CAN, _DOES = pl.col("counterable"), pl.col("answered")
_COULD = "spells cast that the other one's Hastur could counter"
_SO = "spells that Hastur could counter, and does"
MEASURES = (
    share("could be countered", _COULD, "casts", _CAN),
    share("could be countered by spell", _COULD, "casts", _CAN, "spell"),
    share("countered", _SO, "answers", _DOES),
    share("countered by spell", _SO, "answers", _DOES, "spell"),
    share("countered by round", _SO, "answers", _DOES, "round"),
)  # fmt: skip


def section(data: ReportData) -> Section:
    """Chances to counter, counters, and their worth."""
    lists, needed = data.rules["counter_list"].values(), data.rules["thresholds"]
    low, high = (", ".join(names) or "nothing" for names in lists)
    only = pl.col("kind") == "paired"
    worth = data.pooled("won_more by spell countered", ("spell",), only=only)
    worth = worth.drop_nulls("low").sort("estimate", descending=True)
    exhibits = (
        shown(
            data, "counters-spells",
            "Spells that could be countered, and those that are", "", "spell",
            Number("could be countered by spell", "could be", "share of its casts"),
            Number("countered by spell", "is, where it could be", name="does"),
            draw=dots("the spell", "countered where it could be, %", "does"),
        ),
        shown(
            data, "counters-rounds", "Counters by round",
            "Of the spells that Hastur could counter.", "round",
            Number("countered by round", "countered"),
            draw=dots("round", "countered where possible, %"),
        ),
        shown(
            data, "counters-worth",
            "What a counter is worth: countered against let pass, on the same deals",
            "allround against itself. In the second game the seat lets pass the first "
            "spell that it would counter; it may use Hastur later.", "spell",
            Number("won_more by spell countered", "win share"), rows=worth,
            draw=dots("the spell", "countered less let pass, %", reference=0),
        ),
    )  # fmt: skip
    return Section(
        "counters",
        "Hastur's counters",
        f"With {needed[0]} power of his element Hastur counters spells of {low}; with "
        f"{needed[1]}, or under contract, of {high}.",
        tuple(one for one in exhibits if one.table.height),
        _findings(data, worth),
    )


def _findings(data: ReportData, worth: pl.DataFrame) -> tuple[Finding, ...]:
    could, does = (
        data.leading(name).drop_nulls("estimate")
        for name in ("could be countered", "countered")
    )
    if could.is_empty() or does.is_empty():
        return (Finding("Counters: Hastur never could.", "", "counters"),)
    text = (
        f"Counters, {data.who}: Hastur could counter {told(could.row(0, named=True))} "
        f"of the spells, and does so with {told(does.row(0, named=True))} of these."
    )
    if worth.height:
        texts = [
            f"against {row['spell'].capitalize()} {points(row)}"
            for row in worth.rows(named=True)
        ]
        text += (
            " Countering less letting pass changes the win share, on the same deals, "
            f"by so many points: {', '.join(texts)}."
        )
    return (Finding(text, "", "counters"),)


SECTION = ReportSection(section, MEASURES, tables)
