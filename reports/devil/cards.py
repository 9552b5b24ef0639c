"""Cards: how often each is caught in hand, what it adds then, and what it does dealt.

A card still in hand when a round ends adds its points, doubled for every Special in
that hand and for the way in which the round ends. A Special also doubles the rest of
the hand: all that would have been saved without it counts as its own.
"""

import numpy as np
import polars as pl

from reports.counts import Array, Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays, hand_points
from reports.devil.labels import CARD, card_place, card_words
from reports.figure_specs import dots
from reports.formatting import Row, join_words, number
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import MeasureTable, Number, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.simultaneous_intervals import simultaneous_intervals
from reports.verdicts import how_tested, with_verdict

TOLERANCE = 0.5
"""A card that adds or saves up to half a point for the seat dealt it is even."""
_CAUGHT = "share of the copies in the deck that are in a hand when a round ends"
_CARDS = MeasuresOf(by="card")
MEASURES = (
    _CARDS.share("card left", _CAUGHT),
    _CARDS.mean("card caught", "points saved without it, for a copy caught"),
    _CARDS.mean("card doubled", "its points, doubled, for a copy caught"),
    _CARDS.share("card of points", "share of the points added"),
    _CARDS.mean("card dealt", "points added in the round for a copy dealt"),
)
_LEFT = Number("card left", "caught")
_DOUBLED = Number("card doubled", "own points", name="doubled")
_ADDS = Number("card caught", "adds", name="caught")
_OF_POINTS = Number("card of points", "of all points", name="of points")
_DEALT = Number("card dealt", "dealt", name="dealt")


def counts(played: DevilArrays) -> list[Counts]:
    """Count copies and points by kind of card, (kinds, rounds) each, over all seats."""
    kinds, game = played.kinds, played.game_of
    if not len(game):
        return []
    left = played.held(played.rounds.each("hands"))
    caught_copies, own_points, caught = left.sum(axis=1), *_caught(played, left)
    whole = np.array([played.copies(kind).bit_count() for kind in kinds])
    total = played.added.sum(axis=0)
    dealt, seats = played.held(played.dealt), played.players
    above_mean = seats * played.added - total
    slope = (dealt * above_mean).sum(axis=1)
    spread = (dealt * (seats * dealt - dealt.sum(axis=1, keepdims=True))).sum(axis=1)
    return [
        grid_of_rows("card left", game, caught_copies, whole[:, None], card=kinds),
        grid_of_rows("card caught", game, caught, caught_copies, card=kinds),
        grid_of_rows("card doubled", game, own_points, caught_copies, card=kinds),
        grid_of_rows("card of points", game, own_points, total, card=kinds),
        grid_of_rows("card dealt", game, slope, spread, card=kinds),
    ]


def _caught(played: DevilArrays, left: Array) -> tuple[Array, Array]:
    """Return points of the cards themselves and what they add, (kinds, rounds) each."""
    points, cost = (played.rounds.each(name) for name in ("points", "cost"))
    ending = played.added // np.maximum(cost, 1)  # the factor of the round's end
    special = [kind.endswith("S") for kind in played.kinds]
    doubled = left[special].sum(axis=0)  # number of Specials in hand
    times = ending << doubled
    worth = np.array([hand_points(played.rules, kind) for kind in played.kinds])
    worth = worth[:, None, None]
    own = left * worth * times
    half = ending << np.maximum(doubled - 1, 0)
    caught = own.copy()
    caught[special] = left[special] * half * (points + worth[special])
    return own.sum(axis=1), caught.sum(axis=1)


