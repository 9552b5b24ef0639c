"""Colours: who sets what a card of a colour is worth, and whom it serves."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.drawing import bars, dots, lines
from reports.formatting import listed, number
from reports.game_report import ReportSection
from reports.kbernestich.played import SUITS, PlayedGames
from reports.kbernestich.rows import flat, said, suit_masks
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.positions import in_words
from reports.report_data import ReportData
from reports.tabled import Number, beside, tabled

_CARDS, _POINTS = pl.col("mine"), pl.col("value")
_MORE = pl.col("players") * _CARDS - pl.col("cards")
_READ: dict[str, pl.Expr] = {
    "setter": _CARDS,
    "leader": pl.col("leader"),
    "last": pl.col("last"),
}


def _mean(name: str, doc: str, value: pl.Expr, by: str, per: str = "") -> Measure:
    each = pl.col(per) if per else pl.lit(1)
    return Measure(name, doc, "mean", "colours", value, each, by=(by,))


_OFTEN, _VALUE = "colours set so, a game", "mean value set"
_SETTER = "cards that the setter wins above the mean"
_AHEAD = "value * cards of the setter above the table's mean"
_GAIN = "points to a seat, on the mean"
MEASURES = (
    Measure("colours set", _OFTEN, "per game", "colours", by=("value", "place")),
    Measure("colours valued", _OFTEN, "per game", "colours", by=("value",)),
    _mean("colour value", "mean value that this place sets", _POINTS, "place"),
    _mean("colour more", _SETTER, _MORE, "value", "players"),
    _mean("colour value by rank", _VALUE, _POINTS, "standing"),
    _mean("colour more by rank", _SETTER, _MORE, "standing", "players"),
    _mean("colour value by strategy", _VALUE, _POINTS, "strategy"),
    _mean("colour more by strategy", _AHEAD, _MORE * _POINTS, "strategy", "players"),
    *(
        _mean(f"{who} cards", f"cards of it that the {who} wins", cards, "value")
        for who, cards in _READ.items()
    ),
    *(
        _mean(f"{who} gains", f"points to the {who}", cards * _POINTS, "standing")
        for who, cards in _READ.items()
    ),
    _mean("all gain", _GAIN, pl.col("cards") * _POINTS, "standing", "players"),
)
_FORMULA = (
    "more = cards of the colour won by the setter - mean of the table; points = value "
    "* cards, before any bust"
)


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a colour that was set by a cube.

    place: of the setter, after the start player of the round; standing: his rank before
    the round, from 1. mine, leader, last, cards: cards of it won in the round by the
    setter, by the leader and the last before the round, and by all.
    """
    parts = [_of_suit(played, at) for at in range(played.suits)]
    return {"colours": pl.concat(parts)}


def _of_suit(played: PlayedGames, at: int) -> pl.DataFrame:
    squares = [n for n in played.squares if n.startswith(f"from-{SUITS[at]}-")]
    setting = (played.placed & played.bits(squares)) != 0
    rows = np.flatnonzero(setting.any(axis=1))
    setter = setting.argmax(axis=1)
    cards = np.bitwise_count(played.won & suit_masks(played)[at])
    each = setter.shape

    def of(values: Array, seat: Array) -> Array:
        mine: Array = np.take_along_axis(values, seat[:, None], axis=1)[:, 0]
        return mine

    leader = (played.standing == 0).argmax(axis=1)
    last = (played.standing == played.players - 1).argmax(axis=1)
    columns = {
        "game": played.game,
        "value": played.values[:, at],
        "place": (setter - played.start.astype(np.int64)) % played.players,
        "standing": of(played.standing, setter) + np.uint8(1),
        "mine": of(cards, setter).astype(np.int16),
        "leader": of(cards, leader).astype(np.int16),
        "last": of(cards, last).astype(np.int16),
        "cards": cards.sum(axis=1, dtype=np.int16),
        "players": np.array([[played.players]], dtype=np.int16),
    }
    strategy = played.strategy[setter, np.arange(played.size)].reshape(-1)[rows]
    found = {name: flat(values, each)[rows] for name, values in columns.items()}
    return pl.DataFrame({**found, "strategy": said(played, strategy)})


def section(data: ReportData) -> Section:
    """Values, their setters and whom they serve."""
    return Section(
        "colours",
        "Values of colours",
        "One cube a colour in Letter from Marie says what each card of it is worth, to "
        f"everybody. {data.players} players.",
        (_values(data), _places(data), _served(data), _strategies(data)),
        _findings(data),
    )


