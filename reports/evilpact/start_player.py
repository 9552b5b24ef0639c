"""Whether it matters who starts, and why."""

from collections.abc import Iterator

import polars as pl

from reports.evilpact.assumptions import ASSUMED
from reports.evilpact.game_arrays import tables
from reports.figure_specs import dots
from reports.formatting import points, signed_points
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.positions import PositionTable
from reports.report_data import ReportData
from reports.report_document import Cause, Column, Finding
from reports.verdicts import how_tested

_AHEAD = pl.when(pl.col("position") == 1).then(1).otherwise(-1) * pl.col("won")
MEASURES = (
    MeasuresOf("ends").per_game(
        "starter ahead",
        "wins of the player who starts round 1 less those of the other",
        _AHEAD,
        unit="pp",
    ),
)
_SHIFTS = "contract_shifts_start"
_ORDERS = {False: "A B A B A B A B", True: "A B A B, contracts, B A B A"}


def orders(data: ReportData) -> pl.DataFrame:
    """Return how far the starter of round 1 is ahead, by the order of starts."""
    other = pl.col("changes").str.contains(_SHIFTS)
    base = bool(data.rules[_SHIFTS])
    rows = data.of("starter ahead")
    rows = rows.filter(data.leads() | (pl.col("kind") == "beside") & other)
    here, there = pl.lit(_ORDERS[base]), pl.lit(_ORDERS[not base])
    order = pl.when(other).then(there).otherwise(here)
    return rows.with_columns(order=order).sort("order")


def why(data: ReportData) -> Iterator[Finding]:
    """Say how much is due to starting the last round.

    It is a cause for page one if the intervals of the two orders lie apart.
    """
    rows = orders(data).drop_nulls("estimate").to_dicts()
    by_order = {row["order"]: row for row in rows}
    if len(by_order) < len(_ORDERS):
        return
    base, other = (by_order[order] for order in _ORDERS.values())
    half = (other["estimate"] - base["estimate"]) / 2
    known = None not in (base["high"], other["high"])
    reverses = known and base["high"] < 0 < other["low"]
    apart = known and (base["high"] < other["low"] or other["high"] < base["low"])
    parts = (
        f"{signed_points(half)} points go with who starts the last round, and "
        f"{signed_points(base['estimate'] + half)} with starting round 1"
    )
    changes = {_SHIFTS: not data.rules[_SHIFTS]}
    yield Finding(
        f"Starting player, {data.who}: the player who starts round 1 is {points(base)} "
        "points of win share ahead of the other where starts alternate, and "
        f"{points(other)} where the contract phase shifts them (reading E1). So "
        f"{parts}: the player who starts the last round has two choices among the last "
        "cards, the other one.",
        "likely" if reverses else "open",
        tested=how_tested("from nothing, by both intervals", "orders", 1, data.games),
        why=Cause("positions", f"{parts}.", (changes,)) if apart else None,
    )


SECTION = ReportSection(
    id="seats",
    title="Starting player",
    question="Does it matter who starts?",
    intro="With {who}. In a round the starting player takes the first and the third "
    "card, the other the second and both that are left: a card more, but only one real "
    "choice. Starts alternate, so both take equally many in a game.",
    measures=MEASURES,
    tidy=tables,
    tables=(
        PositionTable(
            "start-share",
            "who starts round 1",
            note="Draws count for nobody, so an even share is less than a half.",
        ),
        MeasureTable(
            "start-orders",
            "A ahead of B, by the order of starts (reading E1)",
            "A starts round 1. 'The opponent starts next Round or phase' may mean that "
            "the contract phase counts too: then A starts the last round.",
            (
                Column("order", "who starts", "who starts each round"),
                Number("starter ahead", "A less B"),
            ),
            source=orders,
            draw=dots("order", "win share of A less B, %", reference=0),
        ),
    ),
    claims=(why,),
    what_ifs=(ASSUMED,),
)
