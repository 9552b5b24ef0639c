"""What a card is worth on the same deals: lying on a player, and discarded.

When a phase is dealt, chance draws a card of each hand and tosses a coin: with heads it
is placed on the player at once, with tails it is discarded. The same deal is played
again with every coin turned over. So each player has the same card of the same deal
once and lacks it once, and nobody chose which.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from reports.article_ii import general_choices
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.game_report import About, WhatIfs
from reports.measures import MeasuresOf
from reports.paired_differences import PairedDifferences, drawn_cards

TRIED = ("result", "trial")
"""The notes by which two games are compared."""
TIMES = 2  # cells of each experiment: more than one, as some cards are rare
_WITH = "games won with the card on oneself less without, on the same deals"
_TRIALS = MeasuresOf("trials", by="phase card", unit="pp")
MEASURES = (_TRIALS.mean("won_more", _WITH, "won_more"),)


def trials(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the experiments that the panel plays, as plain data for ``trial``."""
    return tuple(
        {"phase": phase, "lying": True} for phase in range(2) for _ in range(TIMES)
    )


def _rows(here: ArticleIIArrays, there: ArticleIIArrays, about: About) -> pl.DataFrame:
    """Return the cards that were drawn; phase: 1 when the Primary was dealt, or 2."""
    return drawn_cards(here, there, about).with_columns(
        phase=pl.col("phase").to_physical().cast(pl.Int64) + 1
    )


PARTNER = "allround"  # plays for its partner as for itself


def other_decks(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the rules with the other decks."""
    return tuple(
        {"changes": {"deck": name}, "players": (2, 3, 4)}
        for name in ("updated", "original")
        if name != rules["deck"] and not rules["parties"]
    )


def parties(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the rules with parties, if they have none, and a strategy for them."""
    changes = {"changes": {"parties": True}, "players": (4,), "strategies": (PARTNER,)}
    return () if rules["parties"] else (changes,)


PAIRS = PairedDifferences(
    "trials", ArticleIIArrays, lambda played, _: {"won_more": played.victory}, _rows
)
TRIALS = WhatIfs(trials=trials, pairs=PAIRS, measures=MEASURES, records=TRIED)
CHOICES = WhatIfs(counterfactuals=general_choices.branching)
DECKS, PARTIES = WhatIfs(other_rules=other_decks), WhatIfs(other_rules=parties)
