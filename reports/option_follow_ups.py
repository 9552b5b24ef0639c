"""Options that do nothing without a follow-up, and which players take it.

A game declares follow-ups (``sim.events.FollowUp``): a cube that allows a card to be
played face down is useful only to a player who then does so. If a strategy never does,
how often it takes the cube and what it gains says nothing about the cube.
"""

from collections.abc import Collection, Mapping

import polars as pl

from reports.statistics.intervals import wilson

TAKEN = "option taken"
"""The measure of how often each option is taken."""
OFFERED = 100
"""Times that an option must have been open before anything is said about it."""
USED = 0.02
"""A player who takes a smaller share of the possible follow-ups does not use them."""
FollowUps = Mapping[tuple[str, str], tuple[str, Collection[str]]]
"""For an option of a decision: the later decision, and its options that make use of it
(none: all)."""


def unused_by(rows: pl.DataFrame, follow_ups: FollowUps) -> list[tuple[str, str]]:
    """Return the (decision, option) pairs that a player does not know how to use.

    rows: how often the player takes each option (decision, option, estimate, n).

    >>> rows = {"decision": ["play"], "option": ["observe"], "estimate": [0.0]}
    >>> rows = pl.DataFrame(rows | {"n": [344]})
    >>> unused_by(rows, {("plot", "observation"): ("play", ["observe"])})
    [('plot', 'observation')]
    """
    return [
        key
        for key, (decision, options) in follow_ups.items()
        if not _is_used(rows, key, decision, options)
    ]


def _is_used(
    rows: pl.DataFrame, key: tuple[str, str], decision: str, options: Collection[str]
) -> bool:
    """Return whether a player makes use of an option often enough (``USED``).

    Of an option that is hardly ever taken, that has to be shown: a few acts of a player
    who hardly ever could (``OFFERED``) are no knowledge.
    """
    own = rows.filter(decision=key[0], option=key[1])["estimate"].to_list()
    here = rows.filter(pl.col("decision") == decision)
    here = here.filter(pl.col("option").is_in(list(options))) if options else here
    taken = float((here["estimate"] * here["n"]).sum())
    times = max(here["n"].to_list(), default=0)
    if times and max(own, default=0.0) >= USED:
        return bool(taken / times >= USED)
    return bool(times >= OFFERED and wilson(taken, times)[0] >= USED)
