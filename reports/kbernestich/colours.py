"""Colours: who sets what a card of a colour is worth, and whom it serves."""

import numpy as np
import polars as pl

from reports.drawing import bars, dots, lines
from reports.found import Found
from reports.grids import Array
from reports.kbernestich.played import SUITS, Played
from reports.kbernestich.rows import alone, flat, said, suit_masks
from reports.kbernestich.words import place_name
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.words import (
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
)

_CARDS, _POINTS = pl.col("mine"), pl.col("value")
_MORE = pl.col("players") * _CARDS - pl.col("cards")
_ALL = pl.col("players")
_READ: tuple[tuple[str, pl.Expr], ...] = (
    ("setter", _CARDS),
    ("leader", pl.col("leader")),
    ("last", pl.col("last")),
)
MEASURES = [
    Measure("colours set", "colours", pl.lit(1), by=("value", "place")),
    Measure("colours valued", "colours", pl.lit(1), by=("value",)),
    Measure("colour value", "colours", _POINTS, by=("place",)),
    Measure("colour more", "colours", _MORE, _ALL, by=("value",)),
    Measure("colour value by rank", "colours", _POINTS, by=("standing",)),
    Measure("colour more by rank", "colours", _MORE, _ALL, by=("standing",)),
    Measure("colour value by strategy", "colours", _POINTS, by=("strategy",)),
    Measure("colour more by strategy", "colours", _MORE * _POINTS, _ALL,
            by=("strategy",)),
    *(Measure(f"{who} cards", "colours", cards, by=("value",))
      for who, cards in _READ),
    *(Measure(f"{who} gains", "colours", cards * _POINTS, by=("standing",))
      for who, cards in _READ),
    Measure("all gain", "colours", pl.col("cards") * _POINTS, _ALL,
            by=("standing",)),
]  # fmt: skip
DOCS = {
    "colours": {
        "game": "number of the game in its run",
        "strategy": "who set the colour",
        "value": "points a card of it",
        "place": "places of the setter after the start player of the round",
        "standing": "rank of the setter before the round, from 1",
        "mine": "cards of the colour that the setter won in the round",
        "leader": "cards that the leader before the round won",
        "last": "cards that the last before the round won",
        "cards": "cards that all won",
        "players": "players",
    }
}
_FORMULA = (
    "more = cards of the colour won by the setter - mean of the table; points = value "
    "* cards, before any bust"
)


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a colour that was set by a cube."""
    parts = [_of_suit(played, at) for at in range(played.suits)]
    return {"colours": pl.concat(parts)}


def _of_suit(played: Played, at: int) -> pl.DataFrame:
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
    school = played.school[setter, np.arange(played.size)].reshape(-1)[rows]
    found = {name: flat(values, each)[rows] for name, values in columns.items()}
    return pl.DataFrame({**found, "strategy": said(played, school)})


def section(found: Found) -> Section:
    """Values, their setters and whom they serve."""
    return Section(
        "colours",
        "Values of colours",
        "One cube a colour in Letter from Marie says what each card of it is worth, to "
        f"everybody. {found.players} players.",
        (_values(found), _places(found), _served(found), _schools(found)),
        _findings(found),
    )


def _values(found: Found) -> Exhibit:
    only, by = found.leads(found.players), ("value",)
    keys = ("cell", *by)
    rows = found.of("colour more", "mean", by, only=only)
    for name, _ in _READ:
        part = found.of(f"{name} cards", "mean", by, only=only)
        rows = joined(rows, named(part, keys, name), keys)
    often = named(found.of("colours valued", "per_game", by, only=only), keys, "often")
    often = often.with_columns(
        pl.col("often", "often_low", "often_high") / found.rules["rounds"]
    )
    rows = joined(rows, often, keys)
    return exhibit(
        "colours-value",
        "Who wins the cards of a colour, by its value",
        f"With {found.who}. Leader and last: before the round.",
        rows.with_columns(
            n=pl.col("n") / found.players, words=pl.format("value {}", "value")
        ),
        (
            Column("value", "value", "points a card", "count"),
            estimated("colours", "colours set so a round", name="often"),
            estimated("more", "cards of it that the setter wins above the mean"),
            *(estimated(name, f"cards of it that the {name} wins", name=name)
              for name, _ in _READ),
            N,
        ),
        dots("words", "setter's cards above the table's mean", reference=0),
        _FORMULA,
    )  # fmt: skip


def _places(found: Found) -> Exhibit:
    only, keys = found.leads(found.players), ("cell", "place")
    rows = found.of("colours set", "per_game", ("value", "place"), only=only)
    mean = named(found.of("colour value", "mean", ("place",), only=only), keys, "mean")
    words = [place_name(place) for place in rows["place"]]
    rounds = pl.col("estimate", "low", "high") / found.rules["rounds"]
    return exhibit(
        "colours-place",
        "Who sets colours, by place after the start player",
        f"With {found.who}.",
        joined(rows, mean, keys).with_columns(
            rounds,
            pl.Series("where", words, dtype=pl.String),
            words=pl.format("value {}", "value"),
        ).sort("place", "value"),
        (
            Column("where", "setter", "place after the start player of the round"),
            Column("value", "value", "points a card", "count"),
            estimated("set", "colours set so, a round"),
            estimated("mean value", "mean value that this place sets", name="mean"),
            N,
        ),
        bars("where", "colours set, a round", "words"),
    )  # fmt: skip


def _ranked(found: Found) -> pl.DataFrame:
    only, by = found.leads(found.players), ("standing",)
    keys = ("cell", *by)
    rows = found.of("colour more by rank", "mean", by, only=only)
    read = ("colour value by rank", "setter gains", "leader gains", "last gains",
            "all gain")  # fmt: skip
    for name in read:
        part = found.of(name, "mean", by, only=only)
        rows = joined(rows, named(part, keys, name), keys)
    ends = {1: "the leader", found.players: "the last"}
    words = [ends.get(rank, f"rank {rank}") for rank in rows["standing"]]
    return rows.with_columns(
        pl.Series("setter", words, dtype=pl.String), n=pl.col("n") / found.players
    )


def _served(found: Found) -> Exhibit:
    return exhibit(
        "colours-rank",
        "Whom a colour serves, by the rank of who set it",
        f"With {found.who}. Points are those of one colour, before any bust; ranks are "
        "those before the round.",
        _ranked(found),
        (
            Column("setter", "set by", "rank before the round"),
            estimated("value", "mean value set", name="colour value by rank"),
            estimated("more", "cards that the setter wins above the mean"),
            estimated("setter", "points to the setter", name="setter gains"),
            estimated("leader", "points to the leader", name="leader gains"),
            estimated("last", "points to the last", name="last gains"),
            estimated("mean", "points to a seat, on the mean", name="all gain"),
            N,
        ),
        lines("standing", "setter's cards above the table's mean", reference=0),
        _FORMULA,
    )


def _schools(found: Found) -> Exhibit:
    only, by = alone(found), ("strategy",)
    keys = ("cell", *by)
    rows = found.of("colour more by strategy", "mean", by, only=only)
    mean = found.of("colour value by strategy", "mean", by, only=only)
    return exhibit(
        "colours-strategy",
        "What setting a colour brings each strategy above the others",
        "Each strategy at a table of its own kind.",
        joined(rows, named(mean, keys, "mean"), keys).with_columns(
            n=pl.col("n") / found.players
        ),
        (
            STRATEGY,
            estimated("mean value", "mean value set", name="mean"),
            estimated("ahead", "value * cards of the setter above the table's mean"),
            N,
        ),
        dots("strategy", "points above the table's mean, a colour", reference=0),
        _FORMULA,
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    head = f"Values of colours, {found.players} players, {found.who}"
    only = found.leads(found.players)
    rows = found.of("colour more", "mean", ("value",), only=only)
    if rows.is_empty():
        return (Finding(f"{head}: nobody sets one.", "open", "colours"),)
    texts = [
        f"{number(row)} of a colour worth {row['value']}"
        for row in rows.rows(named=True)
    ]
    text = f"{head}: the setter wins so many cards above the mean: {listed(texts)}."
    ranks = _ranked(found).rows(named=True)
    served = [
        f"set by {row['setter']} (mean value {number(row, 'colour value by rank')}): "
        f"{number(row, 'setter gains')} to the setter, {number(row, 'leader gains')} "
        f"to the leader, {number(row, 'last gains')} to the last"
        for row in (ranks[0], ranks[-1])
    ]
    whom = f"{head}: a colour brings these points, before busts, {'; '.join(served)}."
    return (Finding(text, "sure", "colours"), Finding(whom, "sure", "colours"))
