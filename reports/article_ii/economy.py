"""Cards that lie on a player: placed there and taken off."""

import numpy as np

from reports import ledger
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.counts import Array
from reports.game_arrays import add_up


def account(played: ArticleIIArrays) -> ledger.Account:
    """Count the cards lying on each player, by phase, in phases played to their end."""
    after = np.bitwise_count(played.by_seat("standing", "lying")).astype(np.int64)

    def noted(note: str) -> Array:
        if note not in played.raw:
            return np.zeros_like(after)
        rows = played.raw[note]
        phase, seat = (rows[n].to_physical().to_numpy() for n in ("phase", "seat"))
        return add_up(after.shape, (phase, seat, played.game_index(rows)))

    every = ledger.Account.of_times(
        {"placed": noted("placed")},
        {"taken off": noted("removed")},
        after,
        first=played.first,
    )
    return every.rows(np.flatnonzero(played.over.reshape(-1)))


CARDS = ledger.Ledger(
    "cards on a player",
    "phase",
    account,
    sources={"placed": "by the player or by others"},
    sinks={"taken off": "by any card that does so"},
    idle="still held at the end",
    gathered=True,
    given="Electability",
)
SECTION = ledger.section(
    (CARDS,),
    "Phase 1 is the Primary, phase 2 the General.",
    records=("placed", "removed", "standing"),
)
