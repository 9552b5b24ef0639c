"""What each card is worth: in hand, and lying on oneself.

In both comparisons chance decides who has a card. Dealt: the win share of the seats
that were dealt a card, less that of the other seats of the same deal. Tried: the same
deal played twice, once with the card on the player and once with it discarded (see
``what_ifs``).
"""

import numpy as np
import polars as pl

from reports.article_ii import what_ifs
from reports.article_ii.game_arrays import PHASE_WORDS, PHASES, ArticleIIArrays
from reports.article_ii.labels import PHASE, card_column
from reports.bounded_claims import RowsClaim
from reports.counts import Counts, grid
from reports.figure_specs import dots
from reports.formatting import estimated
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, VerdictColumn
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

_PARTS = 6  # whole numbers when shared among 1, 2 or 3 seats
_LESS = "win share less that of the other seats of the same deal"
MEASURES = (MeasuresOf(by="phase card", unit="pp").mean("dealt", _LESS),)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count wins of seats dealt each card, less those of the others in the deal."""
    if played.raw["result"]["strategy"].n_unique() > 1:
        return []
    won = played.victory.astype(np.int64)
    total, seats = won.sum(axis=0), np.arange(1, played.players)
    shares = np.zeros(played.players + 1, dtype=np.int64)
    shares[1 : played.players] = _PARTS // seats
    more, weights = [], []
    for hands in played.hands:
        for copies in played.cards.values():
            holds = (hands & copies) != 0
            count = holds.sum(axis=0)
            part = shares[played.players - count]  # of each seat without it
            mine = (won * holds).sum(axis=0)
            fits = (count > 0) & (count < played.players)
            more.append((_PARTS * mine - count * (total - mine) * part) * fits)
            weights.append(_PARTS * count * fits)
    shape, names = (2, len(played.cards), played.size), list(played.cards)
    y, x = (np.array(part).reshape(shape) for part in (more, weights))
    return [grid("dealt", y, x, phase=PHASES, card=names)]


def dealt(data: ReportData) -> pl.DataFrame:
    """Return win shares of seats dealt a card, less the others', by phase and card."""
    rows = data.leading("dealt", players=data.players)
    return _named(data, rows.with_columns(pl.col("n") / _PARTS))


def tried(data: ReportData) -> pl.DataFrame:
    """Return win shares with a card on oneself less those without it, same deals."""
    only = pl.col("kind") == "tried"
    rows = data.pooled("won_more", ("players", "phase", "card"), only=only)
    return _named(data, rows)


def _named(data: ReportData, rows: pl.DataFrame) -> pl.DataFrame:
    """Add cards in words; the best cards come first."""
    rows = card_column(data).add_to(rows.drop_nulls("estimate"))
    best = pl.col("estimate").mean().over("card")
    return rows.sort(best, "card", "phase", descending=[True, False, False])


_COLUMNS = (
    Column("card_words", "card", "with Electability and Affiliation, or its kind"),
    PHASE,
    estimated("difference", "difference of win shares", "points"),
    VerdictColumn(
        0.02,
        "2 points",
        {"above": "worth", "below": "harmful", "within": "little"},
        family=("phase",),
    ),
)
_N = Column("n", "n", "seats that had the card and are compared", "count")
DEALT = MeasureTable(
    "worth-dealt",
    "In hand: who was dealt the card, against the others",
    "Win share of the seats that were dealt a copy for the phase, less that of the "
    "seats of the same deal that were dealt none and hold another card instead.",
    _COLUMNS,
    source=dealt,
    draw=dots(
        "card_words", "win share, holders less others, %", by="election", reference=0
    ),
    n=_N,
)
LYING = MeasureTable(
    "worth-self",
    "On oneself, or discarded: the same deals twice",
    "As the phase is dealt, chance draws a card of every hand (a Style from half the "
    "hands that hold Styles), and the deal is played twice. For each player a coin "
    "decides in which of the two games the card lies on them at once, without a turn "
    "(a Style replaces theirs); in the other it is discarded. So the others' drawn "
    "cards change too, equally likely either way; nothing else does. What lies on a "
    "player may be removed or replaced later.",
    _COLUMNS,
    source=tried,
    draw=dots(
        "card_words", "win share, with less without, %", by="election", reference=0
    ),
    n=_N,
)
_PHRASES = {"above": "more than 2 points gained", "below": "as much lost"}
SECTION = ReportSection(
    id="worth",
    title="What each card and Style is worth",
    question="How many wins does each card bring to the player who has it?",
    intro="With {who}, {players} players. Chance decides who has a card, so the "
    "difference is due to the card (in the hands of these strategies), not to who "
    "chooses to play it. Numbers behind a card are Electability and Affiliation. "
    "Shared wins do not count.",
    measures=MEASURES,
    counts=counts,
    records=("hands",),
    tables=(DEALT, LYING),
    claims=(
        *(
            RowsClaim(
                f"{head}, {words}, {{players}} players, {{who}}",
                table,
                "card_words",
                _PHRASES,
                where=pl.col("phase") == phase,
            )
            for head, table in (("Cards dealt", DEALT), ("Cards on oneself", LYING))
            for phase, words in PHASE_WORDS.items()
        ),
        RowsClaim(
            "Styles on oneself as the General begins, {players} players, {who}",
            LYING,
            "card_words",
            {"above": "worth more than 2 points", "below": "traps, which lose as much"},
            where=(pl.col("phase") == PHASES[1])
            & pl.col("card_words").str.ends_with("(Style)"),
            many=20,
        ),
    ),
    what_ifs=(what_ifs.TRIALS,),
)
