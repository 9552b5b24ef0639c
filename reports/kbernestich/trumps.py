"""Trump: what it is worth to name it, by the suit named and how many cards one has."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.drawing import dots, lines
from reports.formatting import (
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
from reports.game_report import ReportSection
from reports.kbernestich.formatting import COLOURS
from reports.kbernestich.played import NO_TRUMP, SUITS, PlayedGames
from reports.kbernestich.rows import flat, said, suit_masks
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, overall
from reports.statistics.equivalence import sure as sureness
from reports.tabled import Number, beside, tabled

TOLERANCE = 0.25
"""Suits within a quarter of a point of each other count as equal."""
ENOUGH = 100
_LENGTH = ("strategy", "none", "length")


def _above(name: str, *by: str, what: str = "edge", unit: str = "points") -> Measure:
    return Measure(
        name,
        f"{unit} of the round above the mean of the table",
        "mean",
        "trumps",
        pl.col(what),
        pl.col("players"),
        by=by,
        unit=unit,
    )


MEASURES = (
    _above("edge by trump", "trump"),
    Measure("trump named", "such rounds a game", "per game", "trumps", by=("trump",)),
    _above("edge by length", *_LENGTH),
    _above("tricks by length", *_LENGTH, what="more", unit="tricks"),
    _above("edge by round", "round"),
    _above("edge by strategy", "strategy"),
)
_FORMULA = (
    "worth = points of the start player in the round - mean of the table; it contains "
    "plotting and leading first, and from round 2 on what the last in score has"
)


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a round: who started, what trump he named, and how he fared.

    edge, more: players times the points and tricks of the start player in the round,
    less those of all.
    """
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
    strategy = played.strategy[played.start, np.arange(played.size)]
    found = {name: flat(values, shape) for name, values in columns.items()}
    return {"trumps": pl.DataFrame({**found, "strategy": said(played, strategy)})}


def _of_start(played: PlayedGames, values: Array) -> Array:
    """(rounds, games) what belongs to the start player of (rounds, seats, games)."""
    at = played.start[:, None].astype(np.int64)
    mine: Array = np.take_along_axis(values, at, axis=1)[:, 0]
    return mine


def _edge(played: PlayedGames, values: Array) -> Array:
    """(rounds, games) players times what he has, less what all have."""
    mine = _of_start(played, values) * np.int16(played.players)
    edge: Array = mine - values.sum(axis=1, dtype=np.int16)
    return edge


def _length(played: PlayedGames, none: Array) -> Array:
    """(rounds, games) cards of the trump suit in the hand; of none the longest suit."""
    suits, hand = suit_masks(played), _of_start(played, played.hands)
    each = np.stack([np.bitwise_count(hand & suit) for suit in suits])
    own = np.bitwise_count(hand & suits[played.trump])
    length: Array = np.where(none, each.max(axis=0), own)
    return length


def section(data: ReportData) -> Section:
    """What trump is worth by suit, by length and by round."""
    suits, lengths = _suits(data), _lengths(data)
    return Section(
        "trump",
        "Trump",
        "The start player of a round names a suit or none. What that is worth is read "
        "off his points in the round, less the mean of the table.",
        (
            _by_suit(data, suits),
            _by_length(data, lengths),
            _rounds(data),
            _strategies(data),
        ),
        (_suit_finding(data, suits), *_length_findings(data, lengths)),
    )


_ABOVE = "points above the table's mean"


def _suits(data: ReportData) -> pl.DataFrame:
    """Worth by suit, and less the mean of the suits."""
    rows = data.leading("edge by trump")
    often = named(data.leading("trump named"), ("cell", "trump"), "often")
    rows = joined(rows, often, ("cell", "trump"))
    rows = rows.with_columns(
        pl.col("often", "often_low", "often_high") / data.rules["rounds"]
    )
    suit = pl.col("trump") < NO_TRUMP
    mean = pl.col("estimate").filter(suit).mean().over("cell")
    rows = rows.with_columns(apart=pl.when(suit).then(pl.col("estimate") - mean))
    words = [*(COLOURS[name] for name in SUITS), "none"]
    values = judge(rows["apart"].fill_null(np.nan), rows["se"], -TOLERANCE, TOLERANCE)
    verdicts = [
        "" if trump == NO_TRUMP else verdict
        for trump, verdict in zip(rows["trump"], values, strict=True)
    ]
    spread = data.spread("edge by trump")
    rows = rows.with_columns(
        pl.Series("suit", [words[at] for at in rows["trump"]], dtype=pl.String),
        pl.Series("verdict", verdicts, dtype=pl.String),
        table=pl.format("{} players", "players"),
    )
    return joined(rows, spread, ("players", "trump"))


