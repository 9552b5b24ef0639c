"""Cards: which ones win tricks, and what a Priest is worth."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.bounded_claims import BoundedClaim
from reports.counts import Counts, grid
from reports.figure_specs import heat
from reports.game_arrays import add_up
from reports.game_report import ReportSection
from reports.kunitame.game_arrays import KunitameArrays
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number, here
from reports.measures import MeasuresOf

PRIEST_TOLERANCE = 0.1
"""A Priest worth less than this many points a week counts as worth nothing."""
_SUITS = {"B": "blue", "R": "red", "Y": "yellow", "D": "Devil", "P": "Priest"}


def counts(played: KunitameArrays) -> Iterator[Counts]:
    """Yield how often each card wins a trick, of the times it was dealt or drawn."""
    masks = played.masks("card")
    names = [*masks]
    of = np.array([names.index(word) for word in played.vocabularies["card"]])
    held = (np.bitwise_count(played.hands & copies) for copies in masks.values())
    dealt = np.stack([each.sum(axis=(0, 1), dtype=np.int64) for each in held])
    drawn = played.raw.get("devil")
    if drawn is not None:
        cards = drawn["card"].to_physical().to_numpy()
        dealt += add_up(dealt.shape, (of[cards], played.game_index(drawn)))
    winners = of[played.won_with].reshape(-1, played.size)
    games = np.broadcast_to(np.arange(played.size), winners.shape)
    won = add_up(dealt.shape, (winners.reshape(-1), games.reshape(-1)))
    yield grid("won when dealt", won, dealt, card=names)


def _with_suit(rows: pl.DataFrame) -> pl.DataFrame:
    """Add the rank and the suit of each card, and sort by them."""
    suit = pl.col("card").str.slice(0, 1).replace(_SUITS)
    rank = pl.col("card").str.slice(1).cast(pl.Int64, strict=False).fill_null(0)
    return rows.with_columns(suit=suit, rank=rank).sort("rank", "card")


SECTION = ReportSection(
    id="cards",
    title="Cards",
    question="Which cards win tricks, and what is a Priest worth?",
    measures=(
        MeasuresOf("weeks", unit="points").mean(
            "edge of a Priest",
            "points of the week that one more Priest than the others at the table is "
            "worth",
            "edge",
            "spread",
        ),
        MeasuresOf(by="card").share(
            "won when dealt", "tricks won by the card, of the times it was dealt"
        ),
    ),
    tidy=tables,
    counts=counts,
    records=("contracts", "deal", "devil", "trick", "week"),
    tables=(
        MeasureTable(
            "cards-dealt",
            "Tricks won by a card, of the times it was dealt",
            "{players} players. Devils are drawn with contracts. Where Devils were "
            "drawn, not every card is played.",
            ("card", Number("won when dealt", "won")),
            only=here,
            rows=_with_suit,
            draw=heat("rank", "suit", "won, %"),
        ),
    ),
    claims=(
        BoundedClaim(
            "With {players} players one more Priest than the others at the table "
            "{verdict}: {value} points of the week ({who})",
            "edge of a Priest",
            {
                "within": "is worth hardly anything",
                "outside": "makes a difference",
                "undecided": "may or may not make a difference",
            },
            least=-PRIEST_TOLERANCE,
            most=PRIEST_TOLERANCE,
        ),
    ),
)
