"""On whom strategies play each card."""

import numpy as np
import polars as pl

from reports.article_ii.game_arrays import PHASES, ArticleIIArrays
from reports.article_ii.labels import PHASE, card_column
from reports.counts import Counts, grid
from reports.figure_specs import dots
from reports.formatting import join_words, renamed, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.simultaneous_intervals import simultaneous_intervals

_CARDS = MeasuresOf(by="phase card")
MEASURES = (_CARDS.share("on oneself", "share played on oneself"),)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count the cards that are placed, and those that players place on themselves."""
    if not played.alone:
        return []
    changes, names = played.changes, list(dict.fromkeys(played.vocabularies["card"]))
    groups = changes["phase"].astype(np.int64) * len(names) + changes["card"]
    placed = changes["change"] == played.vocabularies["change"].index("placed")
    own = changes["on"] == changes["seat"]
    size, shape = 2 * len(names), (2, len(names), played.size)
    every = played.counted(placed, groups, size).reshape(shape)
    on_self = played.counted(placed & own, groups, size).reshape(shape)
    return [grid("on oneself", on_self, every, phase=PHASES, card=names)]


def section(data: ReportData) -> SectionParts:
    """Yield the share of each card that is played on oneself."""
    card = card_column(data)
    mean = pl.col("estimate").mean().over("card")
    rows = data.leading("on oneself", players=data.players)
    rows = card.add_to(rows).sort(
        mean, "card", "phase", descending=[True, False, False]
    )
    yield (
        f"With {data.who}, {data.players} players. This is what players choose, not "
        "what it is worth: a card that is nearly always played on oneself, or never, "
        "leaves no choice."
    )
    yield MeasureTable(
        "use-self",
        "How often a card is played on oneself",
        "Of the times that it is placed on a player, reactions included.",
        ("players", card, PHASE, Number("on oneself", "on oneself")),
        rows=rows,
        draw=dots("card_words", "share played on oneself, %", by="election"),
    )
    yield from _findings(data, rows)


def _findings(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    """Name the cards whose target depends most on the phase."""
    parts = [
        renamed(rows.filter(phase=phase), ("card", "card_words"), name)
        for phase, name in ((1, "primary"), (2, "general"))
    ]
    both = parts[0].join(parts[1], on=["card", "card_words"], how="inner")
    both = both.with_columns(turn=(pl.col("primary") - pl.col("general")).abs())
    for name in ("primary", "general"):
        both = simultaneous_intervals(both, name, share=True)
    both = both.sort("turn", descending=True)
    if both.is_empty():
        return
    values = [
        f"{row['card_words']} {share(row, 'primary')} in the Primary and "
        f"{share(row, 'general')} in the General"
        for row in both.head(3).to_dicts()
    ]
    text = (
        f"Targets, {data.players} players, {data.who}: the phase matters most for "
        f"{join_words(values)} (share played on oneself)."
    )
    yield Finding(text, "")


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("change",),
    id="use",
    title="On whom cards are played",
    question="How often is each card played on oneself, and in which election?",
)
