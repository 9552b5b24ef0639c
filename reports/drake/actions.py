"""What each action is worth: decisions of the leading lineup tried with every option.

The game is played on from a decision with each of its options; all that follows is
played by who sits there, with the same chance. An option is worth what its player then
wins more often than with another option of the same decision. So one choice is another,
and no more: a plan over several turns is not tried.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.drake.formatting import VIRTUE
from reports.drake.played import tables
from reports.drawing import dots
from reports.formatting import Row, listed, points
from reports.game_report import ReportSection
from reports.measures import Measure
from reports.page import Exhibit, Finding, Section
from reports.report_data import ReportData
from reports.selected import at_once
from reports.statistics.equivalence import judge, label
from reports.tabled import Number, tabled, worded

EVERY = 7
"""One in so many games is tried; it divides no number of players."""
_PLAY, _ACT = (pl.col("asked") == kind for kind in ("play", "act"))
_WORTH = "wins of its player with the option less with another of the same decision"


def branching(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The decisions that are tried: all of them."""
    wanted = {"first": ("play", "act"), "then": (), "when": None}
    return ({**wanted, "every": EVERY, "players": (2, 3, 4)},)


def _worth(name: str, where: pl.Expr, *by: str) -> Measure:
    more, others = pl.col("more"), pl.col("others")
    return Measure(
        name, _WORTH, "mean", "options", more, others, by=by, where=where, unit="pp"
    )


MEASURES = (
    _worth("worth of a deck", _PLAY, "virtue", "option"),
    _worth("worth of a deck by turns", _PLAY, "option", "stage"),
    _worth("worth of an action", _ACT, "option"),
    _worth("worth of an action by Virtue", _ACT, "virtue", "option"),
    Measure(
        "decides",
        "choices with which the player wins by some options and not by others",
        "share",
        "options",
        pl.col("decides"),
        by=("asked", "stage"),
        where=pl.col("once"),
    ),
)


def section(data: ReportData) -> Section:
    """The worth of decks and actions, and how often a choice decides."""
    if not data.leading("worth of a deck").height:
        text = "No decision was tried with every option."
        return Section("actions", "What each action is worth", text)
    return Section(
        "actions",
        "What each action is worth",
        f"With {data.who}: choices of 1 in {EVERY} games, each played on with every "
        "option it has, to the same chance; all that follows is played as before. n "
        "counts pairs of options. Where one must swallow or breathe fire there is no "
        "choice, so these have no worth of their own: they come with the card played.",
        (_decks(data), _turns(data), _actions(data), _deciding(data)),
        _findings(data),
    )


def _decks(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "actions-decks",
        "What it is worth to play each deck, by one's Virtue",
        "Less another deck that could have been played.",
        ("players", VIRTUE, "option", Number("worth of a deck", "worth")),
        rows=worded("who", _who, "virtue", "players"),
        draw=dots("who", "wins with it less without, %", by="option", reference=0),
    )


def _turns(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "actions-turns",
        "What it is worth to play each deck, by turns",
        f"{data.players} players, all Virtues.",
        ("stage", "option", Number("worth of a deck by turns", "worth")),
        only=data.leads(data.players),
        draw=dots("stage", "wins with it less without, %", by="option", reference=0),
    )


def _actions(data: ReportData) -> Exhibit:
    return tabled(
        data,
        "actions-act",
        "What it is worth to use a card, by one's Virtue",
        "Where a card lies that can be used, and something else can be done, or "
        "nothing else (then one may pass).",
        ("players", VIRTUE, "option", Number("worth of an action by Virtue", "worth")),
        rows=worded("who", _who, "virtue", "players"),
        draw=dots("who", "wins with it less without, %", by="option", reference=0),
    )


def _deciding(data: ReportData) -> Exhibit:
    words = {"play": "which deck", "act": "which action"}
    return tabled(
        data,
        "actions-deciding",
        "How often a choice decides whether its player wins",
        "Of choices with more than one option.",
        ("players", "asked", "stage", Number("decides", "decides")),
        rows=worded(
            "who", lambda kind, n: f"{words[kind]}, {n} players", "asked", "players"
        ),
        draw=dots("stage", "share of choices, %", by="who"),
    )


def _who(virtue: str, players: int) -> str:
    return f"{virtue}, {players} players"


def _findings(data: ReportData) -> tuple[Finding, ...]:
    decks = data.leading("worth of a deck", players=data.players)
    acts = data.leading("worth of an action").filter(~pl.col("option").is_in(["pass"]))
    found = [_deck(data, decks)] if decks.height else []
    uses = acts.filter(pl.col("option").str.starts_with("use "))
    return (*found, *(_use(data, row) for row in uses.rows(named=True)))


def _deck(data: ReportData, rows: pl.DataFrame) -> Finding:
    values = pl.Series("verdict", judge(rows["estimate"], rows["se"], 0.0, 0.0))
    rows = at_once(rows).with_columns(values).sort("estimate", descending=True)
    best = rows.unique("virtue", keep="first", maintain_order=True)
    verdicts = best["verdict"].to_list()
    texts = [
        f"{row['virtue']} gains most by playing {row['option']} ({points(row)} points)"
        for row in best.rows(named=True)
    ]
    text = (
        f"Actions, {data.players} players, {data.who}, against another deck of the "
        f"same turn: {listed(texts)}."
    )
    return Finding(text, label(verdicts), "actions")


def _use(data: ReportData, row: Row) -> Finding:
    (verdict,) = judge([row["estimate"]], [row["se"]], 0.0, 0.0)
    text = (
        f"To {row['option']}, {row['players']} players, {data.who}, changes the share "
        f"of games that its player wins by {points(row)} points, against what else "
        "could be done that turn."
    )
    return Finding(text, "sure" if verdict == "outside" else "open", "actions")


SECTION = ReportSection(section, MEASURES, tables)
