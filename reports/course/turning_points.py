"""How much single decisions matter, from those that were tried with every option."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.course.win_probability_tables import estimates_table, mean_over_games
from reports.formatting import bounds_of

WHAT = {
    "matters": "best option is shown to win over a point more than the next",
    "dead": "changes nothing for the player who decides, in any deal",
    "kingmaker": "the player who decides cannot win, but decides which other does",
}
"""Flags of decisions with several options; the numbers are shares of these."""


def decision_table(tried: pl.DataFrame, decisions: int, choices: int) -> pl.DataFrame:
    """Return a row for each number: what, estimate, low, high, n (decisions tried).

    tried: a row for each decision, with game, weight, gap and the flags of ``WHAT``.
    decisions and choices: the number of all, and of those with several options; their
    ratio has no interval, as it is of all decisions.
    """
    sums = _by_game(tried, tried["weight"].to_numpy())
    weights = sums["n"]
    rows = [
        {"what": SEVERAL, "estimate": choices / max(decisions, 1), "n": decisions},
        *(
            {"what": words, **mean_over_games(sums[name], "share", weights)}
            for name, words in WHAT.items()
        ),
        {"what": GAP, **mean_over_games(sums["gap"], "mean", weights)},
    ]
    types = dict.fromkeys(("estimate", "low", "high", "se", "n"), pl.Float64)
    return pl.DataFrame(rows, {"what": pl.String, **types})


def by_kind(tried: pl.DataFrame, kinds: Mapping[str, int]) -> pl.DataFrame:
    """Return a row for each kind of decision, those that matter most first.

    ``kinds``: the number of decisions with several options of each kind; ``part`` is
    the share of it. ``estimate`` is the gap; ``matters`` and ``dead`` are shares.
    """
    total, rows = sum(kinds.values()), []
    for (kind,), part in tried.group_by("kind", maintain_order=True):
        sums = _by_game(part, np.ones(part.height))
        weights = sums["n"]
        row = {"kind": kind, "part": kinds[str(kind)] / total}
        row |= mean_over_games(sums["gap"], "mean", weights)
        for name in ("matters", "dead"):
            share = mean_over_games(sums[name], "share", weights)
            low, high = bounds_of(name)
            row |= {name: share["estimate"], low: share["low"], high: share["high"]}
        rows.append(row)
    return estimates_table(rows).sort("estimate", descending=True, maintain_order=True)


def _by_game(
    tried: pl.DataFrame, weight: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Return (games,) the weights (``n``) and the weighted sums of gap and flags.

    They are added up row by row, so that threads change no digit.
    """
    at = np.unique(tried["game"].to_numpy(), return_inverse=True)[1]
    parts = {name: tried[name].to_numpy() * weight for name in ("gap", *WHAT)}
    parts = {"n": weight, **parts}
    sums = {name: np.bincount(at, part) for name, part in parts.items()}
    return {name: np.asarray(part, np.float64) for name, part in sums.items()}


SEVERAL = "several options are open, of all decisions"
GAP = "how much more the best option wins than the next, on average"
