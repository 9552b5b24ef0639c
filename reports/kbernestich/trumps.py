"""Trump: what it is worth to name it, by the suit named and how many cards one has."""

import numpy as np
import polars as pl

from reports.drawing import dots, lines
from reports.found import Found
from reports.grids import Array
from reports.kbernestich.played import NO_TRUMP, SUITS, Played
from reports.kbernestich.rows import alone, flat, said, suit_masks
from reports.kbernestich.words import COLOURS, ROUND
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, overall
from reports.verdicts import sure as sureness
from reports.words import (
    LINEUPS,
    PLAYERS,
    STRATEGY,
    N,
    estimated,
    exhibit,
    joined,
    listed,
    named,
    number,
)

TOLERANCE = 0.25
"""Suits within a quarter of a point of each other count as equal."""
ENOUGH = 100
_EDGE, _TRICKS, _ALL = pl.col("edge"), pl.col("more"), pl.col("players")
_LENGTH = ("strategy", "none", "length")
MEASURES = [
    Measure("edge by trump", "trumps", _EDGE, _ALL, by=("trump",)),
    Measure("trump named", "trumps", pl.lit(1), by=("trump",)),
    Measure("edge by length", "trumps", _EDGE, _ALL, by=_LENGTH),
    Measure("tricks by length", "trumps", _TRICKS, _ALL, by=_LENGTH),
    Measure("edge by round", "trumps", _EDGE, _ALL, by=("round",)),
    Measure("edge by strategy", "trumps", _EDGE, _ALL, by=("strategy",)),
]
DOCS = {
    "trumps": {
        "game": "number of the game in its run",
        "round": "round of the game, from 1",
        "strategy": "who started the round and named trump",
        "trump": "trump: 0 to 3 the suits, 4 none",
        "none": "whether there is no trump",
        "length": "cards of the suit dealt to who named it; of none the longest suit",
        "edge": "players * points of the start player in the round - points of all",
        "more": "players * tricks of the start player - tricks of all",
        "players": "players",
    }
}
_FORMULA = (
    "worth = points of the start player in the round - mean of the table; it contains "
    "plotting and leading first, and from round 2 on what the last in score has"
)


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a round: who started, what trump he named, and how he fared."""
    shape = played.trump.shape
    gained = (played.score - played.before).astype(np.int16)
    none = played.trump == NO_TRUMP
    columns = {
        "game": played.game,
        "round": np.arange(1, played.rounds + 1, dtype=np.int16)[:, None],
        "trump": played.trump,
        "none": none,
        "length": _length(played, none),
        "edge": _edge(played, gained),
        "more": _edge(played, played.tricks.astype(np.int16)),
        "players": np.array([[played.players]], dtype=np.int16),
    }
    school = played.school[played.start, np.arange(played.size)]
    found = {name: flat(values, shape) for name, values in columns.items()}
    return {"trumps": pl.DataFrame({**found, "strategy": said(played, school)})}


def _of_start(played: Played, values: Array) -> Array:
    """(rounds, games) what belongs to the start player of (rounds, seats, games)."""
    at = played.start[:, None].astype(np.int64)
    mine: Array = np.take_along_axis(values, at, axis=1)[:, 0]
    return mine


def _edge(played: Played, values: Array) -> Array:
    """(rounds, games) players times what he has, less what all have."""
    mine = _of_start(played, values) * np.int16(played.players)
    edge: Array = mine - values.sum(axis=1, dtype=np.int16)
    return edge


def _length(played: Played, none: Array) -> Array:
    """(rounds, games) cards of the trump suit in the hand; of none the longest suit."""
    suits, hand = suit_masks(played), _of_start(played, played.hands)
    each = np.stack([np.bitwise_count(hand & suit) for suit in suits])
    own = np.bitwise_count(hand & suits[played.trump])
    length: Array = np.where(none, each.max(axis=0), own)
    return length


def section(found: Found) -> Section:
    """What trump is worth by suit, by length and by round."""
    suits, lengths = _suits(found), _lengths(found)
    return Section(
        "trump",
        "Trump",
        "The start player of a round names a suit or none. What that is worth is read "
        "off his points in the round, less the mean of the table.",
        (_by_suit(suits), _by_length(found, lengths), _rounds(found), _schools(found)),
        (_suit_finding(found, suits), *_length_findings(found, lengths)),
    )


def _worth(doc: str = "points of the round above the mean of the table") -> Column:
    return estimated("worth", doc)


def _suits(found: Found) -> pl.DataFrame:
    """Worth by suit, and less the mean of the suits."""
    rows = found.leading("edge by trump", "mean", ("trump",))
    often = named(
        found.leading("trump named", "per_game", ("trump",)), ("cell", "trump"), "often"
    )
    rows = joined(rows, often, ("cell", "trump"))
    rows = rows.with_columns(
        pl.col("often", "often_low", "often_high") / found.rules["rounds"]
    )
    suit = pl.col("trump") < NO_TRUMP
    mean = pl.col("estimate").filter(suit).mean().over("cell")
    rows = rows.with_columns(apart=pl.when(suit).then(pl.col("estimate") - mean))
    words = [*(COLOURS[name] for name in SUITS), "none"]
    told = judge(rows["apart"].fill_null(np.nan), rows["se"], -TOLERANCE, TOLERANCE)
    verdicts = [
        "" if trump == NO_TRUMP else verdict
        for trump, verdict in zip(rows["trump"], told, strict=True)
    ]
    spread = found.spread("edge by trump", "mean", ("trump",))
    rows = rows.with_columns(
        pl.Series("suit", [words[at] for at in rows["trump"]], dtype=pl.String),
        pl.Series("verdict", verdicts, dtype=pl.String),
        table=pl.format("{} players", "players"),
    )
    return joined(rows, spread, ("players", "trump"))


def _by_suit(rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "trump-suit",
        "What naming trump is worth, by suit",
        "A check too: the rules treat the suits alike.",
        rows,
        (
            PLAYERS,
            Column("suit", "trump", "suit named"),
            estimated("named", "share of the rounds", "share", "often"),
            _worth(),
            Column("verdict", "a quarter point", "from the mean of the suits; Holm"),
            LINEUPS,
            N,
        ),
        dots("suit", "points above the table's mean", by="table", reference=0),
        _FORMULA,
    )


def _lengths(found: Found) -> pl.DataFrame:
    only, keys = alone(found), ("cell", *_LENGTH)
    rows = found.of("edge by length", "mean", _LENGTH, only=only)
    tricks = found.of("tricks by length", "mean", _LENGTH, only=only)
    rows = joined(rows, named(tricks, keys, "tricks"), keys)
    per = pl.col("n") / found.players
    kind = pl.when(pl.col("none") > 0).then(pl.lit("none")).otherwise(pl.lit("a suit"))
    return rows.with_columns(n=per, trump=kind)


def _by_length(found: Found, rows: pl.DataFrame) -> Exhibit:
    lead = found.leads() & (pl.col("n") >= ENOUGH)
    return exhibit(
        "trump-length",
        "What naming trump is worth, by the cards one has of it",
        "Where there is no trump: by the longest suit. Each strategy at a table of its "
        f"own kind, {found.players} players; the figure shows {found.who}. Strategies "
        "choose by the hand, but random does not.",
        rows,
        (
            STRATEGY,
            Column("trump", "trump", "a suit or none"),
            Column("length", "cards", "cards of it dealt to who named it", "count"),
            _worth(),
            estimated("tricks", "tricks above the table's mean", name="tricks"),
            N,
        ),
        lines("length", "points above the table's mean", by="trump", reference=0,
              only=lead),
        _FORMULA,
    )  # fmt: skip


def _rounds(found: Found) -> Exhibit:
    rows = found.leading("edge by round", "mean", ("round",))
    return exhibit(
        "trump-round",
        "What starting a round is worth, by round",
        "In round 1 the start player is drawn and all have equally many cubes; later "
        "the last in score starts.",
        rows.with_columns(
            n=pl.col("n") / pl.col("players"), table=pl.format("{} players", "players")
        ),
        (PLAYERS, ROUND, _worth(), N),
        lines("round", "points above the table's mean", by="table", reference=0),
        _FORMULA,
    )


def _schools(found: Found) -> Exhibit:
    rows = found.of("edge by strategy", "mean", ("strategy",), only=alone(found))
    return exhibit(
        "trump-strategy",
        "What starting a round is worth to each strategy",
        f"Each at a table of its own kind, {found.players} players.",
        rows.with_columns(n=pl.col("n") / found.players),
        (STRATEGY, _worth(), N),
        dots("strategy", "points above the table's mean", reference=0),
        _FORMULA,
    )


def _suit_finding(found: Found, suits: pl.DataFrame) -> Finding:
    rows = suits.filter(players=found.players)
    head = f"Trump, {found.players} players, {found.who}"
    if rows.is_empty():
        return Finding(f"{head}: no data.", "open", "trump")
    verdict = overall([one for one in rows["verdict"] if one])
    texts = [f"{row['suit']} {number(row)}" for row in rows.rows(named=True)]
    text = (
        f"{head}: the start player wins so many points more than the mean of the table "
        f"in a round, by trump: {listed(texts)}; {_SAID[verdict]}."
    )
    return Finding(text, sureness(verdict), "trump")


_SAID = {
    "within": "the suits differ by less than a quarter point, as they should",
    "outside": "the suits differ, which the rules do not explain: look for a habit "
    "of the strategy",
    "undecided": "too few games to tell whether the suits are equal to a quarter point",
}


def _length_findings(found: Found, rows: pl.DataFrame) -> tuple[Finding, ...]:
    """What a long suit is worth to the leading lineup, and to random."""
    known = rows.filter(pl.col("trump") == "a suit", pl.col("n") >= ENOUGH)
    findings = []
    for name in dict.fromkeys([found.lead, "random"]):
        part = known.filter(strategy=name).sort("length")
        texts = [
            f"{number(row)} with {row['length']}"
            for row in (part.row(0, named=True), part.row(-1, named=True))
        ] if part.height > 1 else []  # fmt: skip
        if texts:
            text = (
                f"Trump by length, {found.players} players, {name} in every seat: who "
                f"names a suit is {listed(texts)} cards of it ahead of the mean of the "
                "table in that round, in points."
            )
            findings.append(Finding(text, "sure", "trump"))
    return tuple(findings)