def _by_suit(data: ReportData, rows: pl.DataFrame) -> Exhibit:
    return exhibit(
        "trump-suit",
        "What naming trump is worth, by suit",
        "A check too: the rules treat the suits alike.",
        rows,
        (
            PLAYERS,
            Column("suit", "trump", "suit named"),
            estimated("named", "share of the rounds", "share", "often"),
            Number("edge by trump", "worth").column(data),
            Column("verdict", "a quarter point", "from the mean of the suits; Holm"),
            LINEUPS,
            N,
        ),
        dots("suit", _ABOVE, by="table", reference=0),
        _FORMULA,
    )


_LENGTHS = (
    Number("edge by length", "worth"),
    Number("tricks by length", "tricks", name="tricks"),
)


def _lengths(data: ReportData) -> pl.DataFrame:
    rows = beside(data, _LENGTHS, data.alone)
    per = pl.col("n") / data.players
    kind = pl.when(pl.col("none") > 0).then(pl.lit("none")).otherwise(pl.lit("a suit"))
    return rows.with_columns(n=per, trump=kind)


def _by_length(data: ReportData, rows: pl.DataFrame) -> Exhibit:
    lead = data.leads() & (pl.col("n") >= ENOUGH)
    return tabled(
        data,
        "trump-length",
        "What naming trump is worth, by the cards one has of it",
        "Where there is no trump: by the longest suit. Each strategy at a table of its "
        f"own kind, {data.players} players; the figure shows {data.who}. Strategies "
        "choose by the hand, but random does not.",
        (
            STRATEGY,
            Column("trump", "trump", "a suit or none"),
            Column("length", "cards", "cards of it dealt to who named it", "count"),
            *_LENGTHS,
        ),
        rows=rows,
        draw=lines("length", _ABOVE, by="trump", reference=0, only=lead),
        formula=_FORMULA,
    )


def _rounds(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "trump-round",
        "What starting a round is worth, by round",
        "In round 1 the start player is drawn and all have equally many cubes; later "
        "the last in score starts.",
        ("players", "round", Number("edge by round", "worth")),
        rows=lambda rows: rows.with_columns(
            n=pl.col("n") / pl.col("players"), table=pl.format("{} players", "players")
        ),
        draw=lines("round", _ABOVE, by="table", reference=0),
        formula=_FORMULA,
    )


def _strategies(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "trump-strategy",
        "What starting a round is worth to each strategy",
        f"Each at a table of its own kind, {data.players} players.",
        ("strategy", Number("edge by strategy", "worth")),
        only=data.alone,
        rows=lambda rows: rows.with_columns(n=pl.col("n") / data.players),
        draw=dots("strategy", _ABOVE, reference=0),
        formula=_FORMULA,
    )


def _suit_finding(data: ReportData, suits: pl.DataFrame) -> Finding:
    rows = suits.filter(players=data.players)
    head = f"Trump, {data.players} players, {data.who}"
    if rows.is_empty():
        return Finding(f"{head}: no data.", "open", "trump")
    verdict = overall(_between(rows.filter(pl.col("trump") < NO_TRUMP)))
    texts = [f"{row['suit']} {number(row)}" for row in rows.rows(named=True)]
    text = (
        f"{head}: the start player wins so many points more than the mean of the table "
        f"in a round, by trump: {listed(texts)}; {_SAID[verdict]}."
    )
    return Finding(text, sureness(verdict), "trump")


def _between(suits: pl.DataFrame) -> list[str]:
    """Whether two suits differ by a quarter point, of each pair; Holm over the pairs.

    They are named in different rounds, so their errors are taken as independent.
    """
    one, other = np.triu_indices(suits.height, 1)
    middle, se = suits["estimate"].to_numpy(), suits["se"].to_numpy()
    apart = middle[one] - middle[other]
    return judge(apart, np.hypot(se[one], se[other]), -TOLERANCE, TOLERANCE)


_SAID = {
    "within": "no two suits differ by a quarter point, as it should be",
    "outside": "two suits differ by more than a quarter point, which the rules do not "
    "explain: look for a habit of the strategy",
    "undecided": "too few games to tell whether two suits differ by a quarter point",
}


def _length_findings(data: ReportData, rows: pl.DataFrame) -> tuple[Finding, ...]:
    """What a long suit is worth to the leading lineup, and to random."""
    known = rows.filter(pl.col("trump") == "a suit", pl.col("n") >= ENOUGH)
    findings = []
    for name in dict.fromkeys([data.lead, "random"]):
        part = known.filter(strategy=name).sort("length")
        texts = (
            [
                f"{number(row)} with {row['length']}"
                for row in (part.row(0, named=True), part.row(-1, named=True))
            ]
            if part.height > 1
            else []
        )
        if texts:
            text = (
                f"Trump by length, {data.players} players, {name} in every seat: who "
                f"names a suit is {listed(texts)} cards of it ahead of the mean of the "
                "table in that round, in points."
            )
            findings.append(Finding(text, "", "trump"))
    return tuple(findings)


SECTION = ReportSection(section, MEASURES, tables)
