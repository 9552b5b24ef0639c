"""Trump: what naming it is worth, by suit and by cards of it in hand."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.figure_specs import dots, lines
from reports.formatting import LINEUPS, STRATEGY, estimated, join_words, number
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich.game_arrays import NO_TRUMP, SUITS, KbernestichArrays
from reports.kbernestich.labels import COLOURS
from reports.measure_tables import (
    PLAYERS_IN_WORDS,
    MeasureTable,
    Number,
    side_by_side,
    with_words,
)
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Column, Finding
from reports.statistics.equivalence import judge, overall, sureness
from reports.verdicts import how_tested

TOLERANCE = 0.25
"""Suits that differ by up to a quarter of a point count as equal."""
ENOUGH = 100
"""Groups with fewer rounds than this are neither named nor drawn."""
_POINTS = "points of the round above the mean of the table"
_TRICKS = "tricks of the round above the mean of the table"
_TRUMPS = MeasuresOf("trumps", unit="points")
_LENGTH = "strategy none length"
_EDGE, _MORE = ("edge", "players"), ("more", "players")
MEASURES = (
    _TRUMPS.mean("edge by trump", _POINTS, *_EDGE, by="trump"),
    _TRUMPS.per_game(
        "trump named", "rounds with this trump per game", by="trump", unit=""
    ),
    _TRUMPS.mean("edge by length", _POINTS, *_EDGE, by=_LENGTH),
    _TRUMPS.mean("tricks by length", _TRICKS, *_MORE, by=_LENGTH, unit="tricks"),
    _TRUMPS.mean("edge by round", _POINTS, *_EDGE, by="round"),
    _TRUMPS.mean("edge by strategy", _POINTS, *_EDGE, by="strategy"),
)
_ABOVE = "points above the table's mean"
_SUIT = (
    Number("edge by trump", "worth"),
    Number("trump named", "named", "share of the rounds", "often"),
)
_LENGTHS = (
    Number("edge by length", "worth"),
    Number("tricks by length", "tricks", name="tricks"),
)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per round: its start player, the trump named, and what it brought.

    edge, more: players times the points and tricks of the start player in the round,
    less those of all.
    """
    gained = (played.score - played.before).astype(np.int16)
    none = played.trump == NO_TRUMP
    columns = {
        "strategy": played.strategy[played.start, np.arange(played.size)],
        "round": np.arange(1, played.rounds + 1, dtype=np.int16)[:, None],
        "trump": played.trump,
        "none": none,
        "length": _length(played, none),
        "edge": _edge(played, gained),
        "more": _edge(played, played.tricks.astype(np.int16)),
        "players": np.int16(played.players),
    }
    return {"trumps": played.frame(none.shape, columns)}


def _of_start(played: KbernestichArrays, values: Array) -> Array:
    """Return the start player's value, (rounds, games) of (rounds, seats, games)."""
    at = played.start[:, None].astype(np.int64)
    mine: Array = np.take_along_axis(values, at, axis=1)[:, 0]
    return mine


def _edge(played: KbernestichArrays, values: Array) -> Array:
    """Return players times the start player's value, less all, (rounds, games)."""
    mine = _of_start(played, values) * np.int16(played.players)
    edge: Array = mine - values.sum(axis=1, dtype=np.int16)
    return edge


def _length(played: KbernestichArrays, none: Array) -> Array:
    """Return cards of trump in hand, or of the longest suit, (rounds, games)."""
    suits, hand = played.suit_masks, _of_start(played, played.hands)
    each = np.stack([np.bitwise_count(hand & suit) for suit in suits])
    own = np.bitwise_count(hand & suits[played.trump])
    length: Array = np.where(none, each.max(axis=0), own)
    return length


def section(data: ReportData) -> SectionParts:
    """Yield what naming trump is worth by suit, length, round and strategy."""
    suits, lengths = _suits(data), _lengths(data)
    yield (
        "The start player of a round names a suit or none. What that is worth is "
        "measured by their points in the round, less the mean of the table."
    )
    yield MeasureTable(
        "trump-suit",
        "What naming trump is worth, by suit",
        "Also a check: the rules treat all suits alike.",
        (
            "players",
            Column("suit", "trump", "suit named"),
            estimated("named", "share of the rounds", "share", "often"),
            _SUIT[0],
            Column("verdict", "a quarter point", "from the mean of the suits; Holm"),
            LINEUPS,
        ),
        rows=suits,
        draw=dots("suit", _ABOVE, by="table", reference=0),
    )
    lead = data.leads() & (pl.col("n") >= ENOUGH)
    yield MeasureTable(
        "trump-length",
        "What naming trump is worth, by cards of it in hand",
        "Without trump: by the longest suit. Each strategy at a table of its own kind, "
        f"{data.players} players; the figure shows {data.who}. Strategies choose by "
        "the hand, except random.",
        (
            STRATEGY,
            Column("trump", "trump", "a suit or none"),
            Column("length", "cards", "cards of it in the hand dealt", "count"),
            *_LENGTHS,
        ),
        rows=lengths,
        draw=lines("length", _ABOVE, by="trump", reference=0, only=lead),
    )
    each = pl.col("n") / pl.col("players")
    yield MeasureTable(
        "trump-round",
        "What starting a round is worth, by round",
        "In round 1 the start player is drawn and all have equally many cubes; later "
        "the last in score starts.",
        ("players", "round", Number("edge by round", "worth")),
        rows=lambda rows: PLAYERS_IN_WORDS(rows).with_columns(n=each),
        draw=lines("round", _ABOVE, by="table", reference=0),
    )
    yield MeasureTable(
        "trump-strategy",
        "What starting a round is worth to each strategy",
        f"Each at a table of its own kind, {data.players} players.",
        ("strategy", Number("edge by strategy", "worth")),
        only=data.uniform,
        rows=lambda rows: rows.with_columns(n=each),
        draw=dots("strategy", _ABOVE, reference=0),
    )
    yield _suit_finding(data, suits)
    yield from _length_findings(data, lengths)


