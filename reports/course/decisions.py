"""How many decisions a game has, and how many options are open at one."""

from typing import Any

import numpy as np

from reports.counts import Counts, grid
from reports.measures import MeasuresOf

DECISIONS = "decisions"
"""The table of decisions that is recorded: a row a kind and game."""
_ARRAYS = MeasuresOf()
OPTIONS = (
    _ARRAYS.per_game("decisions", "decisions of all players in a game"),
    _ARRAYS.mean(
        "options a decision",
        "options open at a decision; where several tokens are placed, those of one",
    ),
)


def counts(read: Any) -> list[Counts]:
    """Decisions and options of all kinds, of what a report reads; none if not told."""
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
