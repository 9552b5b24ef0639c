"""Draws and reshuffles: how often nothing fits, and how often the pile is empty."""

import polars as pl

from reports.devil.played import Played
from reports.devil.words import alone, each_count
from reports.drawing import dots
from reports.found import Found
from reports.grids import grid_of_rows as grid
from reports.measures import Kind
from reports.page import Column, Exhibit, Finding, Section
from reports.verdicts import judge, more_games, sure
from reports.words import (
    PLAYERS,
    STRATEGY,
    estimated,
    exhibit,
    joined,
    named,
    number,
    share,
)

HALF = 0.5
"""More draws than half of the turns: most turns go by without a choice."""
NAMES: dict[str, Kind] = {
    "draws a turn": "rate",
    "draws a round": "mean",
    "penalties a round": "mean",
    "skips a round": "mean",
    "reshuffles a round": "mean",
    "rounds reshuffled": "rate",
}
_COLUMNS = (
    estimated("draws a turn", "share of the turns in which a card was drawn for want "
              "of one that fits", "share"),
    estimated("draws", "such draws in a round", name="draws a round"),
    estimated("penalties", "cards drawn in a round because of a Special",
              name="penalties a round"),
    estimated("skips", "turns lost in a round", name="skips a round"),
    estimated("reshuffles", "how often the pile is shuffled anew in a round",
              name="reshuffles a round"),
    estimated("with a reshuffle", "share of the rounds with one or more", "share",
              "rounds reshuffled"),
    Column("n", "n", "turns", "count"),
)  # fmt: skip


def grids(played: Played) -> list[pl.DataFrame]:
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


def section(found: Found) -> Section:
    """By number of players, and by strategy."""
    return Section(
        "draws",
        "Draws and reshuffles",
        "Who has no card that fits draws one, and plays it if it fits. Specials make "
        "the next player draw and lose his turn, a 10 that he loses his turn.",
        (_by_players(found), _strategies(found)),
        _findings(found),
    )


def _all(found: Found, only: pl.Expr) -> pl.DataFrame:
    first, *others = NAMES
    rows = found.of(first, NAMES[first], only=only)
    for name in others:
        part = named(found.of(name, NAMES[name], only=only), ("cell",), name)
        rows = joined(rows, part, ("cell",))
    return rows.with_columns(
        strategy="lineup", table=pl.format("{} players", "players")
    )


def _by_players(found: Found) -> Exhibit:
    return exhibit(
        "draws-players",
        "Draws, penalties, skips and reshuffles",
        f"With {found.who}; of all seats together.",
        _all(found, found.leads()),
        (PLAYERS, *_COLUMNS),
        dots("table", "turns in which nothing fits, %"),
    )


def _strategies(found: Found) -> Exhibit:
    return exhibit(
        "draws-strategies",
        "Draws, penalties, skips and reshuffles by strategy",
        f"Each strategy at a table of its own kind, {found.players} players.",
        _all(found, alone(found)),
        (STRATEGY, *_COLUMNS),
        dots("strategy", "turns in which nothing fits, %"),
    )


def _findings(found: Found) -> tuple[Finding, ...]:
    rows = _all(found, found.leads()).drop_nulls("estimate")
    by = {row["players"]: row for row in rows.rows(named=True)}
    if found.players not in by:
        return (Finding("Draws: no round ended.", "open", "draws"),)
    row = by[found.players]
    (verdict,) = judge([row["estimate"]], [row["se"]], 0.0, HALF)
    text = (
        f"Draws, {found.players} players, {found.who}: in {share(row)} of the turns "
        f"nothing in hand fits and a card is drawn: {_SAID[verdict]}; a round has "
        f"{number(row, 'skips a round')} turns lost and "
        f"{number(row, 'penalties a round')} penalty cards, and the pile is shuffled "
        f"anew {number(row, 'reshuffles a round')} times"
    )
    if verdict == "undecided":
        text += f"; {more_games([row['estimate']], [row['se']], found.games, 0, HALF)}"
    several = {n: share(by[n], "rounds reshuffled") for n in found.counts if n in by}
    return (
        Finding(f"{text}.", sure(verdict), "draws"),
        Finding(
            f"Rounds in which the pile is shuffled anew: {each_count(several)}.",
            "sure",
            "draws",
        ),
    )


_SAID = {
    "within": "fewer than half",
    "outside": "more than half, so most turns leave no choice",
    "undecided": "whether that is more than half is undecided",
}
