"""On whom cards are played: what the strategies make of them."""

import numpy as np
import polars as pl

from reports.article_ii.played import PHASES, Played
from reports.article_ii.words import CARD, PHASE, phase_words, with_cards
from reports.drawing import dots
from reports.found import Found
from reports.grids import grid
from reports.page import Finding, Section
from reports.words import PLAYERS, N, estimated, exhibit, joined, listed, named, share


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums of cards that come to lie, and of those on who plays them."""
    if not played.alone:
        return []
    changes, names = played.changes, list(dict.fromkeys(played.words["card"]))
    groups = changes["phase"].astype(np.int64) * len(names) + changes["card"]
    placed = changes["change"] == played.words["change"].index("placed")
    own = changes["on"] == changes["seat"]
    many = 2 * len(names)
    shape = (2, len(names), played.size)
    every = played.counted(placed, groups, many).reshape(shape)
    mine = played.counted(placed & own, groups, many).reshape(shape)
    return [grid("on oneself", mine, every, phase=PHASES, card=names)]


def section(found: Found) -> Section:
    """Share of each card that is played on oneself."""
    rows = found.leading("on oneself", "rate", ("phase", "card"), players=found.players)
    order = rows.group_by("card").agg(pl.col("estimate").mean().alias("order"))
    rows = joined(rows, order, ("card",)).sort(
        ["order", "card", "phase"], descending=[True, False, False]
    )
    rows = phase_words(with_cards(found, rows))
    return Section(
        "use",
        "On whom cards are played",
        f"With {found.who}, {found.players} players. What players choose, not what it "
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
        _findings(found, rows),
    )


def _findings(found: Found, rows: pl.DataFrame) -> tuple[Finding, ...]:
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
    told = [
        f"{row['card_words']} {share(row, 'primary')} in the Primary and "
        f"{share(row, 'general')} in the General"
        for row in both.head(3).rows(named=True)
    ]
    text = (
        f"Targets, {found.players} players, {found.who}: most depends on the phase for "
        f"{listed(told)} (share played on oneself)."
    )
    return (Finding(text, "sure", "use"),)
