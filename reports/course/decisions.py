"""The number of decisions in a game, and of options at a decision."""

from typing import Any

import numpy as np

from reports.counts import Counts, grid
from reports.measures import MeasuresOf

DECISIONS = "decisions"
"""The recorded table of decisions, with a row for each kind and game."""
_ARRAYS = MeasuresOf()
OPTIONS = (
    _ARRAYS.per_game("decisions", "decisions of all players in a game"),
    _ARRAYS.mean(
        "options a decision",
        "options open at a decision; if several tokens are placed, those of one",
    ),
)


def decision_counts(read: Any) -> list[Counts]:
    """Count decisions and options of all kinds; return [] if they are not recorded."""
    raw = read[0] if isinstance(read, tuple) else read.raw
    if DECISIONS not in raw:
        return []
    table = raw[DECISIONS]
    kinds = table["decision"].n_unique()
    made, options = (
        table[name].to_numpy().reshape(kinds, -1).sum(axis=0)
        for name in ("decisions", "options")
    )
    return [
        grid("decisions", made, np.ones_like(made)),
        grid("options a decision", options, made),
    ]
