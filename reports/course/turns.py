"""What hangs on single decisions: shares of those that were tried with every option."""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.course.story import of_games, table_of
from reports.formatting import ends

WHAT = {
    "matters": "best option surely wins over a point more than the next",
    "dead": "decides nothing for who decides, in no deal",
    "kingmaker": "who decides cannot win, but decides which other does",
}
"""What is told of decisions with several options, each a share of them."""


def turns(tried: pl.DataFrame, decisions: int, choices: int) -> pl.DataFrame:
    """A row a number: what, estimate, low, high, n (decisions tried).

    tried: a row a decision, with its game, weight, gap and flags of ``WHAT``.
    decisions and choices: of all, and of these those with several options; this share
    has no interval as it is of all decisions.
    """
    sums = _by_game(tried, tried["weight"].to_numpy())
    many = sums["n"]
    rows = [
        {"what": SEVERAL, "estimate": choices / max(decisions, 1), "n": decisions},
        *(
            {"what": words, **of_games(sums[name], "share", many)}
            for name, words in WHAT.items()
        ),
        {"what": GAP, **of_games(sums["gap"], "mean", many)},
    ]
    types = dict.fromkeys(("estimate", "low", "high", "se", "n"), pl.Float64)
    return pl.DataFrame(rows, {"what": pl.String, **types})


def by_kind(tried: pl.DataFrame, kinds: Mapping[str, int]) -> pl.DataFrame:
    """A row a kind of decision, those on which most hangs first.

    ``kinds``: how many decisions with several options there are of each, of which
    ``part`` is the share. ``estimate`` is the gap; ``matters`` and ``dead`` are shares.
    """
    every, rows = sum(kinds.values()), []
    for (kind,), part in tried.group_by("kind", maintain_order=True):
        sums = _by_game(part, np.ones(part.height))
        many = sums["n"]
        row = {"kind": kind, "part": kinds[str(kind)] / every}
        row |= of_games(sums["gap"], "mean", many)
        for name in ("matters", "dead"):
            found = of_games(sums[name], "share", many)
            low, high = ends(name)
            row |= {name: found["estimate"], low: found["low"], high: found["high"]}
        rows.append(row)
    return table_of(rows).sort("estimate", descending=True, maintain_order=True)


def _by_game(
    tried: pl.DataFrame, weight: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """(games,) each: the weights (``n``), and the weighted sums of what is told.

    They are added up row by row, so no thread of anybody's changes a last digit.
    """
    at = np.unique(tried["game"].to_numpy(), return_inverse=True)[1]
    told = {name: tried[name].to_numpy() * weight for name in ("gap", *WHAT)}
    sums = {name: np.bincount(at, part) for name, part in {"n": weight, **told}.items()}
    return {name: np.asarray(part, np.float64) for name, part in sums.items()}


SEVERAL = "several options are open, of all decisions"
GAP = "what the best option wins more than the next, on average"


def told(rows: pl.DataFrame, name: str) -> dict[str, float]:
    """The row of one of ``WHAT``, or of the gap."""
    return rows.row(by_predicate=pl.col("what") == WHAT.get(name, GAP), named=True)


def middle(fan: pl.DataFrame, tenth: int) -> dict[str, float]:
    """The median of the greatest chance to win after so many tenths."""
    here = (pl.col("tenth") == tenth) & (pl.col("quantile") == "50 %")
    return fan.row(by_predicate=here, named=True)
