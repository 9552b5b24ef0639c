"""Whether it matters who starts, and why."""

import polars as pl

from reports import positions
from reports.drawing import dots, lines
from reports.evilpact.formatting import PLACES, shown
from reports.evilpact.played import tables
from reports.formatting import plus, points
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, worded

_AHEAD = pl.when(pl.col("position") == 1).then(1).otherwise(-1) * pl.col("won")
MEASURES = (
    Measure("starter ahead", "wins of who starts round 1 less those of the other",
            "per game", "seats", _AHEAD, unit="pp"),
    Measure("casts by position and round", "spells cast in one's own turns",
            "per game", "casts", by=("position", "round")),
)  # fmt: skip
_ORDERS = {False: "A B A B A B A B", True: "A B A B, contracts, B A B A"}


def section(data: ReportData) -> Section:
    """Wins by place, who casts when, and the other order of starts."""
    where = Column("where", "who", "who starts round 1, or the other")
    words = worded("where", PLACES.__getitem__, "position")
    rows = positions.versus_even(data, "won by position", ("position",), words)
    note = "Draws count for nobody, so even is less than a half."
    orders = _orders(data)
    return Section(
        "seats", "Starting player",
        "In a round the starting player takes the first and the third card, the other "
        "the second and both that are left: a card more, but only one real choice. "
        "Starts alternate, so both take as many cards in a game.",
        (
            positions.shares("start-share", "Win share by position", note, rows, where),
            shown(
                data, "start-orders",
                "A ahead of B, by the order of starts (reading E1)",
                "A starts round 1. 'The opponent starts next Round or phase' may mean "
                "that the phase of the contracts counts: then A starts the last round.",
                Column("order", "who starts", "who starts each round"),
                Number("starter ahead", "A less B"), rows=orders,
                draw=dots("order", "win share of A less B, %", reference=0),
            ),
            shown(
                data, "start-casts", "Spells cast by round and place", "", "round",
                "position", Number("casts by position and round", "spells a game"),
                draw=lines("round", "spells cast", by="who"),
            ),
        ),
        (positions.finding(data, rows, "Who starts round 1"), *_why(data, orders)),
    )  # fmt: skip


def _orders(data: ReportData) -> pl.DataFrame:
    """How far who starts round 1 is ahead, by the order of starts."""
    other = pl.col("changes").str.contains("contract_shifts_start")
    base = bool(data.rules["contract_shifts_start"])
    rows = data.of("starter ahead")
    rows = rows.filter(data.leads() | (pl.col("kind") == "beside") & other)
    here, there = pl.lit(_ORDERS[base]), pl.lit(_ORDERS[not base])
    order = pl.when(other).then(there).otherwise(here)
    return rows.with_columns(order=order).sort("order")


def _why(data: ReportData, orders: pl.DataFrame) -> tuple[Finding, ...]:
    """How much goes with who starts the last round."""
    by = {row["order"]: row for row in orders.rows(named=True)}
    if len(by) < len(_ORDERS):
        return ()
    base, other = (by[order] for order in _ORDERS.values())
    half = (other["estimate"] - base["estimate"]) / 2
    turned = base["high"] < 0 < other["low"]
    text = (
        f"Starting player, {data.who}: who starts round 1 is {points(base)} points of "
        "win share ahead of the other where starts alternate, and "
        f"{points(other)} where the phase of the contracts shifts them (reading E1). "
        f"So {plus(half)} points go with the rounds after the contracts, of which one "
        "starts the last: there he has two choices among the last cards, the other "
        f"one; and {plus(base['estimate'] + half)} with starting round 1 as such."
    )
    return (Finding(text, "likely" if turned else "open", "seats"),)


SECTION = ReportSection(section, MEASURES, tables)
