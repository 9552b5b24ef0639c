"""Networks over time, the lead, wasted turns, and how the game ends."""

import polars as pl

from reports import course
from reports.figure_specs import bars
from reports.formatting import number, share
from reports.game_report import ReportSection, SectionParts
from reports.measure_tables import PLAYERS_IN_WORDS, MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
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


def shown(data: ReportData) -> SectionParts:
    """Yield network sizes, wasted turns, and how last tokens came."""
    whose = {"all seats": "members by round", "winner": "winner's members by round"}
    time = data.columns["round"]
    wasted = (
        "players",
        Number("wasted turns", "wasted"),
        Number("turns without a Member", "no Member won", name="nothing"),
        Number("taken by turn", "tokens others lose a turn", name="taken"),
    )
    yield course.scores(
        data,
        "Network size over time",
        f"After each of the first {ROUNDS} rounds, in games that still go on: "
        "late rounds show long games, whose winners were slow.",
        whose,
        time,
        "members",
    )
    yield MeasureTable(
        "course-wasted",
        "Wasted turns",
        "A turn is wasted if the player's network is no larger after it, and nobody "
        "else's is smaller.",
        wasted,
    )
    yield MeasureTable(
        "course-won",
        "How the winner placed the last token",
        "Of all games.",
        ("players", "via", Number("won by way", "games")),
        rows=PLAYERS_IN_WORDS,
        draw=bars("table", "share of games, %", "via"),
    )
    for players in data.counts:
        yield from _finding(data, players)


def _finding(data: ReportData, players: int) -> SectionParts:
    for row in data.leading("wasted turns", players=players).to_dicts():
        taken = data.leading("taken by turn", players=players).row(0, named=True)
        yield Finding(
            f"Turns, {players} players, {data.who}: {share(row)} of the turns are "
            f"wasted, and others lose {number(taken)} tokens a turn.",
            "",
        )


SECTION = course.section(
    standing,
    "Members are counted after every round, which is a turn of each player.",
    ReportSection(shown, MEASURES, tables, records=NOTES),
)
