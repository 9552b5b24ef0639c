"""Cards: which win tricks, and what a Priest and each Devil are worth."""

import polars as pl

from reports.drawing import dots, heat
from reports.formatting import joined, listed, named, number, share
from reports.game_report import ReportSection
from reports.kunitame.arrays import of_cards
from reports.kunitame.tables import tables
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, overall, sure
from reports.tabled import Number, tabled

PRIEST_TOLERANCE = 0.1
"""A Priest that is worth less than this many points a week counts as worth nothing."""
ONE_GEM = "contract_limit=1"
"""The paired cells in which a contract brings just one Devil."""

_OF_CARDS = {
    "won when dealt": "tricks won by the card, of the times it was dealt",
    "led when dealt": "times it was led, of the times it was dealt",
    "won when led": "tricks won by the card, of the times it was led",
}
MEASURES = (
    Measure(
        "gained by priests",
        "points won in the week, less those given back",
        "mean",
        "weeks",
        pl.col("gained"),
        by=("priests",),
        unit="points",
    ),
    Measure(
        "tricks by priests",
        "tricks won in the week",
        "mean",
        "weeks",
        pl.col("tricks"),
        by=("priests",),
        unit="tricks",
    ),
    Measure(
        "edge of a Priest",
        "points of the week that one more Priest than the others at the table is worth",
        "mean",
        "weeks",
        pl.col("edge"),
        pl.col("spread"),
        unit="points",
    ),
    *(Measure(name, doc, "share", by=("card",)) for name, doc in _OF_CARDS.items()),
)
_EDGE = (
    "one more Priest (finding): sum over weeks and seats of (points - table's mean) * "
    "(Priests - table's mean) / sum of (Priests - table's mean)**2"
)


def section(data: ReportData) -> Section:
    """Win rates of cards; Priests and Devils in points."""
    return Section(
        "cards",
        "Cards",
        f"With {data.who}, {data.players} players where not said otherwise.",
        (
            _won(
                data,
                "cards-dealt",
                "won when dealt",
                "Tricks won by a card, of the times it was dealt",
                "Cards are dealt at random; Devils are drawn with contracts. Not every "
                "card is played where Devils were drawn.",
            ),
            _won(
                data,
                "cards-led",
                "won when led",
                "Tricks won by a card, of the times it was led",
                "A card is led by choice, so this is the leader's doing too.",
            ),
            _priests(data),
            _devils(data),
        ),
        _findings(data),
    )


def _won(data: ReportData, name: str, measure: str, title: str, note: str) -> Exhibit:
    won = Number(measure, "won", "share of the times that it won the trick")
    return tabled(
        data,
        name,
        title,
        note,
        ("card", won),
        only=data.leads(data.players),
        rows=lambda rows: _placed(data, rows),
        draw=heat("rank", "suit", "won, %"),
    )


def _placed(data: ReportData, rows: pl.DataFrame) -> pl.DataFrame:
    """Cards by rank and suit, which they get as columns."""
    suits = {suit[0].upper(): suit for suit in data.rules["suits"]}
    suits |= {"D": "Devil", "P": "Priest"}
    order = list(suits)
    cards = rows["card"].to_list()
    columns = (
        pl.Series("suit", [suits[card[0]] for card in cards], dtype=pl.String),
        pl.Series("rank", [int(card[1:] or 0) for card in cards], dtype=pl.Int64),
        pl.Series("at", [order.index(card[0]) for card in cards], dtype=pl.Int64),
    )
    return rows.with_columns(columns).sort("rank", "at").drop("at")


def _priests(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "cards-priests",
        "Points won in a week, by Priests dealt",
        "Cards are dealt at random, so differences are the Priests' doing. A Priest of "
        "one seat is one less for the others.",
        (
            "players",
            "priests",
            Number("gained by priests", "points"),
            Number("tricks by priests", "tricks", name="tricks"),
        ),
        draw=dots("priests", "points a week", by="players", only=pl.col("n") >= 100),
        formula=_EDGE,
    )


