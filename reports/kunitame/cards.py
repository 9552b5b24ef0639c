"""Cards: which win tricks, and what a Priest and each Devil are worth."""

import polars as pl

from reports.drawing import dots, heat
from reports.found import Found
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, overall, sure
from reports.words import (
    PLAYERS,
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
    share,
)

PRIEST_TOLERANCE = 0.1
"""A Priest that is worth less than this many points a week counts as worth nothing."""
ONE_GEM = "contract_limit=1"
"""The paired cells in which a contract brings just one Devil."""

MEASURES = [
    Measure("gained by priests", "weeks", pl.col("gained"), by=("priests",)),
    Measure("tricks by priests", "weeks", pl.col("tricks"), by=("priests",)),
    Measure("edge of a Priest", "weeks", pl.col("edge"), pl.col("spread")),
]
_CARD = Column("card", "card", "suit's initial and rank; D Devil, P Priest")
_EDGE = (
    "one more Priest (finding): sum over weeks and seats of (points - table's mean) * "
    "(Priests - table's mean) / sum of (Priests - table's mean)**2"
)


def section(found: Found) -> Section:
    """Win rates of cards; Priests and Devils in points."""
    return Section(
        "cards",
        "Cards",
        f"With {found.who}, {found.players} players where not said otherwise.",
        (
            _won(
                found,
                "cards-dealt",
                "won when dealt",
                "Tricks won by a card, of the times it was dealt",
                "Cards are dealt at random; Devils are drawn with contracts. Not every "
                "card is played where Devils were drawn.",
            ),
            _won(
                found,
                "cards-led",
                "won when led",
                "Tricks won by a card, of the times it was led",
                "A card is led by choice, so this is the leader's doing too.",
            ),
            _priests(found),
            _devils(devils(found)),
        ),
        _findings(found),
    )


def _won(found: Found, name: str, measure: str, title: str, note: str) -> Exhibit:
    rows = found.leading(measure, "rate", ("card",), players=found.players)
    return exhibit(
        name,
        title,
        note,
        _placed(found, rows),
        (
            _CARD,
            estimated("won", "share of the times that it won the trick", "share"),
            N,
        ),
        heat("rank", "suit", "won, %"),
    )


def _placed(found: Found, rows: pl.DataFrame) -> pl.DataFrame:
    """Cards by rank and suit, which they get as columns."""
    suits = {suit[0].upper(): suit for suit in found.rules["suits"]}
    suits |= {"D": "Devil", "P": "Priest"}
    order = list(suits)
    cards = rows["card"].to_list()
    columns = (
        pl.Series("suit", [suits[card[0]] for card in cards], dtype=pl.String),
        pl.Series("rank", [int(card[1:] or 0) for card in cards], dtype=pl.Int64),
        pl.Series("at", [order.index(card[0]) for card in cards], dtype=pl.Int64),
    )
    return rows.with_columns(columns).sort("rank", "at").drop("at")


def _priests(found: Found) -> Exhibit:
    keys = ("cell", "priests")
    rows = found.leading("gained by priests", "mean", ("priests",))
    tricks = found.leading("tricks by priests", "mean", ("priests",))
    return exhibit(
        "cards-priests",
        "Points won in a week, by Priests dealt",
        "Cards are dealt at random, so differences are the Priests' doing. A Priest of "
        "one seat is one less for the others.",
        joined(rows, named(tricks, keys, "tricks"), keys),
        (
            PLAYERS,
            Column("priests", "Priests", "dealt to the seat that week", "count"),
            estimated("points", "points won in the week, less those given back"),
            estimated("tricks", "tricks won in the week", name="tricks"),
            N,
        ),
        dots("priests", "points a week", by="players", only=pl.col("n") >= 100),
        _EDGE,
    )


def devils(found: Found) -> pl.DataFrame:
    """What a contract brings by the Devil drawn, where it was just one."""
    keys = ("strategy_declining", "devil")
    both = []
    for measure in ("week_more by Devil", "tricks_more by Devil"):
        rows = found.raw(measure, ("devil",)).filter(
            pl.col("changes") == ONE_GEM, pl.col("devil") != "several"
        )
        both.append(found.together(rows, keys))
    rows = joined(both[0], named(both[1], keys, "tricks"), keys)
    rank = pl.col("devil").str.slice(1).cast(pl.Int64)
    told = judge(rows["estimate"], rows["se"], 0.0, 0.0)
    words = ["differs" if one == "outside" else "not sure" for one in told]
    verdict = pl.Series("verdict", words, dtype=pl.String)
    rows = rows.with_columns(verdict, rank=rank).sort("strategy_declining", "rank")
    return rows.rename({"strategy_declining": "strategy"})


def _devils(rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "cards-devils",
        "What a contract of one gem brings in the week, by the Devil drawn",
        "The same deals with and without the contract, all weeks together, under rules "
        "that allow one contract gem. The Life gem is not in it; the play for the "
        "contract is, so compare Devils with one another.",
        rows,
        (
            STRATEGY,
            Column("devil", "Devil", "the card drawn"),
            estimated(
                "points", "points won in the week, with the contract less without"
            ),
            estimated(
                "tricks", "tricks won in the week, with less without", name="tricks"
            ),
            Column("verdict", "verdict", "from 0; Holm over the rows, 95 %"),
            N,
        ),
        dots(
            "devil", "points in the week, with less without", by="strategy", reference=0
        ),
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    told = (*_said_priest(found), *_said_cards(found), *_said_devils(found))
    return told or (Finding("Cards: no data.", "open", "cards"),)


def _said_priest(found: Found) -> tuple[Finding, ...]:
    rows = found.leading("edge of a Priest", "mean").drop_nulls("estimate")
    if rows.is_empty():
        return ()
    told = judge(rows["estimate"], rows["se"], -PRIEST_TOLERANCE, PRIEST_TOLERANCE)
    texts = [
        f"{number(row)} with {row['players']} players ({one})"
        for row, one in zip(rows.rows(named=True), told, strict=True)
    ]
    text = (
        f"One more Priest than the others at the table is worth, in points of the week "
        f"and against a tolerance of {PRIEST_TOLERANCE:g}, {listed(texts)} "
        f"({found.who})."
    )
    return (Finding(text, sure(overall(told)), "cards"),)


def _said_cards(found: Found) -> tuple[Finding, ...]:
    rows = found.leading("won when dealt", "rate", ("card",), players=found.players)
    rows = rows.drop_nulls("estimate").sort("estimate")
    if rows.is_empty():
        return ()
    texts = [f"{share(row)} ({row['card']})" for row in rows[[0, -1]].rows(named=True)]
    text = (
        f"With {found.players} players, of the times that it is dealt, the weakest "
        f"card wins a trick in {texts[0]}, the strongest in {texts[1]} ({found.who})."
    )
    return (Finding(text, "sure", "cards"),)


def _said_devils(found: Found) -> tuple[Finding, ...]:
    rows = devils(found).drop_nulls("low")
    rows = rows.filter(pl.col("strategy") == pl.col("strategy").first())
    if rows.height < 2:
        return ()
    texts = [
        f"{number(row)} with {row['devil']}" for row in rows[[0, -1]].rows(named=True)
    ]
    text = (
        f"A contract of one gem brings {listed(texts)} points in the week "
        f"({found.players} players, {rows['strategy'][0]} in every seat)."
    )
    return (Finding(text, "sure", "cards"),)
