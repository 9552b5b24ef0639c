"""Busts: how often a base exceeds the bust value, and what Hannah's Grace earns."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.figure_specs import dots, lines
from reports.formatting import estimated, join_words, number, share
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.labels import rank_words
from reports.measure_tables import MeasureTable, Number, WordColumn, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding

_OVER = "share of the seats without Grace that bust"
_LOST = "points that a seat loses by busting, per round"
_USE = "earned less cost, per use"
_BUSTS = MeasuresOf("busts", by="bust")
_SETTERS = MeasuresOf("busts", by="bust standing", where=pl.col("standing") > 0)
_BASES = MeasuresOf("bases", by="strategy")
_GRACES = MeasuresOf("graces", by="strategy")
_NET = pl.col("earned") - pl.col("cost")
_OTHERS = (pl.col("over") - pl.col("mine"), pl.col("seats") - pl.col("me"))
MEASURES = (
    _BUSTS.share("over", _OVER, "over", "seats"),
    _BUSTS.mean("over lost", _LOST, "lost", "seats"),
    _BUSTS.per_game("bust rounds", "rounds with this value per game"),
    _BUSTS.share("over by setter", _OVER, "over", "seats", by="bust standing"),
    _SETTERS.share("setter over", "share of the setters that bust", "mine", "me"),
    _SETTERS.share("others over", "share of the other seats", *_OTHERS),
    _BASES.share("over by strategy", _OVER, "over", "seats"),
    _BASES.mean("lost by strategy", _LOST, "lost", "seats"),
    _GRACES.share("grace over", "share of bases over the bust value", "over"),
    _GRACES.mean(
        "grace earned", "points it brought: the base less the bust value", "earned"
    ),
    _GRACES.mean("grace cost", "points of bases that do not exceed", "cost"),
    _GRACES.mean("grace net", _USE, _NET),
    _GRACES.mean("grace earned by bust", _USE, _NET, by="strategy bust"),
)
_ENOUGH_GAMES = pl.col("n") >= 100  # groups with fewer are neither named nor drawn
_GRACE = (
    Number("grace over", "exceeds", name="over"),
    Number("grace earned", "earned", name="earned"),
    Number("grace cost", "cost", name="cost"),
    Number("grace net", "net"),
)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per round; a row per seat of a game; a row per use of Grace.

    seats: those without Grace, of which ``over`` exceed the bust value and lose points
    (lost). standing: the setter's rank, 0 for nobody; me: whether the setter is without
    Grace; mine: whether the setter busts.
    """
    bare = (played.placed & played.area("grace")) == 0
    over = played.base > played.bust[:, None]
    lost = played.base * (over & bare)
    setting = (played.placed & played.area("zabine")) != 0

    def over_seats(values: Array) -> Array:
        return values.sum(axis=1, dtype=np.int16)

    def over_rounds(values: Array) -> Array:
        return values.sum(axis=0, dtype=np.int16)

    rounds = {
        "bust": played.bust,
        "standing": over_seats(setting * (played.standing + 1)),
        "seats": over_seats(bare),
        "over": over_seats(over & bare),
        "lost": over_seats(lost),
        "me": over_seats(setting & bare),
        "mine": over_seats(setting & bare & over),
    }
    bases = {
        "strategy": played.strategy,
        "seats": over_rounds(bare),
        "over": over_rounds(over & bare),
        "lost": over_rounds(lost),
    }
    graces = {
        "strategy": played.strategy,
        "bust": played.bust[:, None],
        "over": over,
        "earned": played.from_,
        "cost": played.base * ~over,
    }
    return {
        "busts": played.frame(played.bust.shape, rounds),
        "bases": played.frame(played.strategy.shape, bases),
        "graces": played.frame(over.shape, graces, np.flatnonzero(~bare)),
    }


def section(data: ReportData) -> SectionParts:
    """Yield busts by value, by setter and by strategy, and what Grace earns."""
    graced = side_by_side(data, (_GRACE[-1], *_GRACE[:-1]), data.uniform)
    yield (
        "The base is the points per card of each colour times the cards won. A base "
        "over the bust value brings nothing; with Hannah's Grace only what exceeds it "
        f"counts. {data.players} players."
    )
    yield _values(data)
    rank = "the setter's rank before the round"
    yield MeasureTable(
        "busts-setter",
        "Busts by who set the bust value",
        f"With {data.who}; seats without Grace.",
        (
            "bust",
            WordColumn("setter", "set by", rank, rank_words(data.players), "standing"),
            Number("over by setter", "over"),
            Number("setter over", "setter", name="own"),
            Number("others over", "others", name="others"),
        ),
        only=data.leads(data.players),
        draw=lines("bust", "seats that bust, %", by="setter", only=_ENOUGH_GAMES),
    )
    yield MeasureTable(
        "busts-strategy",
        "How often each strategy busts",
        "Each strategy at a table of its own kind; seats without Grace.",
        (
            "strategy",
            Number("over by strategy", "over"),
            Number("lost by strategy", "lost", name="lost"),
        ),
        only=data.uniform,
        draw=dots("strategy", "seats that bust, %"),
    )
    yield MeasureTable(
        "busts-grace",
        "What Hannah's Grace earns and costs",
        "The same cards won, with and without the cube. A cube elsewhere would have "
        "brought points, too: see Squares.",
        ("strategy", *_GRACE),
        rows=graced,
        draw=dots("strategy", "points a use, net", reference=0),
    )
    yield from _findings(data, graced)


def _values(data: ReportData) -> MeasureTable:
    per_round = pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    rounds = "share of the rounds with this value"
    numbers = (Number("over", "over"), Number("over lost", "lost", name="lost"))
    of_game = Number("bust rounds", "rounds", name="often")
    rows = side_by_side(data, (*numbers, of_game), data.leads(data.players))
    return MeasureTable(
        "busts-value",
        "How often a base exceeds the bust value",
        f"With {data.who}; seats without Grace. The bust value is "
        f"{data.rules['bust_default']} if nobody sets it.",
        ("bust", estimated("rounds", rounds, "share", "often"), *numbers),
        rows=rows.with_columns(per_round, value=pl.format("bust value {}", "bust")),
        draw=dots("value", "seats that bust, %"),
    )


def _findings(data: ReportData, graced: pl.DataFrame) -> SectionParts:
    head = f"{data.players} players, {data.who}"
    rows = data.leading("over", players=data.players).filter(_ENOUGH_GAMES)
    if rows.is_empty():
        yield Finding("Busts: no data.", "open")
        return
    texts = [f"{share(row)} at {row['bust']}" for row in rows.to_dicts()]
    text = f"Busts, {head}: of the seats without Grace {join_words(texts)} bust."
    yield Finding(text, "")
    graces = graced.filter(data.leads(), _ENOUGH_GAMES)
    for row in graces.to_dicts():
        text = (
            f"Hannah's Grace, {head}: the base exceeds the bust value in "
            f"{share(row, 'over')} of its uses; it earns {number(row, 'earned')} "
            f"points a use and costs {number(row, 'cost')}, net {number(row)} on the "
            "same cards."
        )
        yield Finding(text, "")
    if graces.is_empty():
        yield Finding(f"Hannah's Grace, {head}: used too rarely to tell.", "open")


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("score", "sheet"),
    id="busts",
    title="Busts and Hannah's Grace",
    question="How often do players bust, and what does Hannah's Grace bring?",
)
