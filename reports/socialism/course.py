"""Networks over time, wasted turns, and how the winner's last token came."""

from collections.abc import Iterator

import polars as pl

from reports import course
from reports.figure_specs import bars
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Exhibit
from reports.socialism.game_arrays import NOTES, ROUNDS, standing, tables

_WINNER = pl.col("won")
_SIZE, _WON = MeasuresOf("rounds", "round"), MeasuresOf("rounds", "round", "", _WINNER)
_TURNS, _WAYS = MeasuresOf("turns"), MeasuresOf("ways", "via", where=_WINNER)
_MEMBERS = "Members of a seat after the round"
_MOST = "Members of the winner after the round"
_NOTHING = "turns after which the player's network is no larger"
_WASTED = "turns without a larger network, in which nobody else lost a token either"
MEASURES = (
    _SIZE.mean("members by round", _MEMBERS, "members"),
    _WON.mean("winner's members by round", _MOST, "members"),
    _TURNS.share("turns without a Member", _NOTHING, "nothing"),
    _TURNS.share("wasted turns", _WASTED, "wasted"),
    _TURNS.mean("taken by turn", "tokens that the others lose in a turn", "taken"),
    _WAYS.share_of_games("won by way", "how the winner's last token came"),
)


def sizes(data: ReportData) -> Iterator[Exhibit]:
    """Yield network sizes by round."""
    yield course.scores(
        data,
        "Network size over time",
        f"After each of the first {ROUNDS} rounds, in games that still go on: "
        "late rounds show long games, whose winners were slow.",
        {"all seats": "members by round", "winner": "winner's members by round"},
        data.columns["round"],
        "members",
    )


OWN = ReportSection(
    measures=MEASURES,
    tidy=tables,
    records=NOTES,
    tables=(
        sizes,
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