def section(data: ReportData) -> SectionParts:
    """Yield what each card adds when caught, what it does when dealt, and its share."""
    table = cards(data)
    worth = Column("worth", "points", "points of the card, nothing doubled", "count")
    yield f"With {data.who}, {data.players} players."
    yield MeasureTable(
        "cards-caught",
        "What a card adds when it is caught in hand at the end of a round",
        "Its own points, doubled by Specials in that hand and by the way the round "
        "ended; and all that would have been saved without it, which for a Special "
        "includes the half of the hand's cost that it doubles.",
        (CARD, worth, _LEFT, _DOUBLED, _ADDS),
        rows=table,
        draw=dots("words", "points that a copy in hand adds", "caught"),
        n=Column("caught_n", "n", "copies caught in hand", "count"),
    )
    more = "points added for a copy dealt (fewer are better)"
    sides = Column("verdict", "verdict", "burden: adds points; boon: saves points")
    yield MeasureTable(
        "cards-dealt",
        "What being dealt a card does",
        "Points of the round that each copy dealt to a seat adds to it, compared with "
        "the others of its table; the deal is random. More is worse. Verdict: "
        f"{TOLERANCE:g} points; Holm over the cards.",
        (CARD, worth, _DEALT, sides),
        rows=table,
        draw=dots("words", more, "dealt", reference=0),
        n=Column("n", "n", "rounds, times the copies in the deck", "count"),
    )
    yield MeasureTable(
        "cards-points",
        "Which cards the points come from",
        "Share of all points added in all rounds, by each card's own points, doubled; "
        "the shares add up to 100 %.",
        (CARD, worth, _OF_POINTS),
        rows=table,
        draw=dots("words", "share of all points added, %", "of points"),
        n=Column("of points_n", "n", "points added", "count"),
    )
    yield from _findings(data, table)


def cards(data: ReportData) -> pl.DataFrame:
    """Return a row per kind of card, with all numbers and a verdict."""
    numbers = (_LEFT, _ADDS, _DOUBLED, _OF_POINTS, _DEALT)
    table = side_by_side(data, numbers, data.leads(data.players))
    order = pl.Enum(sorted(table["card"], key=card_place))
    worth = [hand_points(data.rules, card) for card in table["card"]]
    table = table.with_columns(pl.Series("worth", worth, dtype=pl.Int64))
    table = table.sort(pl.col("card").cast(order))
    return with_verdict(table, TOLERANCE, {"above": "burden", "below": "boon"}, "dealt")


def _findings(data: ReportData, table: pl.DataFrame) -> SectionParts:
    head = f"{data.players} players, {data.who}"
    known = table.drop_nulls(["caught", "dealt"])
    if known.is_empty():
        yield Finding("Cards: no round ended.", "open")
        return
    known = simultaneous_intervals(simultaneous_intervals(known, "caught"), "dealt")
    caught = known.sort("caught", descending=True).to_dicts()
    text = (
        f"Danger, {head}, points added by a card caught in hand: most by "
        f"{join_words([_card_number(row, 'caught') for row in caught[:3]])}; least by "
        f"{_card_number(caught[-1], 'caught')}."
    )
    yield Finding(text, "")
    worst, best = (
        known.filter(verdict=word).sort("dealt", descending=word == "burden")
        for word in ("burden", "boon")
    )
    undecided = known.filter(verdict="undecided").height
    text = (
        f"Value, {head}: being dealt a card adds more than {TOLERANCE:g} points for "
        f"{_list(worst)}; it saves as much for {_list(best)}; {undecided} of "
        f"{known.height} kinds of card are undecided."
    )
    tested = how_tested(f"{TOLERANCE:g} points", "cards", table.height, data.games)
    yield Finding(text, "likely" if undecided else "sure", tested=tested)


def _list(rows: pl.DataFrame) -> str:
    texts = [_card_number(row, "dealt") for row in rows.to_dicts()]
    return join_words(texts) or "none"


def _card_number(row: Row, name: str) -> str:
    article = "an" if row["card"] in {"8", "oni"} else "a"
    return f"{article} {card_words(row['card'])} ({number(row, name)})"


SECTION = ReportSection(
    section,
    MEASURES,
    counts=counts,
    records=("deal", "round"),
    id="cards",
    title="Cards: value in hand, and danger",
    question="What is each card worth in hand, and which are dangerous to keep?",
)
