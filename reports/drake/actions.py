"""What each action is worth: decisions of the leading lineup played with every option.

The worth of an option is how much more often its player wins with it than with another
option of the same decision (``reports.option_differences``).
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.drake.game_arrays import tables
from reports.drake.labels import VIRTUE
from reports.figure_specs import dots
from reports.formatting import join_words, points
from reports.game_report import ReportSection, SectionParts, WhatIfs
from reports.measure_tables import MeasureTable, Number, with_words
from reports.measures import MeasuresOf
from reports.report_data import ReportData
from reports.report_document import Finding
from reports.search_vs_baseline import one_searcher_vs_baseline
from reports.simultaneous_intervals import simultaneous_intervals
from reports.statistics.equivalence import judge, label
from reports.verdicts import how_tested

EVERY = 7
"""One game in this many is branched; a number that divides no number of players."""
_PLAY, _ACT = (
    MeasuresOf("options", unit="pp", where=pl.col("asked") == kind)
    for kind in ("play", "act")
)
_WORTH = "wins of its player with the option, less those with another one"
_PAIRS = ("more", "others")
MEASURES = (
    _PLAY.mean("worth of a deck", _WORTH, *_PAIRS, by="virtue option"),
    _PLAY.mean("worth of a deck by turns", _WORTH, *_PAIRS, by="option stage"),
    _ACT.mean("worth of an action", _WORTH, *_PAIRS, by="option"),
    _ACT.mean("worth of an action by Virtue", _WORTH, *_PAIRS, by="virtue option"),
    MeasuresOf("options", where=pl.col("once")).share(
        "decides",
        "choices with which the player wins by some options and not by others",
        "decides",
        by="asked stage",
    ),
)
_WHO = with_words("who", "{}, {} players".format, "virtue", "players")
_AXIS = "wins with it less without, %"


def branching(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which decisions are played with every option: all of them."""
    wanted = {"decisions": ("play", "act"), "one_game_in": EVERY}
    search = {"one_game_in": 1}
    return ({**wanted, "players": (2, 3, 4), "search": search},)


def section(data: ReportData) -> SectionParts:
    """Yield the worth of decks and actions, and how often a choice decides the game."""
    if not data.leading("worth of a deck").height:
        yield "No decision was tried with every option."
        return
    yield (
        f"With {data.who}: every choice of 1 in {EVERY} games is played on with each "
        "of its options, on the same chance; all that follows is played as before. n "
        "counts pairs of options. Swallowing and breathing fire are forced, not "
        "chosen, so they have no worth of their own: they come with the card played."
    )
    yield MeasureTable(
        "actions-decks",
        "What it is worth to play each deck, by Virtue",
        "Less another deck that could have been played.",
        ("players", VIRTUE, "option", Number("worth of a deck", "worth")),
        rows=_WHO,
        draw=dots("who", _AXIS, by="option", reference=0),
    )
    yield MeasureTable(
        "actions-turns",
        "What it is worth to play each deck, by turns",
        f"{data.players} players, all Virtues.",
        ("stage", "option", Number("worth of a deck by turns", "worth")),
        only=data.leads(data.players),
        draw=dots("stage", _AXIS, by="option", reference=0),
    )
    yield MeasureTable(
        "actions-act",
        "What it is worth to use a card, by Virtue",
        "At choices between using a card and doing something else, or passing.",
        ("players", VIRTUE, "option", Number("worth of an action by Virtue", "worth")),
        rows=_WHO,
        draw=dots("who", _AXIS, by="option", reference=0),
    )
    for what in ("a deck", "an action"):
        name, title = f"worth of {what}", f"What {what} is worth to players who search"
        yield from one_searcher_vs_baseline(
            data, name, f"actions-{what.split()[1]}-search", title, 0.02
        )
    words = {"play": "which deck", "act": "which action"}
    yield MeasureTable(
        "actions-deciding",
        "How often a choice decides whether its player wins",
        "Of choices with more than one option.",
        ("players", "asked", "stage", Number("decides", "decides")),
        rows=with_words(
            "who", lambda kind, n: f"{words[kind]}, {n} players", "asked", "players"
        ),
        draw=dots("stage", "share of choices, %", by="who"),
    )
    yield from _findings(data)


def _findings(data: ReportData) -> SectionParts:
    decks = data.leading("worth of a deck", players=data.players)
    if decks.height:
        yield _deck(data, decks)
    uses = data.leading("worth of an action")
    uses = uses.filter(pl.col("option").str.starts_with("use "))
    verdicts = judge(uses["estimate"], uses["se"], 0.0, 0.0)
    tested = how_tested("from nothing", "actions", uses.height, data.games)
    for row, verdict in zip(uses.to_dicts(), verdicts, strict=True):
        yield Finding(
            f"To {row['option']}, {row['players']} players, {data.who}, changes the "
            f"share of games that its player wins by {points(row)} points, against "
            "what else they could do that turn.",
            "sure" if verdict == "outside" else "open",
            tested=tested,
        )


def _deck(data: ReportData, rows: pl.DataFrame) -> Finding:
    values = pl.Series("verdict", judge(rows["estimate"], rows["se"], 0.0, 0.0))
    rows = (
        simultaneous_intervals(rows)
        .with_columns(values)
        .sort("estimate", descending=True)
    )
    best = rows.unique("virtue", keep="first", maintain_order=True)
    texts = [
        f"{row['virtue']} gains most by playing {row['option']} ({points(row)} points)"
        for row in best.to_dicts()
    ]
    return Finding(
        f"Actions, {data.players} players, {data.who}, against another deck of the "
        f"same turn: {join_words(texts)}.",
        label(best["verdict"].to_list()),
        tested=how_tested("from nothing", "options", rows.height, data.games),
    )


SECTION = ReportSection(
    section,
    MEASURES,
    tables,
    id="actions",
    title="What each action is worth",
    question="What is each deck and action worth, and to which Virtue?",
    what_ifs=(WhatIfs(counterfactuals=branching),),
)
