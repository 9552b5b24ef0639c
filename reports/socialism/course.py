"""Wasted turns, and how the winner's last token came."""

import polars as pl

from reports import course
from reports.figure_specs import bars
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.socialism.game_arrays import NOTES, standing, tables

_TURNS, _WAYS = MeasuresOf("turns"), MeasuresOf("ways", "via", where=pl.col("won"))
_NOTHING = "turns after which the player's network is no larger"
_WASTED = "turns without a larger network, in which nobody else lost a token either"
MEASURES = (
    _TURNS.share("turns without a Member", _NOTHING, "nothing"),
    _TURNS.share("wasted turns", _WASTED, "wasted"),
    _TURNS.mean("taken by turn", "tokens that the others lose in a turn", "taken"),
    _WAYS.share_of_games("won by way", "how the winner's last token came"),
)
OWN = ReportSection(
    measures=MEASURES,
    tidy=tables,
    records=NOTES,
    tables=(
        MeasureTable(
            "course-wasted",
            "Wasted turns",
            "A turn is wasted if the player's network is no larger after it, and "
            "nobody else's is smaller.",
            (
                "players",
                Number("wasted turns", "wasted"),
                Number("turns without a Member", "no Member won", name="nothing"),
                Number("taken by turn", "tokens others lose a turn", name="taken"),
            ),
        ),
        MeasureTable(
            "course-won",
            "How the winner placed the last token",
            "Of all games.",
            ("players", "via", Number("won by way", "games")),
            draw=bars("table", "share of games, %", "via"),
        ),
    ),
)
SECTION = course.section(
    standing,
    "Members are counted after every round, which is a turn of each player.",
    OWN,
)
