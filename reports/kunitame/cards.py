"""Cards: which ones win tricks, and what a Priest and each Devil are worth."""

import polars as pl

from reports.figure_specs import dots, heat
from reports.formatting import join, join_words, number, renamed
from reports.game_report import ReportSection, SectionParts
from reports.kunitame import what_ifs
from reports.kunitame.square_counts import of_cards
from reports.kunitame.tidy_tables import tables
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge, overall, sureness
from reports.verdicts import how_tested, with_verdict

PRIEST_TOLERANCE = 0.1
"""A Priest worth less than this many points a week counts as worth nothing."""
ONE_GEM = "contract_limit=1"
"""The paired cells in which a contract brings only one Devil."""

_WEEKS, _CARDS = MeasuresOf("weeks", by="priests"), MeasuresOf(by="card")
_GAINED = "points won in the week, less those given back"
_MORE = "points of the week that one more Priest than the others at the table is worth"
MEASURES = (
    _WEEKS.mean("gained by priests", _GAINED, "gained", unit="points"),
    _WEEKS.mean("tricks by priests", "tricks won in the week", "tricks", unit="tricks"),
    _WEEKS.mean("edge of a Priest", _MORE, "edge", "spread", by="", unit="points"),
    _CARDS.share("won when dealt", "tricks won by the card, of the times it was dealt"),
    _CARDS.share(
        "won by cards",
        "tricks won by cards of the rank, of the times they were dealt or drawn",
        by="cards",
    ),
    _CARDS.share("led when dealt", "times it was led, of the times it was dealt"),
    _CARDS.share("won when led", "tricks won by the card, of the times it was led"),
)


def section(data: ReportData) -> SectionParts:
    """Yield win rates of cards, and points of Priests and Devils."""
    yield f"With {data.who}, {data.players} players unless stated otherwise."
    for name, when, note in (
        (
            "cards-dealt",
            "dealt",
            "Cards are dealt at random; Devils are drawn with contracts. Where Devils "
            "were drawn, not every card is played.",
        ),
        (
            "cards-led",
            "led",
            "Leaders choose the card, so this is due to them too.",
        ),
    ):
        won = Number(
            f"won when {when}", "won", "share of the times that it won the trick"
        )
        yield MeasureTable(
            name,
            f"Tricks won by a card, of the times it was {when}",
            note,
            ("card", won),
            only=data.leads(data.players),
            rows=lambda rows: _placed(data, rows),
            draw=heat("rank", "suit", "won, %"),
        )
    yield MeasureTable(
        "cards-priests",
        "Points won in a week, by Priests dealt",
        "Cards are dealt at random, so differences are due to the Priests. A Priest of "
        "one seat is one less for the others.",
        (
            "players",
            "priests",
            Number("gained by priests", "points"),
            Number("tricks by priests", "tricks", name="tricks"),
        ),
        draw=dots("priests", "points a week", by="players", only=pl.col("n") >= 100),
    )
    drawn = devils(data)
    doc = "points won in the week, with the contract less without"
    change = "points in the week, with less without"
    yield MeasureTable(
        "cards-devils",
        "What a contract of one gem brings in the week, by the Devil drawn",
        "The same deals with and without the contract, all weeks together, under rules "
        "that allow one contract gem. The Life gem does not count; playing for the "
        "contract does, so compare Devils with one another.",
        (
            "strategy",
            "devil",
            Number("week_more by Devil", "points", doc),
            Number("tricks_more by Devil", "tricks", name="tricks"),
            Column("verdict", "verdict", "from 0; Holm over the rows, 95 %"),
        ),
        rows=drawn,
        draw=dots("devil", change, by="strategy", reference=0),
    )
    yield from [*_of_priests(data)] or [Finding("Cards: no data.", "open")]


def _placed(data: ReportData, rows: pl.DataFrame) -> pl.DataFrame:
    """Add rank and suit of each card, and sort by them."""
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


def devils(data: ReportData) -> pl.DataFrame:
    """Return what a contract brings by the Devil drawn, where it was only one."""
    keys = ("strategy_declining", "devil")
    only = (pl.col("changes") == ONE_GEM) & (pl.col("devil") != "several")
    points = data.pooled("week_more by Devil", keys, only=only)
    tricks = data.pooled("tricks_more by Devil", keys, only=only)
    rows = join(points, renamed(tricks, keys, "tricks"), keys)
    unsure = dict.fromkeys(("within", "undecided"), "not sure")
    sure = dict.fromkeys(("above", "below"), "differs")
    rows = with_verdict(rows, 0, unsure | sure)
    rank = pl.col("devil").str.slice(1).cast(pl.Int64)
    rows = rows.with_columns(rank=rank).sort("strategy_declining", "rank")
    return rows.rename({"strategy_declining": "strategy"})


def _of_priests(data: ReportData) -> SectionParts:
    rows = data.leading("edge of a Priest").drop_nulls("estimate")
    if rows.is_empty():
        return
    verdicts = judge(rows["estimate"], rows["se"], -PRIEST_TOLERANCE, PRIEST_TOLERANCE)
    texts = [
        f"{number(row)} with {row['players']} players ({verdict})"
        for row, verdict in zip(rows.to_dicts(), verdicts, strict=True)
    ]
    text = (
        f"One more Priest than the others at the table is worth, in points of the week "
        f"and against a tolerance of {PRIEST_TOLERANCE:g}, {join_words(texts)} "
        f"({data.who})."
    )
    bounds = f"{PRIEST_TOLERANCE:g} points from nothing"
    tested = how_tested(bounds, "numbers of players", rows.height, data.games)
    yield Finding(text, sureness(overall(verdicts)), tested=tested)


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    of_cards,
    ("contracts", "deal", "devil", "trick", "week"),
    id="cards",
    title="Cards",
    question="Which cards win tricks, and what are Priests and Devils worth?",
    what_ifs=(what_ifs.DEVILS,),
)
