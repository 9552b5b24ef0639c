"""How games end and when, and which decks run out."""

import polars as pl

from reports import course
from reports.drake.game_arrays import DrakeArrays, tables
from reports.drake.labels import DECK
from reports.figure_specs import bars, dots, steps
from reports.formatting import join_words, number, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number, with_words
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding

WAYS = {
    "gullet": "the Gullet is full (Gluttony)",
    "lair": "the Lair is full (Wrath)",
    "bed": "the Bed is full (Greed)",
    "deck": "a deck is empty (Pride)",
    "stalemate": "nothing can be played (Pride)",
    "guard": "broken off",
}
_GAMES, _DECKS = MeasuresOf("games"), MeasuresOf("decks", by="deck")
MEASURES = (
    _GAMES.share_of_games(
        "games by cards", "games with this many cards played", by="turns"
    ),
    _GAMES.mean("cards by end", "cards in games that end this way", "turns", by="by"),
    _DECKS.share("runs out", "games that end as it runs out, of all games", "out"),
    _DECKS.mean("left in deck", "cards left in the deck at the end", "left"),
    _DECKS.mean("in pile", "cards in the pile of these cards at the end", "pile"),
    _GAMES.share(
        "games with a shuffle",
        "games in which discards are shuffled back into their decks",
        "shuffled",
    ),
)


def section(data: ReportData) -> SectionParts:
    """Yield the ways to end, the lengths, and the decks."""
    yield (
        f"With {data.who}. Every turn plays one card: cards count the turns of a game."
    )
    yield course.decided_by(data, "ends-ways", "Of all games.", WAYS)
    count = (pl.col("estimate") * pl.col("n")).round()
    yield MeasureTable(
        "ends-length",
        "How many cards a game has",
        "Cards played, without the three of the setup.",
        ("players", "turns", Number("games by cards", "games")),
        rows=lambda rows: rows.with_columns(count=count),
        draw=steps("turns", "count", "cards played in a game", "players"),
    )
    yield MeasureTable(
        "ends-when",
        "When games end, by how they end",
        "Cards played.",
        ("players", "by", Number("cards by end", "cards")),
        rows=with_words("by", lambda by: str(WAYS.get(by, by)), "by"),
        draw=dots("by", "cards played", by="players"),
    )
    yield MeasureTable(
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
        rows=PLAYERS_IN_WORDS,
        draw=bars("table", "share of games, %", "deck"),
    )
    yield MeasureTable(
        "ends-shuffles",
        "How often discards are shuffled back",
        "By Sangria All, by another named card, or for an absent Virtue (update I).",
        ("players", Number("games with a shuffle", "games")),
        rows=PLAYERS_IN_WORDS,
        draw=dots("table", "share of games, %"),
    )
    yield from _findings(data)


def _findings(data: ReportData) -> SectionParts:
    ends, turns = (
        data.leading(name, players=data.players).sort("estimate", descending=True)
        for name in ("decided", "turns")
    )
    if ends.is_empty() or turns.is_empty():
        yield Finding("Ends: no data.", "open")
        return
    length = f"a game has {number(turns.row(0, named=True))} cards"
    ways = [f"{WAYS.get(row['by'])} {share(row)}" for row in ends.to_dicts()]
    setting = f"{data.players} players, {data.who}"
    yield Finding(f"Ends, {setting}: {length}; {join_words(ways)} of the games.", "")


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    records=("shuffle",),
    id="ends",
    title="How games end, and when",
    question="How do games end, and when?",
)
COURSE = course.section(
    DrakeArrays.standing,
    "The Virtue that needs fewest cards to win is ahead; Pride needs those left in the "
    "smallest deck. A round is one turn, as each card concerns all.",
    records=("lacks",),
)
