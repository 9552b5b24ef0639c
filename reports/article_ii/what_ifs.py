"""What a card is worth on the same deals: with it, and with it discarded.

When a phase is dealt, chance draws a card of each hand and tosses a coin: with heads
the player has it (in hand, or placed on them at once), with tails it is discarded. The
same deal is played again with every coin turned over. So each player has the same card
of the same deal once and lacks it once, and nobody chose which.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.article_ii import general_choices
from reports.game_report import About, Raw, WhatIfs
from reports.measures import MeasuresOf

TRIED = ("result", "trial")
"""The notes by which two games are compared."""
TIMES = 2
"""Cells of each experiment: more than one, as some cards are rare."""
_WITH = "with the card less without, on the same deals"
_TRIALS = MeasuresOf("trials", by="phase lying card", unit="pp")
MEASURES = (
    _TRIALS.mean("won_more", f"games won {_WITH}", "won_more"),
    _TRIALS.mean("nominated_more", f"games as a Candidate {_WITH}", "nominated_more"),
)


def trials(_: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the experiments that the panel plays, as plain data for ``trial``."""
    return tuple(
        {"phase": phase, "lying": lying}
        for lying in (False, True)
        for phase in range(2)
        for _ in range(TIMES)
    )


def pairs(raw: Raw, other: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Compare games: a row per seat and game in which a card was drawn.

    won_more: 1 if only the game with it was won, -1 if only that without; phase: 1
    when the Primary was dealt, 2 the General; lying: 1 on the player, 0 in hand.
    """
    table, players = raw["trial"], about["players"]
    seat, has = table["seat"].to_numpy(), table["has"].to_numpy().astype(bool)
    sign = np.where(has, 1, -1).astype(np.int64)
    results = raw["result"], other["result"]
    at = table["game"].to_numpy().astype(np.int64) - int(results[0]["game"][0])

    def more(values: list[Any]) -> Any:
        first, second = (v.reshape(players, -1)[seat, at].astype(int) for v in values)
        return (first - second) * sign

    won = [part["winner"].to_numpy() == part["seat"].to_numpy() for part in results]
    nominated = [
        part["candidates"].to_numpy() >> part["seat"].to_numpy().astype(np.uint64)
        & np.uint64(1)
        for part in results
    ]
    return {
        "trials": pl.DataFrame(
            {
                "game": table["game"],
                "phase": table["phase"].to_physical().cast(pl.Int64) + 1,
                "lying": np.full(table.height, about["trial"]["lying"], np.int64),
                "card": table["card"],
                "won_more": more(won),
                "nominated_more": more(nominated),
            }
        )
    }


def other_decks(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the rules with the other decks."""
    return tuple(
        {"changes": {"deck": name}, "players": (2, 3, 4)}
        for name in ("updated", "original")
        if name != rules["deck"] and not rules["parties"]
    )


def parties(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the rules with parties, if they have none."""
    changed = {"changes": {"parties": True}, "players": (4,)}
    return () if rules["parties"] else (changed,)


TRIALS = WhatIfs(trials=trials, pairs=pairs, measures=MEASURES, records=TRIED)
CHOICES = WhatIfs(counterfactuals=general_choices.branching)
DECKS, PARTIES = WhatIfs(other_rules=other_decks), WhatIfs(other_rules=parties)
