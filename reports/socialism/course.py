"""Course of the game: networks over time, the lead, wasted turns, and how it ends."""

import polars as pl

from reports import course
from reports.claims import Claim
from reports.drawing import bars
from reports.formatting import number, percent, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Finding, Section
from reports.report_data import ReportData
from reports.socialism.played import ROUNDS, tables
from reports.tabled import Number, tabled, worded

_SHARES = {
    "runaway": "P(wins | alone has most Members at half-time)",
    "comeback": "P(wins | has fewest Members at half-time)",
}
MEASURES = (
    Measure("runaway", _SHARES["runaway"], "share", "halves", pl.col("won"),
            where=pl.col("first")),
    Measure("comeback", _SHARES["comeback"], "share", "halves", pl.col("won"),
            where=pl.col("last")),
    Measure("members by round", "Members of a seat after the round", "mean", "rounds",
            pl.col("members"), by=("round",)),
    Measure("winner's members by round", "Members of who wins, after the round", "mean",
            "rounds", pl.col("members"), by=("round",), where=pl.col("won")),
    Measure("lead changes", "how often another seat alone has most Members", "mean",
            "courses", pl.col("lead_changes")),
    Measure("games by lead changes", "games with so many changes of the lead",
            "share of games", "courses", by=("lead_changes",)),
    Measure("turns without a Member", "turns after which one's network is no larger",
            "share", "turns", pl.col("nothing")),
    Measure("wasted turns", "of these, turns in which nobody else lost a token either; "
            "of all turns", "share", "turns", pl.col("wasted")),
    Measure("taken by turn", "tokens that the others lose in a turn", "mean", "turns",
            pl.col("taken")),
    Measure("won by way", "how the winner's last token came", "share of games", "ways",
            by=("via",), where=pl.col("won")),
)  # fmt: skip
_FORMULA = (
    "half-time = the first turn after which some network has half of the tokens, if "
    "the game goes on; a runaway is a sole leader, the last may be several"
)


def section(data: ReportData) -> Section:
    """Network sizes, runaways, lead changes, wasted turns, and last tokens."""
    whose = {"all seats": "members by round", "winner": "winner's members by round"}
    time = data.columns["round"]
    found = {name: data.leading(name) for name in _SHARES}
    wasted = (
        "players",
        Number("wasted turns", "wasted"),
        Number("turns without a Member", "no Member won", name="nothing"),
        Number("taken by turn", "tokens others lose a turn", name="taken"),
    )
    exhibits = (
        course.scores(
            data, "Network size over time",
            f"After each of the first {ROUNDS} rounds, of games that still go on: "
            "late rounds are of long games, whose winners were slow.",
            whose, time, "members",
        ),
        course.shares("Runaways and comebacks", _SHARES, found, _FORMULA),
        course.changes(
            data, "Told after each turn, of whoever alone has most Members.",
            "how often in a game another one leads",
        ),
        tabled(
            data, "course-wasted", "Wasted turns",
            "A turn is wasted if the own network is no larger after it, and nobody "
            "else's smaller.", wasted,
        ),
        tabled(
            data, "course-won", "How the last token of the winner came",
            "Of all games.", ("players", "via", Number("won by way", "games")),
            rows=worded("table", lambda players: f"{players} players", "players"),
            draw=bars("table", "share of games, %", "via"),
        ),
    )  # fmt: skip
    intro = f"With {data.who}. A round is a turn of each player."
    return Section("course", "Course of the game", intro, exhibits, _findings(data))


def _findings(data: ReportData) -> tuple[Finding, ...]:
    found = []
    for players in data.counts:
        rows = {
            name: data.leading(name, players=players).row(0, named=True)
            for name in (*_SHARES, "lead changes", "wasted turns", "taken by turn")
        }
        if rows["runaway"]["estimate"] is None:
            text = f"Course, {players} players: no game had a half-time."
            found.append(Finding(text, "open", "course"))
            continue
        text = (
            f"Course, {players} players, {data.who}: who alone leads at half-time "
            f"wins {share(rows['runaway'])} of such games (even: "
            f"{percent(1 / players)}), who is last {share(rows['comeback'])}; the lead "
            f"changes {number(rows['lead changes'])} times a game; "
            f"{share(rows['wasted turns'])} of the turns are wasted, and others lose "
            f"{number(rows['taken by turn'])} tokens a turn."
        )
        claim = Claim(
            "wins of who alone leads at half-time",
            "runaway",
            players,
            even=1 / players,
        )
        found.append(Finding(text, "", "course", claim))
    return tuple(found)


SECTION = ReportSection(section, MEASURES, tables)
