"""What each action is worth: decisions of the leading lineup played with every option.

The worth of an option is how much more often its player wins with it than with another
option of the same decision (``reports.option_differences``).
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.bounded_claims import RowsClaim
from reports.drake.game_arrays import tables
from reports.drake.labels import VIRTUE
from reports.figure_specs import dots
from reports.game_report import ReportSection, WhatIfs
from reports.measure_tables import (
    MeasureTable,
    Number,
    VerdictColumn,
    here,
    with_words,
)
from reports.measures import MeasuresOf

EVERY = 7
"""One game in this many is branched; a number that divides no number of players."""
_WORTH = "wins of its player with the option, less those with another one"


def branching(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which decisions are played with every option: all of them."""
    wanted = {"decisions": ("play", "act"), "one_game_in": EVERY}
    return ({**wanted, "players": (2, 3, 4)},)


MEASURES = tuple(
    MeasuresOf("options", unit="pp", where=pl.col("kind") == kind).mean(
        name, _WORTH, "more", "others", by="virtue option"
    )
    for kind, name in (("play", "worth of a deck"), ("act", "worth of an action"))
)


def _worth(name: str, title: str, measure: str, note: str) -> MeasureTable:
    return MeasureTable(
        name,
        title,
        f"{{players}} players. {note}",
        (
            VIRTUE,
            "option",
            Number(measure, "worth"),
            VerdictColumn(0.02, "2 points", {}),
        ),
        only=here,
        rows=with_words("who", "{}: {}".format, "virtue", "option"),
        draw=dots("virtue", "wins with it less without, %", by="option", reference=0),
    )


DECKS = _worth(
    "actions-decks",
    "What it is worth to play each deck, by Virtue",
    "worth of a deck",
    "Less another deck that could have been played.",
)
ACTS = _worth(
    "actions-act",
    "What it is worth to use a card, by Virtue",
    "worth of an action",
    "At choices between using a card and doing something else, or passing.",
)
_PHRASES = {"above": "gains", "below": "loses"}
SECTION = ReportSection(
    id="actions",
    title="What each action is worth",
    question="What is each deck and action worth, and to which Virtue?",
    intro=f"With {{who}}: every choice of 1 in {EVERY} games is played on with each of "
    "its options, on the same chance; all that follows is played as before. n counts "
    "pairs of options. Swallowing and breathing fire are forced, not chosen, so they "
    "have no worth of their own: they come with the card played.",
    measures=MEASURES,
    tidy=tables,
    tables=(DECKS, ACTS),
    claims=(
        RowsClaim("Decks, {players} players, {who}", DECKS, "who", _PHRASES),
        RowsClaim("Actions, {players} players, {who}", ACTS, "who", _PHRASES),
    ),
    what_ifs=(WhatIfs(counterfactuals=branching),),
)
