"""Draws and reshuffles: how often nothing fits, and how often the pile is empty."""

import polars as pl

from reports.counts import Counts
from reports.counts import grid_of_rows as grid
from reports.devil.formatting import each_count
from reports.devil.played import PlayedGames
from reports.drawing import dots
from reports.formatting import number, share
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Column, Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.statistics.equivalence import judge, more_games, sure
from reports.tabled import Number, beside, tabled

HALF = 0.5
"""More draws than half of the turns: most turns go by without a choice."""
MEASURES = (
    Measure(
        "draws a turn",
        "share of the turns in which a card was drawn for want of one that fits",
        "share",
    ),
    Measure("draws a round", "such draws in a round", "mean"),
    Measure("penalties a round", "cards drawn in a round because of a Special", "mean"),
    Measure("skips a round", "turns lost in a round", "mean"),
    Measure(
        "reshuffles a round", "how often the pile is shuffled anew in a round", "mean"
    ),
    Measure("rounds reshuffled", "share of the rounds with one or more", "share"),
)
_NUMBERS = (
    Number("draws a turn", "draws a turn"),
    Number("draws a round", "draws", name="draws a round"),
    Number("penalties a round", "penalties", name="penalties a round"),
    Number("skips a round", "skips", name="skips a round"),
    Number("reshuffles a round", "reshuffles", name="reshuffles a round"),
    Number("rounds reshuffled", "with a reshuffle", name="rounds reshuffled"),
)
_TURNS = Column("n", "n", "turns", "count")


def counts(played: PlayedGames) -> list[Counts]:
    """Sums of what the rounds counted."""
    rounds, game = played.rounds, played.game
    turns, one = rounds.once("turns"), rounds.once("turns") * 0 + 1
    values = {
        name: rounds.once(name)
        for name in ("draws", "penalties", "skips", "reshuffles")
    }
    draws = values["draws"]
    return [
        grid("draws a turn", game, draws, turns),
        *(grid(f"{name} a round", game, value, one) for name, value in values.items()),
        grid("rounds reshuffled", game, values["reshuffles"] > 0, one),
    ]


def section(data: ReportData) -> Section:
    """By number of players, and by strategy."""
    return Section(
        "draws",
        "Draws and reshuffles",
        "Who has no card that fits draws one, and plays it if it fits. Specials make "
        "the next player draw and lose his turn, a 10 that he loses his turn.",
        (_by_players(data), _strategies(data)),
        _findings(data),
    )


def _all(data: ReportData, only: pl.Expr) -> pl.DataFrame:
    return beside(data, _NUMBERS, only).with_columns(
        strategy="lineup", table=pl.format("{} players", "players")
    )


def _by_players(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "draws-players",
        "Draws, penalties, skips and reshuffles",
        f"With {data.who}; of all seats together.",
        ("players", *_NUMBERS),
        rows=_all(data, data.leads()),
        draw=dots("table", "turns in which nothing fits, %"),
        n=_TURNS,
    )


def _strategies(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "draws-strategies",
        "Draws, penalties, skips and reshuffles by strategy",
        f"Each strategy at a table of its own kind, {data.players} players.",
        ("strategy", *_NUMBERS),
        rows=_all(data, data.alone),
        draw=dots("strategy", "turns in which nothing fits, %"),
        n=_TURNS,
    )


def _findings(data: ReportData) -> tuple[Finding, ...]:
    rows = _all(data, data.leads()).drop_nulls("estimate")
    by = {row["players"]: row for row in rows.rows(named=True)}
    if data.players not in by:
        return (Finding("Draws: no round ended.", "open", "draws"),)
    row = by[data.players]
    (verdict,) = judge([row["estimate"]], [row["se"]], 0.0, HALF, share=True)
    text = (
        f"Draws, {data.players} players, {data.who}: in {share(row)} of the turns "
        f"nothing in hand fits and a card is drawn: {_SAID[verdict]}; a round has "
        f"{number(row, 'skips a round')} turns lost and "
        f"{number(row, 'penalties a round')} penalty cards, and the pile is shuffled "
        f"anew {number(row, 'reshuffles a round')} times"
    )
    if verdict == "undecided":
        text += f"; {more_games([row['estimate']], [row['se']], data.games, 0, HALF)}"
    several = {n: share(by[n], "rounds reshuffled") for n in data.counts if n in by}
    return (
        Finding(f"{text}.", sure(verdict), "draws"),
        Finding(
            f"Rounds in which the pile is shuffled anew: {each_count(several)}.",
            "",
            "draws",
        ),
    )


_SAID = {
    "within": "fewer than half",
    "outside": "more than half, so most turns leave no choice",
    "undecided": "whether that is more than half is undecided",
}


SECTION = ReportSection(section, MEASURES, counts=counts)