def devils(data: ReportData) -> pl.DataFrame:
    """What a contract brings by the Devil drawn, where it was just one."""
    keys = ("strategy_declining", "devil")
    only = (pl.col("changes") == ONE_GEM) & (pl.col("devil") != "several")
    points = data.pooled("week_more by Devil", keys, only=only)
    tricks = data.pooled("tricks_more by Devil", keys, only=only)
    rows = joined(points, named(tricks, keys, "tricks"), keys)
    rank = pl.col("devil").str.slice(1).cast(pl.Int64)
    verdicts = judge(rows["estimate"], rows["se"], 0.0, 0.0)
    words = ["differs" if one == "outside" else "not sure" for one in verdicts]
    verdict = pl.Series("verdict", words, dtype=pl.String)
    rows = rows.with_columns(verdict, rank=rank).sort("strategy_declining", "rank")
    return rows.rename({"strategy_declining": "strategy"})


def _devils(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "cards-devils",
        "What a contract of one gem brings in the week, by the Devil drawn",
        "The same deals with and without the contract, all weeks together, under rules "
        "that allow one contract gem. The Life gem is not in it; the play for the "
        "contract is, so compare Devils with one another.",
        (
            "strategy",
            "devil",
            Number(
                "week_more by Devil",
                "points",
                "points won in the week, with the contract less without",
            ),
            Number("tricks_more by Devil", "tricks", name="tricks"),
            Column("verdict", "verdict", "from 0; Holm over the rows, 95 %"),
        ),
        rows=devils(data),
        draw=dots(
            "devil", "points in the week, with less without", by="strategy", reference=0
        ),
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    values = (*_said_priest(data), *_said_cards(data), *_said_devils(data))
    return values or (Finding("Cards: no data.", "open", "cards"),)


def _said_priest(data: ReportData) -> tuple[Finding, ...]:
    rows = data.leading("edge of a Priest").drop_nulls("estimate")
    if rows.is_empty():
        return ()
    verdicts = judge(rows["estimate"], rows["se"], -PRIEST_TOLERANCE, PRIEST_TOLERANCE)
    texts = [
        f"{number(row)} with {row['players']} players ({one})"
        for row, one in zip(rows.rows(named=True), verdicts, strict=True)
    ]
    text = (
        f"One more Priest than the others at the table is worth, in points of the week "
        f"and against a tolerance of {PRIEST_TOLERANCE:g}, {listed(texts)} "
        f"({data.who})."
    )
    return (Finding(text, sure(overall(verdicts)), "cards"),)


def _said_cards(data: ReportData) -> tuple[Finding, ...]:
    rows = data.leading("won when dealt", players=data.players)
    rows = rows.drop_nulls("estimate").sort("estimate")
    if rows.is_empty():
        return ()
    texts = [f"{share(row)} ({row['card']})" for row in rows[[0, -1]].rows(named=True)]
    text = (
        f"With {data.players} players, of the times that it is dealt, the weakest "
        f"card wins a trick in {texts[0]}, the strongest in {texts[1]} ({data.who})."
    )
    return (Finding(text, "", "cards"),)


def _said_devils(data: ReportData) -> tuple[Finding, ...]:
    rows = devils(data).drop_nulls("low")
    rows = rows.filter(pl.col("strategy") == pl.col("strategy").first())
    if rows.height < 2:
        return ()
    texts = [
        f"{number(row)} with {row['devil']}" for row in rows[[0, -1]].rows(named=True)
    ]
    text = (
        f"A contract of one gem brings {listed(texts)} points in the week "
        f"({data.players} players, {rows['strategy'][0]} in every seat)."
    )
    return (Finding(text, "", "cards"),)


SECTION = ReportSection(section, MEASURES, tables, of_cards)
