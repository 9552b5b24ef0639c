"""How games end and when, and which decks run out."""

import polars as pl

from reports import course
from reports.drake.game_arrays import DrakeArrays, tables
from reports.drake.labels import DECK
from reports.figure_specs import bars, steps
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf

WAYS = {
    "gullet": "the Gullet is full (Gluttony)",
    "lair": "the Lair is full (Wrath)",
    "bed": "the Bed is full (Greed)",
    "deck": "a deck is empty (Pride)",
    "stalemate": "nothing can be played (Pride)",
    "guard": "broken off",
}
_DECKS = MeasuresOf("decks", by="deck")
_COUNT = (pl.col("estimate") * pl.col("n")).round()
SECTION = ReportSection(
    id="ends",
    title="How games end, and when",
    question="How do games end, and when?",
    intro="With {who}. Every turn plays one card: cards count the turns of a game.",
    measures=(
        MeasuresOf("games").share_of_games(
            "games by cards", "games with this many cards played", by="turns"
        ),
        _DECKS.share("runs out", "games that end as it runs out, of all games", "out"),
        _DECKS.mean("left in deck", "cards left in the deck at the end", "left"),
        _DECKS.mean("in pile", "cards in the pile of these cards at the end", "pile"),
    ),
    tidy=tables,
    tables=(
        course.ways_decided("ends-ways", "Of all games.", WAYS),
        MeasureTable(
            "ends-length",
            "How many cards a game has",
            "Cards played, without the three of the setup.",
            ("players", "turns", Number("games by cards", "games")),
            rows=lambda rows: rows.with_columns(count=_COUNT),
            draw=steps("turns", "count", "cards played in a game", "players"),
        ),
        MeasureTable(
            "ends-decks",
            "Which decks run out, and what is left",
            "A deck that runs out as a pile is full does not count: the pile wins "
            "first.",
            (
                "players",
                DECK,
                Number("runs out", "runs out"),
                Number("left in deck", "left", name="left"),
                Number("in pile", "in their pile", name="pile"),
            ),
            draw=bars("table", "share of games, %", "deck"),
        ),
    ),
)
COURSE = course.section(
    DrakeArrays.standing,
    "The Virtue that needs fewest cards to win is ahead; Pride needs those left in the "
    "smallest deck. A round is one turn, as each card concerns all.",
    records=("lacks",),
)