def _suits(data: ReportData) -> pl.DataFrame:
    """Return worth by suit, with verdicts on its distance from the mean of suits."""
    rows = side_by_side(data, _SUIT)
    suit = pl.col("trump") < NO_TRUMP
    mean = pl.col("estimate").filter(suit).mean().over("cell")
    rows = rows.with_columns(
        pl.col("often", "often_low", "often_high") / data.rules["rounds"],
        apart=pl.when(suit).then(pl.col("estimate") - mean),
    )
    values = judge(rows["apart"].fill_null(np.nan), rows["se"], -TOLERANCE, TOLERANCE)
    rows = rows.with_columns(pl.Series("verdict", values, dtype=pl.String))
    names = [*(COLOURS[name] for name in SUITS), "none"]
    return PLAYERS_IN_WORDS(
        with_words("suit", names.__getitem__, "trump")(rows)
    ).with_columns(verdict=pl.when(suit).then("verdict").otherwise(pl.lit("")))


def _lengths(data: ReportData) -> pl.DataFrame:
    rows = side_by_side(data, _LENGTHS, data.uniform)
    per = pl.col("n") / data.players
    kind = pl.when(pl.col("none") > 0).then(pl.lit("none")).otherwise(pl.lit("a suit"))
    return rows.with_columns(n=per, trump=kind)


def _suit_finding(data: ReportData, suits: pl.DataFrame) -> Finding:
    rows = suits.filter(players=data.players)
    head = f"Trump, {data.players} players, {data.who}"
    if rows.is_empty():
        return Finding(f"{head}: no data.", "open")
    between = _between(rows.filter(pl.col("trump") < NO_TRUMP))
    verdict = overall(between)
    texts = [f"{row['suit']} {number(row)}" for row in rows.to_dicts()]
    text = (
        f"{head}: points that the start player wins above the mean of the table in a "
        f"round, by trump: {join_words(texts)}; {_VERDICTS[verdict]}."
    )
    tested = how_tested(
        f"{TOLERANCE:g} points", "pairs of suits", len(between), data.games
    )
    return Finding(text, sureness(verdict), tested=tested)


def _between(suits: pl.DataFrame) -> list[str]:
    """Return whether two suits differ by a quarter point, by pair; Holm over pairs.

    They are named in different rounds, so their errors are taken as independent.
    """
    first, second = np.triu_indices(suits.height, 1)
    middle, se = suits["estimate"].to_numpy(), suits["se"].to_numpy()
    difference = middle[first] - middle[second]
    return judge(difference, np.hypot(se[first], se[second]), -TOLERANCE, TOLERANCE)


_VERDICTS = {
    "within": "no two suits differ by a quarter point, as it should be",
    "outside": "two suits differ by more than a quarter point, which the rules do not "
    "explain: look for a habit of the strategy",
    "undecided": "too few games to tell whether two suits differ by a quarter point",
}


def _length_findings(data: ReportData, rows: pl.DataFrame) -> SectionParts:
    """Say what a long suit is worth to the leading lineup, and to random."""
    known = rows.filter(pl.col("trump") == "a suit", pl.col("n") >= ENOUGH)
    for name in dict.fromkeys([data.lead, "random"]):
        part = known.filter(strategy=name).sort("length")
        if part.height < 2:
            continue
        texts = [
            f"naming a suit of {row['length']} cards wins {number(row)}"
            for row in part[[0, -1]].to_dicts()
        ]
        text = (
            f"Trump by length, {data.players} players, {name} in every seat, points "
            f"of the round above the mean of the table: {join_words(texts)}."
        )
        yield Finding(text, "")


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("deal", "score", "sheet"),
    id="trump",
    title="Trump",
    question="Which trumps are named, and what is naming one worth?",
)
