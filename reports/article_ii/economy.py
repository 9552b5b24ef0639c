"""Cards that lie on a player: what is placed there and taken off."""

import numpy as np

from reports import ledger
from reports.article_ii.played import PlayedGames
from reports.counts import Array
from reports.ledger.account import regular


def account(played: PlayedGames) -> ledger.Account:
    """Cards lying on each player, phase by phase, of phases that were played out."""
    after = np.bitwise_count(played.by_seat("standing", "lying")).astype(np.int64)
    before = np.zeros_like(after)
    before[1] = after[0]
    over = np.flatnonzero(played.over.reshape(-1))

    def told(values: Array) -> Array:
        return ledger.by_seat(values)[:, over]

    def noted(note: str) -> Array:
        found = np.zeros_like(after)
        if note in played.raw:
            rows = played.raw[note]
            phase, seat = (
                rows[name].to_physical().to_numpy().astype(np.int64)
                for name in ("phase", "seat")
            )
            np.add.at(found, (phase, seat, played.at(rows)), 1)
        return told(found)

    when = {name: column[over] for name, column in regular(after).items()}
    return ledger.Account(
        **when,
        before=told(before),
        sources={"placed": noted("placed")},
        sinks={"taken off": noted("removed")},
        after=told(after),
        first=played.first,
    )


CARDS = ledger.Ledger(
    "cards on a player",
    "phase",
    account,
    sources={"placed": "by himself or by others"},
    sinks={"taken off": "by any card that does so"},
    idle="still lies there at the end",
    gathered=True,
    given="Electability",
)
SECTION = ledger.section(
    (CARDS,),
    "Phase 1 is the Primary, phase 2 the General.",
    records=("placed", "removed", "standing"),
)
