"""What each User and Action is worth: drawn, and played, against without.

Drawn: chance draws a card of each opening hand, and the same deal is played with it and
with it discarded (``sim.socialism.trial``). Played: at one turn the game is played on
with each card of the hand, on the same chance; a card's worth is how often its player
wins with it, less the mean of the other cards in hand.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.figure_specs import dots
from reports.formatting import join_words, points, share
from reports.game_arrays import GameArrays
from reports.game_report import ReportSection, SectionParts, Tables, WhatIfs
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.option_differences import compare_options
from reports.paired_differences import PairedDifferences, drawn_cards
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.verdicts import how_tested, with_verdict

TOLERANCE = 0.02
"""A card that changes the win share by less than 2 points makes little difference."""
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
    MeasuresOf("options", where=pl.col("once")).share(
        "deciding plays", "turns in which the card played decides who wins", "decides"
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


def section(data: ReportData) -> SectionParts:
    """Yield what each card is worth, in hand and played."""
    deciding, tried = data.leading("deciding plays"), pl.col("kind") == "tried"
    drawn = _judged(data.pooled("drawn", ("card",), only=tried))
    played = _judged(data.leading("played", players=data.players))
    yield (
        f"With {data.who}. Both comparisons play the same games with one thing "
        "changed; afterwards all play on as before. A strategy that played a card "
        "better would make it worth more."
    )
    if drawn.height:
        title = "In the opening hand, against without"
        yield _table(data, "drawn", title, _DRAW, drawn)
    title = "Played, against another card of the hand"
    yield _table(data, "played", title, _PLAY, played)
    yield MeasureTable(
        "worth-decides",
        "How often the card played decides",
        "Turns tried in which the player wins with some cards in hand, and not with "
        "others.",
        ("players", Number("deciding plays", "turns")),
    )
    yield from _findings(data, drawn, "in the opening hand, against without")
    what = f"played in round {ROUND}, against another card of the hand"
    yield from _findings(data, played, what)
    values = [
        f"{share(row)} of the games with {row['players']} players"
        for row in deciding.to_dicts()
    ]
    yield Finding(
        f"The card played in the first turn of round {ROUND} decides whether its "
        f"player wins in {join_words(values) or 'no data'}, {data.who}.",
        "" if values else "open",
    )


def _judged(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the best cards first, with verdicts; all cards are one family."""
    rows = rows.drop_nulls("estimate")
    rows = rows.sort("estimate", "card", descending=[True, False])
    words = {"above": "gains", "below": "costs", "within": "little"}
    return with_verdict(rows, TOLERANCE, words)


def _table(
    data: ReportData, measure: str, title: str, note: str, rows: pl.DataFrame
) -> MeasureTable:
    verdict = Column("verdict", "verdict", "against 2 points; Holm over the cards")
    return MeasureTable(
        f"worth-{measure}",
        title,
        f"{data.players} players. {note}",
        ("card", Number(measure, "win share"), verdict),
        rows=rows,
        draw=dots("card", "win share, percentage points", reference=0),
    )


def _findings(data: ReportData, rows: pl.DataFrame, what: str) -> SectionParts:
    """Say which cards are shown to gain, or cost, more than 2 points."""
    head = f"Worth, {data.players} players, {data.who}"
    if rows.is_empty():
        yield Finding(f"{head}, {what}: no data.", "open")
    tested = how_tested("2 points", "cards", rows.height, data.games)
    for word, verb in (("gains", "gained"), ("costs", "lost")):
        sure = simultaneous_intervals(rows).filter(verdict=word)
        texts = [f"{row['card']} {points(row)}" for row in sure.to_dicts()]
        if texts:
            text = f"{head}: {what}, more than 2 points are {verb} with"
            yield Finding(f"{text} {join_words(texts)}.", "sure", tested=tested)
    unsure = rows.filter(verdict="undecided").sort("n")
    for rarest in unsure.head(1).to_dicts():
        text = (
            f"{head}: {what}, {unsure.height} of {rows.height} cards are undecided "
            "against 2 points: few hands have a card of one or two copies "
            f"({rarest['card']} {points(rarest)} points)."
        )
        yield Finding(text, "open", tested=tested)


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
SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    id="worth",
    title="What each card is worth",
    question="What is each card worth, in hand and played?",
    what_ifs=(WHAT_IFS,),
)
