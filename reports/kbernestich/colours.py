"""Colours: who sets what a card of a colour is worth, and who profits."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.figure_specs import bars, dots, lines
from reports.formatting import join_words, number
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich.cube_flow import START
from reports.kbernestich.game_arrays import SUITS, KbernestichArrays
from reports.kbernestich.labels import rank_words
from reports.measure_tables import MeasureTable, Number, WordColumn, side_by_side
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding

_WHO = {"setter": pl.col("mine"), "leader": pl.col("leader"), "last": pl.col("last")}
_POINTS = pl.col("value")
_MORE = pl.col("players") * pl.col("mine") - pl.col("cards")
_OFTEN, _VALUE = "colours set to this value, per game", "mean value set"
_SETTER = "cards that the setter wins above the mean"
_AHEAD = "value * cards of the setter above the table's mean"
_GAIN = "mean points to a seat"
_BY_VALUE = MeasuresOf("colours", by="value")
_BY_RANK = MeasuresOf("colours", by="standing")
_BY_STRATEGY = MeasuresOf("colours", by="strategy")
MEASURES = (
    _BY_VALUE.per_game("colours set", _OFTEN, by="value position"),
    _BY_VALUE.per_game("colours valued", _OFTEN),
    _BY_VALUE.mean(
        "colour value", "mean value that this place sets", "value", by="position"
    ),
    _BY_VALUE.mean("colour more", _SETTER, _MORE, "players"),
    _BY_RANK.mean("colour value by rank", _VALUE, "value"),
    _BY_RANK.mean("colour more by rank", _SETTER, _MORE, "players"),
    _BY_STRATEGY.mean("colour value by strategy", _VALUE, "value"),
    _BY_STRATEGY.mean("colour more by strategy", _AHEAD, _MORE * _POINTS, "players"),
    *(
        _BY_VALUE.mean(f"{who} cards", f"cards of it that the {who} wins", cards)
        for who, cards in _WHO.items()
    ),
    *(
        _BY_RANK.mean(f"{who} gains", f"points to the {who}", cards * _POINTS)
        for who, cards in _WHO.items()
    ),
    _BY_RANK.mean("all gain", _GAIN, pl.col("cards") * _POINTS, "players"),
)
_ABOVE = "setter's cards above the table's mean"
_RANKED = (
    Number("colour value by rank", "value", name="colour value by rank"),
    Number("colour more by rank", "more"),
    Number("setter gains", "setter", name="setter gains"),
    Number("leader gains", "leader", name="leader gains"),
    Number("last gains", "last", name="last gains"),
    Number("all gain", "mean", name="all gain"),
)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per colour that was set by a cube.

    position: the setter's, 1 for the start player of the round; standing: the setter's
    rank before the round, from 1. mine, leader, last, cards: cards of it won in the
    round by the setter, by the leader and the last before the round, and by all.
    """
    parts = [_of_suit(played, at) for at in range(played.suits)]
    return {"colours": pl.concat(parts)}


def _of_suit(played: KbernestichArrays, at: int) -> pl.DataFrame:
    squares = [n for n in played.squares if n.startswith(f"from-{SUITS[at]}-")]
    setting = (played.placed & played.bits(squares)) != 0
    setter = setting.argmax(axis=1)
    cards = np.bitwise_count(played.won & played.suit_masks[at])

    def of(values: Array, seat: Array) -> Array:
        mine: Array = np.take_along_axis(values, seat[:, None], axis=1)[:, 0]
        return mine

    leader = (played.standing == 0).argmax(axis=1)
    last = (played.standing == played.players - 1).argmax(axis=1)
    columns = {
        "strategy": played.strategy[setter, np.arange(played.size)],
        "value": played.values[:, at],
        "position": (setter - played.start.astype(np.int64)) % played.players + 1,
        "standing": of(played.standing, setter) + np.uint8(1),
        "mine": of(cards, setter).astype(np.int16),
        "leader": of(cards, leader).astype(np.int16),
        "last": of(cards, last).astype(np.int16),
        "cards": cards.sum(axis=1, dtype=np.int16),
        "players": np.int16(played.players),
    }
    return played.frame(setter.shape, columns, np.flatnonzero(setting.any(axis=1)))


