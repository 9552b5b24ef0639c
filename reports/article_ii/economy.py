"""Cards that lie on a player: placed there and taken off."""

import numpy as np

from reports import ledger
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.counts import Array
from reports.ledger.account import game_and_time


def account(played: ArticleIIArrays) -> ledger.Account:
    """Count the cards lying on each player, by phase, in phases played to their end."""
    after = np.bitwise_count(played.by_seat("standing", "lying")).astype(np.int64)
    before = np.zeros_like(after)
    before[1] = after[0]
    over = np.flatnonzero(played.over.reshape(-1))

    def in_order(values: Array) -> Array:
        return ledger.by_seat(values)[:, over]

    def noted(note: str) -> Array:
        cards = np.zeros_like(after)
        if note in played.raw:
            rows = played.raw[note]
            phase, seat = (
                rows[name].to_physical().to_numpy().astype(np.int64)
                for name in ("phase", "seat")
            )
            np.add.at(cards, (phase, seat, played.game_index(rows)), 1)
        return in_order(cards)

    when = {name: column[over] for name, column in game_and_time(after).items()}
    return ledger.Account(
        **when,
        before=in_order(before),
        sources={"placed": noted("placed")},
        sinks={"taken off": noted("removed")},
        after=in_order(after),
        first=played.first,
    )


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
