"""Cards: how often each is caught in hand, what it then adds, what being dealt it does.

A card that is still in hand when a round ends adds its points, doubled for every
Special in that hand and for the way in which the round ends. A Special also doubles
the rest of the hand: all that would have been saved without it counts for it.
"""

import numpy as np
import polars as pl

from reports.counts import Array, Counts
from reports.counts import grid_of_rows as grid
from reports.devil.formatting import CARD, card_place, card_words, with_verdict
from reports.devil.played import PlayedGames
from reports.drawing import dots
from reports.formatting import Row, estimated, exhibit, joined, listed, named, number
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import overall, sure

TOLERANCE = 0.5
"""A card that brings half a point less or more to whoever is dealt it is even."""
_BY = ("card",)
_CAUGHT = "share of the copies in the deck that are in a hand when a round ends"
MEASURES = (
    Measure("card left", _CAUGHT, "share", by=_BY),
    Measure("card caught", "points saved without it, a copy caught", "mean", by=_BY),
    Measure("card doubled", "its points, doubled, a copy caught", "mean", by=_BY),
    Measure("card of points", "share of the points added", "share", by=_BY),
    Measure("card dealt", "points added in the round for a copy dealt", "mean", by=_BY),
)
_FORMULA = (
    "caught = points added - points that would be added had this one card not been in "
    "hand. dealt = slope, within rounds, of a seat's points added on the copies dealt "
    "to it: sum of (points - mean of the round) * copies / sum of (copies - mean of "
    "the round) * copies"
)


def counts(played: PlayedGames) -> list[Counts]:
    """Sums by kind of card, (kinds, rounds) each, over all seats."""
    kinds, game = played.kinds, played.game
    if not len(game):
        return []
    left = played.held(played.rounds.each("hands"))
    here, own, caught = left.sum(axis=1), *_caught(played, left)
    whole = np.array([played.copies(kind).bit_count() for kind in kinds])
    total = played.added.sum(axis=0)
    dealt, seats = played.held(played.dealt), played.players
    apart = seats * played.added - total
    slope = (dealt * apart).sum(axis=1)
    spread = (dealt * (seats * dealt - dealt.sum(axis=1, keepdims=True))).sum(axis=1)
    return [
        grid("card left", game, here, whole[:, None], card=kinds),
        grid("card caught", game, caught, here, card=kinds),
        grid("card doubled", game, own, here, card=kinds),
        grid("card of points", game, own, total, card=kinds),
        grid("card dealt", game, slope, spread, card=kinds),
    ]


def _caught(played: PlayedGames, left: Array) -> tuple[Array, Array]:
    """(kinds, rounds) each: points of the cards themselves, and what they add."""
    points, cost = (played.rounds.each(name) for name in ("points", "cost"))
    ending = played.added // np.maximum(cost, 1)  # what the end multiplies by
    special = [kind.endswith("S") for kind in played.kinds]
    doubled = left[special].sum(axis=0)  # how many Specials are in hand
    times = ending << doubled
    worth = np.array([played.worth(kind) for kind in played.kinds])[:, None, None]
    own = left * worth * times
    half = ending << np.maximum(doubled - 1, 0)
    caught = own.copy()
    caught[special] = left[special] * half * (points + worth[special])
    return own.sum(axis=1), caught.sum(axis=1)


def section(data: ReportData) -> Section:
    """A table of all cards, what they add, and what being dealt them does."""
    table = cards(data)
    return Section(
        "cards",
        "Cards: value in hand, and danger",
        f"With {data.who}, {data.players} players.",
        (_caught_table(table), _dealt_table(table), _of_points(table)),
        _findings(data, table),
    )


def cards(data: ReportData) -> pl.DataFrame:
    """A row a kind of card."""
    table = pl.DataFrame({"card": []}, schema={"card": pl.String})
    for name in ("left", "caught", "doubled", "of points", "dealt"):
        rows = data.leading(f"card {name}", players=data.players)
        rows = named(rows, _BY, name)
        table = joined(table, rows, _BY) if table.height else rows
    order = sorted(table["card"], key=card_place)
    place = {card: at for at, card in enumerate(order)}
    words = [card_words(card) for card in table["card"]]
    worth = [worth_of(data, card) for card in table["card"]]
    table = table.with_columns(
        pl.Series("place", [place[card] for card in table["card"]], dtype=pl.Int64),
        pl.Series("words", words, dtype=pl.String),
        pl.Series("worth", worth, dtype=pl.Int64),
    ).sort("place")
    return with_verdict(table, TOLERANCE, "dealt", ("burden", "boon"))


