"""Bids: how often they come true, by hand and by action, and what they bring.

What is counted stands in ``bid_tables``.
"""

import polars as pl

from reports.drawing import dots, heat, lines
from reports.formatting import STRATEGY, estimated, joined, listed, named, number, share
from reports.game_report import ReportSection
from reports.kbernestich.bid_tables import MEASURES, STRONGEST, WEAKEST, tables
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, label
from reports.tabled import Number, beside, tabled, worded

ENOUGH = 100
"""Groups of fewer bids than this are not judged or drawn."""
_MANY = pl.col("n") >= ENOUGH
_FORMULA = (
    "strength = trumps dealt + icons and 12s dealt of other suits; "
    "points = 6 where it came true (or was saved) + misery bonus, per bid"
)


def section(data: ReportData) -> Section:
    """Made rates and points, by bid, by hand and by action."""
    bids, hands = _bids(data), _hands(data)
    return Section(
        "bids",
        "Bids",
        f"A cube in Hunch of Growth bids on a number of tricks for "
        f"{data.rules['hunch_points']} points; a bid of 0 also earns a misery bonus. "
        f"Each strategy at a table of its own kind, {data.players} players.",
        (_made(data, bids), _by_hand(data, hands), _by_action(data)),
        _findings(data, bids, hands),
    )


def _against(data: ReportData, rows: pl.DataFrame) -> pl.DataFrame:
    """Add points less those of a cube on Letter to Marie at the same tables."""
    letter = named(data.of("letter cube"), ("cell",), "letter")
    rows = joined(rows, letter, ("cell",))
    more = rows["points"] - rows["letter"]
    se = (rows["points_se"] ** 2 + rows["letter_se"] ** 2).sqrt()
    verdicts = judge(more, se, 0.0, 0.0)
    words = [
        "too few"
        if n < ENOUGH
        else "undecided"
        if verdict != "outside"
        else "brings more"
        if value > 0
        else "brings less"
        for verdict, value, n in zip(verdicts, more, rows["n"], strict=True)
    ]
    bids = data.rules["hunch"]
    said_ = [str(bids[at]) for at in rows["bid"]]
    return rows.with_columns(
        pl.Series("hunch", said_, dtype=pl.String),
        pl.Series("verdict", words, dtype=pl.String),
        more=more,
        more_low=more - 1.96 * se,
        more_high=more + 1.96 * se,
    )


def _bids(data: ReportData) -> pl.DataFrame:
    rows = beside(data, (*_BIDS, _OFTEN), data.alone)
    often = pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    return _against(data, rows.with_columns(often))


def _hands(data: ReportData) -> pl.DataFrame:
    rows = beside(data, _HANDS, data.leads(data.players))
    words = [
        f"{n} or {'fewer' if n == WEAKEST else 'more'}"
        if n in {WEAKEST, STRONGEST}
        else str(n)
        for n in rows["strength"]
    ]
    return _against(data, rows).with_columns(pl.Series("hand", words, dtype=pl.String))


_BID = Column("hunch", "bid", "tricks bid on")
_BIDS = (
    Number("bid made", "made"),
    Number("bid points", "points", name="points"),
    Number("bid misery", "misery", name="misery"),
)
_HANDS = (
    Number("bid made by hand", "made"),
    Number("bid points by hand", "points", name="points"),
)
_DOC = "such bids a round, of the whole table"
_OFTEN = Number("bids", "a round", _DOC, "often")
_MORE = (
    estimated(
        "against a letter",
        "points less those of a cube on Letter to Marie at "
        "the same tables, where the bids are taken",
        name="more",
    ),
    Column("verdict", "verdict", "whether it brings more; Holm over the table, 95 %"),
)


def _made(data: ReportData, bids: pl.DataFrame) -> Exhibit:
    return tabled(
        data,
        "bids-made",
        "How often bids come true, and what they bring",
        "Who bids plays for it, which may cost points elsewhere: the section Squares "
        "compares the same deals with and without the cube.",
        (STRATEGY, _BID, _OFTEN, *_BIDS, *_MORE),
        rows=bids,
        draw=heat("hunch", "strategy", "share made, %", ends=True, only=_MANY),
        formula=_FORMULA,
    )


def _by_hand(data: ReportData, hands: pl.DataFrame) -> Exhibit:
    strength = Column("hand", "strength", "trumps, and icons and 12s of other suits")
    return tabled(
        data,
        "bids-hand",
        "How often bids come true, by the strength of the hand",
        f"With {data.who}. The figure leaves out groups of fewer than {ENOUGH} bids.",
        (STRATEGY, _BID, strength, *_HANDS, *_MORE),
        rows=hands,
        draw=lines("strength", "share made, %", by="hunch", only=_MANY),
        formula=_FORMULA,
    )


def _by_action(data: ReportData) -> Exhibit:
    names = [*data.rules["actions"], "none"]
    return tabled(
        data,
        "bids-action",
        "How often bids come true with each action",
        "Who takes an action may differ in hand and bid from who does not. Saved: true "
        "only by Pessimism or Optimism, so made less saved is the rate without them.",
        (
            STRATEGY,
            Column("with", "action", "action of the seat in that round"),
            Number("bid made by action", "made"),
            Number("bid saved by action", "saved", name="saved"),
        ),
        only=data.alone,
        rows=worded("with", lambda at: names[at], "action"),
        draw=dots("with", "share made, %", by="strategy", only=_MANY),
    )


def _findings(
    data: ReportData, bids: pl.DataFrame, hands: pl.DataFrame
) -> tuple[Finding, ...]:
    lead = bids.filter(data.leads(), pl.col("verdict") != "too few")
    if lead.is_empty():
        return (Finding("Bids: too few were made to tell.", "open", "bids"),)
    texts = [
        f"{row['hunch']} comes true {share(row)} of the time and brings "
        f"{number(row, 'points')} points ({row['verdict']} than a letter)"
        if row["verdict"] != "undecided"
        else f"{row['hunch']} comes true {share(row)} of the time and brings "
        f"{number(row, 'points')} points (as a letter, or undecided)"
        for row in lead.rows(named=True)
    ]
    letter = number(lead.row(0, named=True), "letter")
    head = f"Bids, {data.players} players, {data.who}"
    text = f"{head}: {listed(texts)}; a cube on Letter to Marie brings {letter}."
    first = Finding(text, label(lead["verdict"]), "bids")
    return (first, _never(head, hands))


def _never(head: str, hands: pl.DataFrame) -> Finding:
    """Bids that bring less than a letter with every hand that takes them."""
    known = hands.filter(pl.col("verdict") != "too few")
    less = known.group_by("hunch", maintain_order=True).agg(
        (pl.col("verdict") == "brings less").all()
    )
    never = less.filter("verdict")["hunch"].to_list()
    text = (
        f"the bid{'s' if len(never) > 1 else ''} {listed(never)} bring"
        f"{'' if len(never) > 1 else 's'} less than a letter with every hand"
        if never
        else "no bid brings surely less than a letter with every hand that takes it"
    )
    return Finding(f"{head}, by the strength of the hand: {text}.", "", "bids")


SECTION = ReportSection(section, MEASURES, tables)
