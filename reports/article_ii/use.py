"""On whom cards are played: what the strategies make of them."""

import numpy as np
import polars as pl

from reports.article_ii.formatting import CARD, PHASE, phase_words, with_cards
from reports.article_ii.played import PHASES, PlayedGames
from reports.counts import Counts, grid
from reports.drawing import dots
from reports.formatting import (
    PLAYERS,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    share,
)
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData

MEASURES = (
    Measure("on oneself", "share played on oneself", "share", by=("phase", "card")),
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of cards that come to lie, and of those on who plays them."""
    if not played.alone:
        return []
    changes, names = played.changes, list(dict.fromkeys(played.vocabularies["card"]))
    groups = changes["phase"].astype(np.int64) * len(names) + changes["card"]
    placed = changes["change"] == played.vocabularies["change"].index("placed")
    own = changes["on"] == changes["seat"]
    many = 2 * len(names)
    shape = (2, len(names), played.size)
    every = played.counted(placed, groups, many).reshape(shape)
    mine = played.counted(placed & own, groups, many).reshape(shape)
    return [grid("on oneself", mine, every, phase=PHASES, card=names)]


def section(data: ReportData) -> Section:
    """Share of each card that is played on oneself."""
    rows = data.leading("on oneself", players=data.players)
    order = rows.group_by("card").agg(pl.col("estimate").mean().alias("order"))
    rows = joined(rows, order, ("card",)).sort(
        ["order", "card", "phase"], descending=[True, False, False]
    )
    rows = phase_words(with_cards(data, rows))
    return Section(
        "use",
        "On whom cards are played",
        f"With {data.who}, {data.players} players. What players choose, not what it "
        "is worth: a card that is nearly always played on oneself, or never, leaves "
        "no choice.",
        (
            exhibit(
                "use-self",
                "How often a card is played on oneself",
                "Of the times that it is placed on a player, reactions included.",
                rows,
                (
                    PLAYERS,
                    CARD,
                    PHASE,
                    estimated("on oneself", "share played on oneself", "share"),
                    N,
                ),
                dots("card_words", "share played on oneself, %", by="election"),
            ),
        ),
        _findings(data, rows),
    )


def _findings(data: ReportData, rows: pl.DataFrame) -> tuple[Finding, ...]:
    """Cards whose target depends on the phase."""
    parts = [
        named(rows.filter(phase=phase), ("card", "card_words"), name)
        for phase, name in ((1, "primary"), (2, "general"))
    ]
    both = parts[0].join(parts[1], on=["card", "card_words"], how="inner")
    both = both.with_columns(turn=(pl.col("primary") - pl.col("general")).abs())
    both = both.sort("turn", descending=True)
    if both.is_empty():
        return ()
    values = [
        f"{row['card_words']} {share(row, 'primary')} in the Primary and "
        f"{share(row, 'general')} in the General"
        for row in both.head(3).rows(named=True)
    ]
    text = (
        f"Targets, {data.players} players, {data.who}: most depends on the phase for "
        f"{listed(values)} (share played on oneself)."
    )
    return (Finding(text, "", "use"),)


SECTION = ReportSection(section, MEASURES, counts=counts)
