"""What each User and Action is worth: drawn, and played, against without.

Drawn: chance draws a card of each opening hand, and the same deal is played with it and
with it discarded (``sim.socialism.trial``). Played: at one turn the game is played on
with each card of the hand, on the same chance; a card's worth is how often its player
wins with it, less the mean of the other cards in hand.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.bounded_claims import RowsClaim
from reports.figure_specs import dots
from reports.game_arrays import GameArrays
from reports.game_report import ReportSection, Tables, WhatIfs
from reports.measure_tables import MeasureTable, Number, VerdictColumn, here
from reports.measures import MeasuresOf
from reports.option_differences import compare_options
from reports.paired_differences import PairedDifferences, drawn_cards

ROUND = 5
"""Cards are tried in the first turn of this round: mixed hands, a full board."""
PARTS = 4  # experiments on deals; more make intervals smaller
_WHOLE = 60  # multiplied by it, a mean of up to six other cards is a whole number
_DRAWN = "games won with the card in the opening hand less without, on the same deals"
_PLAYED = "games won if this card is played, less if another of the hand is"
_EACH = _WHOLE * pl.col("more") // pl.col("others")
MEASURES = (
    MeasuresOf("options", by="card", unit="pp").mean(
        "played", _PLAYED, _EACH, pl.lit(_WHOLE)
    ),
)
_DRAW = (
    "Chance draws a card of each hand, which stays or is discarded: one hand has a "
    "card less, so every card can be worth something."
)
_PLAY = (
    f"In the first turn of round {ROUND}, each card of the hand is played in turn; "
    "intervals are wide where few hands have the card."
)
DRAWN = MeasuresOf("trials", by="card", unit="pp").mean("drawn", _DRAWN, "more")


def branching(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which plays are tried: those of the first turn of a round."""
    return tuple(
        {
            "decisions": ("play",),
            "moment": ("turn", players * (ROUND - 1) + 1),
            "players": (players,),
        }
        for players in (2, 3, 4, 5)
    )


def tables(played: GameArrays) -> Tables:
    """Return a row per card tried, compared with the other cards of the hand."""
    rows = compare_options(played.raw, {"play": played.vocabularies["card"]})
    return {"options": rows.rename({"option": "card"})}


DEALS = PairedDifferences(
    "trials", GameArrays, lambda played, _: {"more": played.victory}, drawn_cards
)
WHAT_IFS = WhatIfs(
    trials=lambda _: tuple({"part": part} for part in range(1, PARTS + 1)),
    counterfactuals=branching,
    pairs=DEALS,
    measures=(DRAWN,),
    records=("result", "trial"),
)


def _best_first(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.sort("estimate", "card", descending=[True, False])


def _worth(
    measure: str, title: str, note: str, *, paired: bool = False
) -> MeasureTable:
    words = {"above": "gains", "below": "costs", "within": "little"}
    return MeasureTable(
        f"worth-{measure}",
        title,
        f"{{players}} players. {note}",
        ("card", Number(measure, "win share"), VerdictColumn(0.02, "2 points", words)),
        only=here,
        where=pl.col("estimate").is_not_null(),
        paired=paired,
        rows=_best_first,
        draw=dots("card", "win share, percentage points", reference=0),
    )


IN_HAND = _worth("drawn", "In the opening hand, against without", _DRAW, paired=True)
IN_PLAY = _worth("played", "Played, against another card of the hand", _PLAY)
_PHRASES = {
    "above": "more than 2 points are gained with",
    "below": "more than 2 points are lost with",
}
SECTION = ReportSection(
    id="worth",
    title="What each card is worth",
    question="What is each card worth, in hand and played?",
    intro="With {who}. Both comparisons play the same games with one thing changed; "
    "afterwards all play on as before. A strategy that played a card better would make "
    "it worth more.",
    measures=MEASURES,
    tidy=tables,
    tables=(IN_HAND, IN_PLAY),
    claims=(
        RowsClaim(
            "Cards in the opening hand, against without, {players} players, {who}",
            IN_HAND,
            "card",
            _PHRASES,
            many=6,
        ),
        RowsClaim(
            f"Cards played in round {ROUND}, against another card of the hand, "
            "{players} players, {who}",
            IN_PLAY,
            "card",
            _PHRASES,
            many=6,
        ),
    ),
    what_ifs=(WHAT_IFS,),
)
