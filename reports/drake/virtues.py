"""Who wins: the four Virtues, played at the table or absent, and by place."""

import polars as pl

from reports.claims import Claim
from reports.drake.formatting import EVEN, ROLE, TOLERANCE, VIRTUE
from reports.drake.played import tables
from reports.drawing import bars, dots, lines
from reports.formatting import Row, listed, percent, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, more_games, overall, sure
from reports.tabled import Number, tabled, worded
from reports.verdicts import how_tested

_WON = pl.col("won")
MEASURES = (
    Measure("virtue wins", "games that the Virtue wins, of all games", "share",
            "virtues", _WON, by=("virtue",)),
    Measure("virtue wins by role",
            "games that the Virtue wins, of those in which it is played, or absent",
            "share", "virtues", _WON, by=("virtue", "role")),
    Measure("virtue wins by place",
            "games that the Virtue wins, of those in which it has this place", "share",
            "virtues", _WON, by=("virtue", "place"), where=pl.col("role") == "played"),
    Measure("nobody wins",
            "games that nobody at the table wins, as an absent Virtue does", "share",
            "games", ~pl.col("somebody")),
)  # fmt: skip
_TABLE = worded("table", lambda players: f"{players} players", "players")
_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4}


def section(data: ReportData) -> Section:
    """Shares by Virtue, role, place and strategy."""
    return Section(
        "virtues",
        "The four Virtues",
        f"With {data.who}, by the rules in force. A full pile wins for its Virtue, an "
        "empty deck for Pride, whoever plays it, or nobody.",
        (_shares(data), _roles(data), _places(data), _strategies(data)),
        (*_findings(data), *_nobody(data)),
    )


def _shares(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "virtues-share",
        "Which Virtue wins",
        "Of all games; what is missing from 100 % was broken off.",
        ("players", VIRTUE, Number("virtue wins", "games")),
        rows=_TABLE,
        draw=bars("table", "share of games, %", "virtue"),
    )


def _roles(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "virtues-role",
        "A Virtue played, and absent",
        "With two players Pride is always absent, with four none is.",
        ("players", VIRTUE, ROLE, Number("virtue wins by role", "wins")),
        rows=worded(
            "table", lambda n, virtue: f"{virtue}, {n} players", "players", "virtue"
        ),
        draw=dots("table", "share of games, %", by="role"),
    )


def _places(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "virtues-place",
        "Which Virtue wins from which place",
        f"{data.players} players. The rule texts draw who begins, or tell by Virtues.",
        (VIRTUE, "place", Number("virtue wins by place", "wins")),
        only=data.leads(data.players),
        rows=lambda rows: rows.with_columns(
            turn=pl.col("place").replace_strict(_PLACES, return_dtype=pl.Int64)
        ).sort("virtue", "turn"),
        draw=lines("turn", "share of games, %", by="virtue"),
    )


def _strategies(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "virtues-strategy",
        "Which Virtue wins, by strategy",
        f"Each strategy at a table of its own kind, {data.players} players: how much "
        "of what is found is about the cards, and how much about the players.",
        (Column("lineup", "table of", "who plays"), VIRTUE,
         Number("virtue wins", "games")),
        only=data.alone,
        draw=bars("lineup", "share of games, %", "virtue"),
    )  # fmt: skip


def _findings(data: ReportData) -> tuple[Finding, ...]:
    rows = data.leading("virtue wins", players=data.players).drop_nulls("se")
    if rows.is_empty():
        return (Finding("Virtues: no data.", "open", "virtues"),)
    low, high = EVEN - TOLERANCE, EVEN + TOLERANCE
    verdict = overall(judge(rows["estimate"], rows["se"], low, high, share=True))
    text = (
        f"Virtues, {data.players} players, {data.who}: {shares_in_words(rows)}, where "
        f"even is {percent(EVEN, 0)}; {SAID[verdict]}"
    )
    if verdict == "undecided":
        needed = more_games(rows["estimate"], rows["se"], data.games, low, high)
        text += f" ({needed})"
    claim = Claim(
        "the Virtues",
        "virtue wins",
        data.players,
        "virtue",
        {name: name for name in rows["virtue"]},
        even=EVEN,
        tolerance=TOLERANCE,
    )
    how = how_tested("5 points from even", "Virtues", rows.height, data.games)
    return (Finding(f"{text}.", sure(verdict), "virtues", claim, how),)


def _nobody(data: ReportData) -> tuple[Finding, ...]:
    """How often an absent Virtue wins, with fewer players than Virtues."""
    rows = data.leading("nobody wins").filter(pl.col("players") < 1 / EVEN)
    rows = rows.drop_nulls("estimate")
    if rows.is_empty():
        return ()
    texts = [f"{share(row)} with {row['players']}" for row in rows.rows(named=True)]
    text = f"Nobody at the table wins, {data.who}: {listed(texts)} players."
    return (Finding(text, "", "virtues"),)


def shares_in_words(rows: pl.DataFrame) -> str:
    """Shares of the Virtues, the greatest first."""
    ordered = rows.sort("estimate", descending=True).rows(named=True)
    return listed([_share(row) for row in ordered])


def _share(row: Row) -> str:
    return f"{row['virtue']} wins {share(row)}"


SAID = {
    "within": "no Virtue is more than 5 points from that",
    "outside": "some Virtue is more than 5 points from that",
    "undecided": "whether a Virtue is more than 5 points from that is undecided",
}

SECTION = ReportSection(section, MEASURES, tables)
