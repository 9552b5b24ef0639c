"""Options that do nothing by themselves, and who makes use of them.

A game declares what does (``sim.events.FollowUp``): the cube that allows to play a card
face down is of use to who then plays one. Of a strategy that never does, how often it
takes the cube, and what that is worth to it, says nothing about the cube.
"""

from collections.abc import Collection, Mapping

import polars as pl

TAKEN = "option taken"
"""The measure that tells how often each option is taken."""
USED = 0.02
"""Who takes a follow-up less often of the times that it could be does not use it."""
FollowUps = Mapping[tuple[str, str], tuple[str, Collection[str]]]
"""Of an option of a decision: the later decision, and its options that make use of it
(none: all)."""


def unused_by(rows: pl.DataFrame, follow_ups: FollowUps) -> list[tuple[str, str]]:
    """Options, with their decisions, of which who plays makes no use.

    rows: how often he takes each option (decision, option, estimate, n).

    >>> rows = {"decision": ["play"], "option": ["observe"], "estimate": [0.0]}
    >>> rows = pl.DataFrame(rows | {"n": [344]})
    >>> unused_by(rows, {("plot", "observation"): ("play", ["observe"])})
    [('plot', 'observation')]
    """
    return [key for key, later in follow_ups.items() if not _does(rows, *later)]


def _does(rows: pl.DataFrame, decision: str, options: Collection[str]) -> bool:
    """Whether one of these options is taken, of the times that one could be."""
    here = rows.filter(pl.col("decision") == decision)
    here = here.filter(pl.col("option").is_in(list(options))) if options else here
    taken = (here["estimate"] * here["n"]).sum()
    return bool(taken > 0) and bool(taken / max(here["n"].to_list()) >= USED)