def section(data: ReportData) -> SectionParts:
    """Yield values of colours, who sets them and who profits."""
    ranked = _ranked(data)
    yield (
        "In Letter from Marie one cube per colour says what each card of it is worth, "
        f"to everybody. {data.players} players."
    )
    yield _values(data)
    yield _positions(data)
    words = rank_words(data.players)
    yield MeasureTable(
        "colours-rank",
        "Who profits from a colour, by the setter's rank",
        f"With {data.who}. Points are from one colour, before any bust; ranks are "
        "those before the round.",
        (
            WordColumn("setter", "set by", "rank before the round", words, "standing"),
            *_RANKED,
        ),
        rows=ranked,
        draw=lines("standing", _ABOVE, reference=0),
    )
    numbers = (
        Number("colour more by strategy", "ahead"),
        Number("colour value by strategy", "mean value", name="mean"),
    )
    rows = side_by_side(data, numbers, data.uniform)
    yield MeasureTable(
        "colours-strategy",
        "What setting a colour brings each strategy above the others",
        "Each strategy at a table of its own kind.",
        ("strategy", *reversed(numbers)),
        rows=rows.with_columns(n=pl.col("n") / data.players),
        draw=dots("strategy", "points above the table's mean, per colour", reference=0),
    )
    yield from _findings(data, ranked)


def _values(data: ReportData) -> MeasureTable:
    rates = pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    numbers = (
        Number("colour more", "more"),
        *(Number(f"{name} cards", name, name=name) for name in _WHO),
    )
    set_ = Number("colours valued", "colours", "set to this value, per round", "often")
    rows = side_by_side(data, (*numbers, set_), data.leads(data.players))
    return MeasureTable(
        "colours-value",
        "Who wins the cards of a colour, by its value",
        f"With {data.who}. Leader and last: before the round.",
        ("value", set_, *numbers),
        rows=rows.with_columns(
            rates, n=pl.col("n") / data.players, words=pl.format("value {}", "value")
        ),
        draw=dots("words", _ABOVE, reference=0),
    )


def _positions(data: ReportData) -> MeasureTable:
    rounds = pl.col("estimate", "low", "high") / data.rules["rounds"]
    words = pl.format("value {}", "value")

    def ordered(rows: pl.DataFrame) -> pl.DataFrame:
        rows = START(rows).with_columns(rounds, words=words)
        return rows.sort("position", "value")

    return MeasureTable(
        "colours-place",
        "Who sets colours, by position after the start player",
        f"With {data.who}.",
        (
            Column("where", "setter", "position after the start player of the round"),
            "value",
            Number("colours set", "set", "colours set to this value, per round"),
            Number("colour value", "mean value", name="mean"),
        ),
        only=data.leads(data.players),
        rows=ordered,
        draw=bars("where", "colours set per round", "words"),
    )


def _ranked(data: ReportData) -> pl.DataFrame:
    first, more, *others = _RANKED
    rows = side_by_side(data, (more, first, *others), data.leads(data.players))
    return rows.with_columns(n=pl.col("n") / data.players)


def _findings(data: ReportData, ranked: pl.DataFrame) -> SectionParts:
    head = f"Values of colours, {data.players} players, {data.who}"
    rows = data.leading("colour more", players=data.players)
    if rows.is_empty():
        yield Finding(f"{head}: nobody sets one.", "open")
        return
    texts = [
        f"{number(row)} of a colour worth {row['value']}" for row in rows.to_dicts()
    ]
    text = f"{head}: cards that the setter wins above the mean: {join_words(texts)}."
    yield Finding(text, "")
    words = rank_words(data.players)
    served = [
        f"set by {words(row['standing'])} "
        f"(mean value {number(row, 'colour value by rank')}): "
        f"{number(row, 'setter gains')} to the setter, {number(row, 'leader gains')} "
        f"to the leader, {number(row, 'last gains')} to the last player"
        for row in ranked[[0, -1]].to_dicts()
    ]
    profits = f"{head}: points that a colour brings, before busts, {'; '.join(served)}."
    yield Finding(profits, "")


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("deal", "score", "sheet"),
    id="colours",
    title="Values of colours",
    question="Who sets the values of the colours, and who profits?",
)
