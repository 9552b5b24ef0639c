"""Cards: how often each is caught in hand, what it adds then, and what it does dealt.

A card still in hand when a round ends adds its points, doubled for every Special in
that hand and for the way in which the round ends. A Special also doubles the rest of
the hand: all that would have been saved without it counts as its own.
"""

import numpy as np
import polars as pl

from reports.bounded_claims import RowsClaim
from reports.counts import Array, Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays, hand_points
from reports.devil.labels import CARD, card_place
from reports.figure_specs import dots
from reports.game_report import ReportSection
from reports.measure_tables import (
    MeasureTable,
    Number,
    VerdictColumn,
    here,
    side_by_side,
)
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column

_CAUGHT = "share of the copies in the deck that are in a hand when a round ends"
_CARDS = MeasuresOf(by="card")
MEASURES = (
    _CARDS.share("card left", _CAUGHT),
    _CARDS.mean("card caught", "points saved without it, for a copy caught"),
    _CARDS.share("card of points", "share of the points added"),
    _CARDS.mean("card dealt", "points added in the round for a copy dealt"),
)
_NUMBERS = (
    Number("card left", "caught"),
    Number("card caught", "adds", name="caught"),
    Number("card of points", "of all points", name="of points"),
)
_DEALT = Number("card dealt", "dealt")


def counts(played: DevilArrays) -> list[Counts]:
    """Count copies and points by kind of card, (kinds, rounds) each, over all seats."""
    kinds, game = played.kinds, played.game_of
    if not len(game):
        return []
    left = played.held(played.rounds.each("hands"))
    copies, own, caught = left.sum(axis=1), *_caught(played, left)
    whole = np.array([played.copies(kind).bit_count() for kind in kinds])
    total = played.added.sum(axis=0)
    dealt, seats = played.held(played.dealt), played.players
    above_mean = seats * played.added - total
    slope = (dealt * above_mean).sum(axis=1)
    spread = (dealt * (seats * dealt - dealt.sum(axis=1, keepdims=True))).sum(axis=1)
    return [
        grid_of_rows("card left", game, copies, whole[:, None], card=kinds),
        grid_of_rows("card caught", game, caught, copies, card=kinds),
        grid_of_rows("card of points", game, own, total, card=kinds),
        grid_of_rows("card dealt", game, slope, spread, card=kinds),
    ]


def _caught(played: DevilArrays, left: Array) -> tuple[Array, Array]:
    """Return points of the cards themselves and what they add, (kinds, rounds) each."""
    points, cost = (played.rounds.each(name) for name in ("points", "cost"))
    ending = played.added // np.maximum(cost, 1)  # the factor of the round's end
    special = [kind.endswith("S") for kind in played.kinds]
    doubled = left[special].sum(axis=0)  # number of Specials in hand
    worth = np.array([hand_points(played.rules, kind) for kind in played.kinds])
    worth = worth[:, None, None]
    own = left * worth * (ending << doubled)
    half = ending << np.maximum(doubled - 1, 0)
    caught = own.copy()
    caught[special] = left[special] * half * (points + worth[special])
    return own.sum(axis=1), caught.sum(axis=1)


def _rows(data: ReportData, *numbers: Number) -> pl.DataFrame:
    """Return a row per kind of card, with its printed points, in the order of ranks."""
    table = side_by_side(data, numbers, here(data))
    worth = [hand_points(data.rules, card) for card in table["card"]]
    order = pl.Enum(sorted(table["card"], key=card_place))
    table = table.with_columns(pl.Series("worth", worth, dtype=pl.Int64))
    return table.sort(pl.col("card").cast(order))


_WORTH = Column("worth", "points", "points of the card, nothing doubled", "count")
CAUGHT = MeasureTable(
    "cards-caught",
    "What a card adds when it is caught in hand at the end of a round",
    "All that would have been saved without it, which for a Special includes the half "
    "of the hand's cost that it doubles; and the share of all points added in all "
    "rounds that are the card's own, doubled.",
    (CARD, _WORTH, *_NUMBERS),
    source=lambda data: _rows(data, *_NUMBERS),
    draw=dots("words", "points that a copy in hand adds", "caught"),
    n=Column("caught_n", "n", "copies caught in hand", "count"),
)
DEALT = MeasureTable(
    "cards-dealt",
    "What being dealt a card does",
    "Points of the round that each copy dealt to a seat adds to it, compared with the "
    "others of its table; the deal is random. More is worse.",
    (
        CARD,
        _WORTH,
        _DEALT,
        VerdictColumn(0.5, "half a point", {"above": "burden", "below": "boon"}),
    ),
    source=lambda data: _rows(data, _DEALT),
    draw=dots("words", "points added for a copy dealt (fewer are better)", reference=0),
    n=Column("n", "n", "rounds, times the copies in the deck", "count"),
)
SECTION = ReportSection(
    id="cards",
    title="Cards: value in hand, and danger",
    question="What is each card worth in hand, and which are dangerous to keep?",
    intro="With {who}, {players} players.",
    measures=MEASURES,
    counts=counts,
    records=("deal", "round"),
    tables=(CAUGHT, DEALT),
    claims=(
        RowsClaim(
            "Being dealt a card, {players} players, {who}, points of the round",
            DEALT,
            "words",
            {
                "above": "more than half a point is added",
                "below": "as much is saved",
            },
        ),
    ),
)