def _values(data: ReportData) -> Exhibit:
    often = pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    numbers = (
        Number("colour more", "more"),
        *(Number(f"{name} cards", name, name=name) for name in _READ),
    )
    set_ = Number("colours valued", "colours", "colours set so a round", "often")
    rows = beside(data, (*numbers, set_), data.leads(data.players))
    return tabled(
        data,
        "colours-value",
        "Who wins the cards of a colour, by its value",
        f"With {data.who}. Leader and last: before the round.",
        ("value", set_, *numbers),
        rows=rows.with_columns(
            often, n=pl.col("n") / data.players, words=pl.format("value {}", "value")
        ),
        draw=dots("words", "setter's cards above the table's mean", reference=0),
        formula=_FORMULA,
    )


def _places(data: ReportData) -> Exhibit:
    rounds = pl.col("estimate", "low", "high") / data.rules["rounds"]
    numbers = (
        Number("colours set", "set", "colours set so, a round"),
        Number("colour value", "mean value", name="mean"),
    )
    rows = beside(data, numbers, data.leads(data.players))
    rows = in_words("start player")(rows)
    return tabled(
        data,
        "colours-place",
        "Who sets colours, by position after the start player",
        f"With {data.who}.",
        (
            Column("where", "setter", "position after the start player of the round"),
            "value",
            *numbers,
        ),
        rows=rows.with_columns(rounds, words=pl.format("value {}", "value")).sort(
            "place", "value"
        ),
        draw=bars("where", "colours set, a round", "words"),
    )


_RANKED = (
    Number("colour value by rank", "value", name="colour value by rank"),
    Number("colour more by rank", "more"),
    Number("setter gains", "setter", name="setter gains"),
    Number("leader gains", "leader", name="leader gains"),
    Number("last gains", "last", name="last gains"),
    Number("all gain", "mean", name="all gain"),
)


def _ranked(data: ReportData) -> pl.DataFrame:
    first, more, *others = _RANKED
    rows = beside(data, (more, first, *others), data.leads(data.players))
    ends = {1: "the leader", data.players: "the last"}
    words = [ends.get(rank, f"rank {rank}") for rank in rows["standing"]]
    return rows.with_columns(
        pl.Series("setter", words, dtype=pl.String), n=pl.col("n") / data.players
    )


def _served(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "colours-rank",
        "Whom a colour serves, by the rank of who set it",
        f"With {data.who}. Points are those of one colour, before any bust; ranks are "
        "those before the round.",
        (Column("setter", "set by", "rank before the round"), *_RANKED),
        rows=_ranked(data),
        draw=lines("standing", "setter's cards above the table's mean", reference=0),
        formula=_FORMULA,
    )


def _strategies(data: ReportData) -> Exhibit:
    numbers = (
        Number("colour more by strategy", "ahead"),
        Number("colour value by strategy", "mean value", name="mean"),
    )
    rows = beside(data, numbers, data.alone)
    return tabled(
        data,
        "colours-strategy",
        "What setting a colour brings each strategy above the others",
        "Each strategy at a table of its own kind.",
        ("strategy", *reversed(numbers)),
        rows=rows.with_columns(n=pl.col("n") / data.players),
        draw=dots("strategy", "points above the table's mean, a colour", reference=0),
        formula=_FORMULA,
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    head = f"Values of colours, {data.players} players, {data.who}"
    only = data.leads(data.players)
    rows = data.of("colour more", only=only)
    if rows.is_empty():
        return (Finding(f"{head}: nobody sets one.", "open", "colours"),)
    texts = [
        f"{number(row)} of a colour worth {row['value']}"
        for row in rows.rows(named=True)
    ]
    text = f"{head}: the setter wins so many cards above the mean: {listed(texts)}."
    ranks = _ranked(data).rows(named=True)
    served = [
        f"set by {row['setter']} (mean value {number(row, 'colour value by rank')}): "
        f"{number(row, 'setter gains')} to the setter, {number(row, 'leader gains')} "
        f"to the leader, {number(row, 'last gains')} to the last"
        for row in (ranks[0], ranks[-1])
    ]
    whom = f"{head}: a colour brings these points, before busts, {'; '.join(served)}."
    return (Finding(text, "", "colours"), Finding(whom, "", "colours"))


SECTION = ReportSection(section, MEASURES, tables)
