"""How games end and when, and which decks run out."""

import polars as pl

from reports import course
from reports.drake.formatting import DECK
from reports.drake.played import PlayedGames, tables
from reports.drawing import bars, dots, steps
from reports.formatting import Row, listed, number, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.tabled import Number, tabled, worded

_WAYS = {
    "gullet": "the Gullet is full (Gluttony)",
    "lair": "the Lair is full (Wrath)",
    "bed": "the Bed is full (Greed)",
    "deck": "a deck is empty (Pride)",
    "stalemate": "nothing can be played (Pride)",
    "guard": "broken off",
}
MEASURES = (
    Measure("games by cards", "games with so many cards played", "share of games",
            "games", by=("turns",)),
    Measure("cards by end", "cards played in games that end so", "mean", "games",
            pl.col("turns"), by=("by",)),
    Measure("runs out", "games that end as this deck runs out, of all games", "share",
            "decks", pl.col("out"), by=("deck",)),
    Measure("left in deck", "cards left in the deck at the end", "mean", "decks",
            pl.col("left"), by=("deck",)),
    Measure("in pile", "cards in the pile of these cards at the end", "mean", "decks",
            pl.col("pile"), by=("deck",)),
    Measure("games with a shuffle",
            "games in which discards are shuffled back into their decks", "share",
            "games", pl.col("shuffled")),
)  # fmt: skip
_TABLE = worded("table", lambda players: f"{players} players", "players")


def section(data: ReportData) -> Section:
    """Ways to end, lengths, and decks."""
    return Section(
        "ends",
        "How games end, and when",
        f"With {data.who}. Every turn plays a card: a game is as long as its cards.",
        (
            course.decided(data, "ends-ways", "Of all games.", _WAYS),
            _lengths(data),
            _by_end(data),
            _decks(data),
            _shuffles(data),
        ),
        _findings(data),
    )


def _lengths(data: ReportData) -> Exhibit:
    count = (pl.col("estimate") * pl.col("n")).round()
    return tabled(
        data,
        "ends-length",
        "How many cards a game has",
        "Cards played, the three of the setup not counted.",
        ("players", "turns", Number("games by cards", "games")),
        rows=lambda rows: rows.with_columns(count=count),
        draw=steps("turns", "count", "cards played in a game", "players"),
    )


def _by_end(data: ReportData) -> Exhibit:
    def words(by: str) -> str:
        return _WAYS.get(by, by)

    return tabled(
        data,
        "ends-when",
        "When games end, by how they end",
        "Cards played.",
        ("players", "by", Number("cards by end", "cards")),
        rows=worded("by", words, "by"),
        draw=dots("by", "cards played", by="players"),
    )


def _decks(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "ends-decks",
        "Which decks run out, and what is left",
        "A deck that runs out as a pile is full does not count: the pile wins first.",
        (
            "players",
            DECK,
            Number("runs out", "runs out"),
            Number("left in deck", "left", name="left"),
            Number("in pile", "in their pile", name="pile"),
        ),
        rows=_TABLE,
        draw=bars("table", "share of games, %", "deck"),
    )


def _shuffles(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "ends-shuffles",
        "How often discards are shuffled back",
        "By Sangria All, by a card of one's own, or for an absent Virtue (update I).",
        ("players", Number("games with a shuffle", "games")),
        rows=_TABLE,
        draw=dots("table", "share of games, %"),
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    players = data.players
    ways = data.leading("decided", players=players).sort("estimate", descending=True)
    turns, decks = (
        data.leading(name, players=players) for name in ("turns", "runs out")
    )
    if ways.is_empty() or turns.is_empty():
        return (Finding("Ends: no data.", "open", "ends"),)
    length = f"a game has {number(turns.row(0, named=True), digits=1)} cards"
    how = listed([f"{_way(row)} {share(row)}" for row in ways.rows(named=True)])
    out = [
        f"the {row['deck']} {share(row)}"
        for row in decks.sort("estimate", descending=True).rows(named=True)
    ]
    start = f"{players} players, {data.who}"
    return (
        Finding(f"Ends, {start}: {length}; {how} of the games.", "", "ends"),
        Finding(f"Decks that run out, {start}: {listed(out)}.", "", "ends"),
    )


def _way(row: Row) -> str:
    return _WAYS.get(row["by"], str(row["by"]))


SECTION = ReportSection(section, MEASURES, tables)
COURSE = course.section(
    PlayedGames.standing,
    "Who lacks fewest cards to win is ahead: cards for the own pile, or for Pride "
    "those left in the smallest deck. A round is one turn, as a card concerns all.",
)
