"""Both decks compared by correlation of totals, and card by card (see ``decks``)."""

import numpy as np
import polars as pl

from reports.article_ii import card_worth, tension, total_correlations
from reports.article_ii.labels import PHASE, card_column
from reports.figure_specs import dots
from reports.formatting import estimated, number
from reports.game_report import SectionParts
from reports.measure_tables import MeasureTable
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge, sureness
from reports.verdicts import how_tested

NAMES = ("updated", "original")


def cells(data: ReportData) -> dict[str, pl.Expr]:
    """Return the cells of each deck."""
    beside = {
        name: (pl.col("kind") == "beside") & (pl.col("changes") == f"deck={name}")
        for name in NAMES
    }
    return {**beside, str(data.rules["deck"]): data.leads()}


def correlations(data: ReportData) -> MeasureTable:
    """Return the table of correlations of both elections, with both decks."""
    parts = [
        total_correlations.correlations(data, name, only).with_columns(
            deck=pl.lit(deck), totals=pl.lit(name)
        )
        for name in total_correlations.PAIRS
        for deck, only in cells(data).items()
    ]
    where = pl.format("{}, {} players", "totals", "players")
    rows = pl.concat(parts).with_columns(where=where)
    return MeasureTable(
        "decks-correlation",
        "Primary against General with both decks",
        "Correlation of the totals over seats; see the section on it.",
        (
            "players",
            Column("deck", "deck", "which deck"),
            Column("totals", "totals", "which totals are compared"),
            estimated("correlation", "Pearson's correlation over seats"),
        ),
        rows=rows.sort("players", "totals", maintain_order=True),
        draw=dots("where", "correlation over seats", by="deck", reference=0),
    )


def cards(data: ReportData) -> MeasureTable:
    """Return the table of what it is worth to be dealt each card of both decks."""
    rows = pl.concat(
        card_worth.dealt(data, data.players, only).with_columns(deck=pl.lit(deck))
        for deck, only in cells(data).items()
    )
    rows = rows.filter(pl.col("deck").n_unique().over("card") > 1)
    difference = "win share, holders less the others, %"
    general = pl.col("phase") == 2
    return MeasureTable(
        "decks-cards",
        "The cards of both decks: who was dealt one, against the others",
        f"Win share of the seats that were dealt the card, less that of the other "
        f"seats of the same deal; {data.players} players. The figure shows the cards "
        "dealt for the General.",
        (
            card_column(data),
            PHASE,
            Column("deck", "deck", "which deck"),
            estimated("difference", "difference of win shares", "points"),
            Column("verdict", "2 points", "as in the section on what cards are worth"),
        ),
        rows=rows.sort("phase", "card", "deck", descending=[False, False, True]),
        draw=dots("card_words", difference, by="deck", reference=0, only=general),
        n=Column("n", "n", "seats that were dealt the card", "count"),
    )


def tension_finding(data: ReportData) -> SectionParts:
    """Say whether the tension of the elections differs between the decks."""
    name = list(total_correlations.PAIRS)[1]
    updated, original = (
        total_correlations.correlations(data, name, cells(data)[deck]).filter(
            players=data.players
        )
        for deck in NAMES
    )
    if updated.is_empty() or original.is_empty():
        return
    new, old = updated.row(0, named=True), original.row(0, named=True)
    se = np.hypot(new["se"], old["se"])
    least, most = -tension.TOLERANCE, tension.TOLERANCE
    verdict = judge([old["estimate"] - new["estimate"]], [se], least, most)[0]
    text = (
        f"Decks, {data.players} players, {data.who}: Primary and General totals "
        f"({name}) correlate by {number(new)} with the updated deck, by "
        f"{number(old)} with the original one: {_VERDICTS[verdict]}."
    )
    tested = how_tested(f"{most:g} apart", "correlations", 1, data.games)
    yield Finding(text, sureness(verdict), tested=tested)


_VERDICTS = {
    "within": "less than 0.1 apart",
    "outside": "more than 0.1 apart",
    "undecided": "whether more than 0.1 apart is undecided",
}
