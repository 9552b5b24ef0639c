"""Trump: what naming it is worth, by cards of it in hand."""

import numpy as np
import polars as pl

from reports.figure_specs import lines
from reports.game_report import ReportSection
from reports.kbernestich.game_arrays import NO_TRUMP, KbernestichArrays
from reports.kbernestich.seats import of_positions
from reports.measure_tables import MeasureTable, Number, WordColumn, uniform
from reports.measures import MeasuresOf


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per round: its start player, the trump named, and what it brought.

    length: cards of trump dealt to the start player, or of the longest suit without
    trump; edge: players times the points of the start player, less those of all.
    """
    none = played.trump == NO_TRUMP
    gained = (played.score - played.before).astype(np.int16)
    hand, mine = (of_positions(played, part)[0] for part in (played.hands, gained))
    suits = np.bitwise_count(hand & played.suit_masks[:, None, None])
    own = np.take_along_axis(suits, played.trump[None].astype(np.int64), axis=0)[0]
    columns = {
        "strategy": played.strategy[played.start, np.arange(played.size)],
        "none": none,
        "length": np.where(none, suits.max(axis=0), own),
        "edge": mine * np.int16(played.players) - gained.sum(axis=1, dtype=np.int16),
        "players": np.int16(played.players),
    }
    return {"trumps": played.frame(none.shape, columns)}


SECTION = ReportSection(
    id="trump",
    title="Trump",
    question="What is naming trump worth?",
    intro="The start player of a round names a suit or none. What that is worth is "
    "measured by their points in the round, less the mean of the table.",
    measures=(
        MeasuresOf("trumps", by="strategy none length").mean(
            "edge by length",
            "points of the round above the mean of the table",
            "edge",
            "players",
            unit="points",
        ),
    ),
    tidy=tables,
    records=("deal", "score", "sheet"),
    tables=(
        MeasureTable(
            "trump-length",
            "What naming trump is worth, by cards of it in hand",
            "Without trump: by the longest suit. Each strategy at a table of its own "
            "kind, {players} players; the figure shows {lead}. Strategies choose by "
            "the hand, except random.",
            (
                "strategy",
                WordColumn(
                    "trump",
                    "trump",
                    "a suit or none",
                    {False: "a suit", True: "none"},
                    "none",
                ),
                "length",
                Number("edge by length", "worth"),
            ),
            only=uniform,
            where=pl.col("n") >= 100,
            draw=lines(
                "length", "points above the table's mean", by="trump", reference=0
            ),
        ),
    ),
)