def worth_of(data: ReportData, card: str) -> int:
    """The points of a card, nothing doubled."""
    other = {"blank": "blank_points", "oni": "onifuda_points"}
    if card in other:
        return int(data.rules[other[card]])
    return int(data.rules["points"][int(card.removesuffix("S")) - 1])


_WORTH = Column("worth", "points", "points of the card, nothing doubled", "count")


def _caught_table(table: pl.DataFrame) -> Exhibit:
    return exhibit(
        "cards-caught",
        "What a card adds when it is caught in hand at the end of a round",
        "Its own points as doubled by Specials in that hand and by the way the round "
        "ended; and all that would have been saved without it, which for a Special "
        "counts the half of the hand's cost that it doubles.",
        table,
        (
            CARD,
            _WORTH,
            estimated("caught", _CAUGHT, "share", "left"),
            estimated(
                "own points", "its points, doubled, a copy caught", name="doubled"
            ),
            estimated("adds", "points saved without it, a copy caught", name="caught"),
            Column("caught_n", "n", "copies caught in hand", "count"),
        ),
        dots("words", "points that a copy in hand adds", "caught"),
        _FORMULA,
    )


def _dealt_table(table: pl.DataFrame) -> Exhibit:
    return exhibit(
        "cards-dealt",
        "What being dealt a card does",
        "Points of the round that a seat is added more than the others of its table "
        "for each copy dealt to it; the deal is random. More is worse. Verdict: "
        f"{TOLERANCE:g} points; Holm over the cards.",
        table,
        (
            CARD,
            _WORTH,
            estimated(
                "dealt", "points added in the round for a copy dealt", name="dealt"
            ),
            Column("verdict", "verdict", "burden: adds points; boon: saves points"),
            Column("left_n", "n", "rounds, times the copies in the deck", "count"),
        ),
        dots(
            "words",
            "points added for a copy dealt (fewer are better)",
            "dealt",
            reference=0,
        ),
    )


def _of_points(table: pl.DataFrame) -> Exhibit:
    return exhibit(
        "cards-points",
        "Which cards the points come from",
        "Share of all points added in all rounds, each card with its own points as "
        "they were doubled; the shares add up to 100 %.",
        table,
        (
            CARD,
            _WORTH,
            estimated(
                "of all points", "share of the points added", "share", "of points"
            ),
            Column("of points_n", "n", "points added", "count"),
        ),
        dots("words", "share of all points added, %", "of points"),
    )


def _findings(data: ReportData, table: pl.DataFrame) -> tuple[Finding, ...]:
    head = f"{data.players} players, {data.who}"
    known = table.drop_nulls(["caught", "dealt"])
    if known.is_empty():
        return (Finding("Cards: no round ended.", "open", "cards"),)
    caught = known.sort("caught", descending=True).rows(named=True)
    text = (
        f"Danger, {head}, points added by a card caught in hand: most by "
        f"{listed([_said(row, 'caught') for row in caught[:3]])}; least by "
        f"{_said(caught[-1], 'caught')}."
    )
    verdicts = known["verdict"].to_list()
    worst, best = (
        known.filter(verdict=word).sort("dealt", descending=word == "burden")
        for word in ("burden", "boon")
    )
    plain = [{"burden": "outside", "boon": "outside"}.get(v, v) for v in verdicts]
    open_ = verdicts.count("undecided")
    value = (
        f"Value, {head}: being dealt a card surely adds more than {TOLERANCE:g} points "
        f"for {_list(worst)}; surely saves as much for {_list(best)}; {open_} of "
        f"{known.height} kinds of card are undecided."
    )
    return (
        Finding(text, "", "cards"),
        Finding(value, "likely" if open_ else sure(overall(plain)), "cards"),
    )


def _list(rows: pl.DataFrame) -> str:
    return listed([_said(row, "dealt") for row in rows.rows(named=True)]) or "none"


def _said(row: Row, name: str) -> str:
    article = "an" if row["card"] in {"8", "oni"} else "a"
    return f"{article} {row['words']} ({number(row, name)})"


SECTION = ReportSection(section, MEASURES, counts=counts)
