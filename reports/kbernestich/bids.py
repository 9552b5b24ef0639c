"""Bids, counted in ``bid_tables``: how often they come true, and what they bring."""

import polars as pl

from reports.counterfactuals import counterfactual_parts
from reports.figure_specs import dots, heat
from reports.formatting import (
    STRATEGY,
    estimated,
    join,
    join_words,
    number,
    renamed,
    share,
    subtract,
)
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich import cube_counterfactuals
from reports.kbernestich.bid_tables import MEASURES, tables
from reports.measure_tables import MeasureTable, Number, WordColumn, side_by_side
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import label
from reports.verdicts import how_tested, with_verdict

ENOUGH = 100
"""Groups with fewer bids than this are neither judged nor drawn."""
_ENOUGH_GAMES = pl.col("n") >= ENOUGH
_BID = Column("hunch", "bid", "tricks bid on")
_BIDS = (
    Number("bid made", "made"),
    Number("bid points", "points", name="points"),
    Number("bid misery", "misery", name="misery"),
)
_OFTEN = Number(
    "bids", "a round", "bids on this number per round, of the whole table", "often"
)
_AGAINST = (
    "points of the bids that are made, less those of a cube on Letter to Marie at the "
    "same tables"
)
_MORE = (
    estimated("against a letter", _AGAINST, name="more"),
    Column("verdict", "verdict", "whether it brings more; Holm over the table, 95 %"),
)
_WORDS = {"above": "brings more", "below": "brings less", "within": "undecided"}


def section(data: ReportData) -> SectionParts:
    """Yield how often bids come true and what they bring, by bid and by action."""
    bids = _bids(data)
    yield (
        f"A cube in Hunch of Growth bids on a number of tricks for "
        f"{data.rules['hunch_points']} points; a bid of 0 also earns a misery bonus. "
        f"Each strategy at a table of its own kind, {data.players} players."
    )
    yield MeasureTable(
        "bids-made",
        "How often bids come true, and what they bring",
        "Bidders play for their bid, which may cost points elsewhere: see below for "
        "bids tried on the same deals.",
        (STRATEGY, _BID, _OFTEN, *_BIDS, *_MORE),
        rows=bids,
        draw=heat("hunch", "strategy", "share made, %", ends=True, only=_ENOUGH_GAMES),
    )
    names = [*data.rules["actions"], "none"]
    doc = "action of the seat in that round"
    yield MeasureTable(
        "bids-action",
        "How often bids come true with each action",
        "Players who take an action may hold other cards and make other bids than "
        "those who do not. Saved: true only by Pessimism or Optimism, so made less "
        "saved is the rate without them.",
        (
            STRATEGY,
            WordColumn("with", "action", doc, names.__getitem__, "action"),
            Number("bid made by action", "made"),
            Number("bid saved by action", "saved", name="saved"),
        ),
        only=data.uniform,
        draw=dots("with", "share made, %", by="strategy", only=_ENOUGH_GAMES),
    )
    yield from _findings(data, bids)
    yield from counterfactual_parts(
        cube_counterfactuals.BIDS, data, pl.col("option").str.starts_with("hunch")
    )


def _bids(data: ReportData) -> pl.DataFrame:
    rows = side_by_side(data, (*_BIDS, _OFTEN), data.uniform)
    per_round = pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    return _against(data, rows.with_columns(per_round))


def _against(data: ReportData, rows: pl.DataFrame) -> pl.DataFrame:
    """Add points less those of a cube on Letter to Marie, and a verdict."""
    letter = renamed(data.of("letter cube"), ("cell",), "letter")
    rows = subtract(join(rows, letter, ("cell",)), "points", "letter", "more")
    verdict = pl.when(~_ENOUGH_GAMES).then(pl.lit("too few")).otherwise("verdict")
    words = [str(data.rules["hunch"][at]) for at in rows["bid"]]
    return with_verdict(rows, 0, _WORDS, "more").with_columns(
        pl.Series("hunch", words, dtype=pl.String), verdict=verdict
    )


def _findings(data: ReportData, bids: pl.DataFrame) -> SectionParts:
    lead = bids.filter(data.leads(), pl.col("verdict") != "too few")
    if lead.is_empty():
        yield Finding("Bids: too few to tell.", "open")
        return
    than = {"undecided": "undecided against a letter"}
    texts = [
        f"{row['hunch']} comes true {share(row)} of the time and brings "
        f"{number(row, 'points')} points "
        f"({than.get(row['verdict'], row['verdict'] + ' than a letter')})"
        for row in lead.to_dicts()
    ]
    letter = number(lead.row(0, named=True), "letter")
    head = f"Bids, {data.players} players, {data.who}"
    text = f"{head}: {join_words(texts)}; a cube on Letter to Marie brings {letter}."
    tested = how_tested("as a letter", "bids and strategies", bids.height, data.games)
    yield Finding(text, label(lead["verdict"]), tested=tested)


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("plot", "score", "sheet"),
    id="bids",
    title="Bids",
    question="Which bids are made and met, and what is each worth?",
    what_ifs=(cube_counterfactuals.WHAT_IFS,),
)
