"""Power: what a seat has in all elements together, round by round."""

import numpy as np

from reports import ledger
from reports.evilpact.played import PlayedGames
from reports.ledger.account import regular


def account(played: PlayedGames) -> ledger.Account:
    """Power by position, of all elements; what came and went are its changes."""
    power = played.power.sum(axis=0)  # (positions, rounds, games)
    after = np.moveaxis(power, 0, 1)
    before = np.zeros_like(after)
    before[1:] = after[:-1]
    change = ledger.by_seat(after - before)
    return ledger.Account(
        **regular(after),
        before=ledger.by_seat(before),
        sources={"gained": np.maximum(change, 0)},
        sinks={"lost": np.maximum(-change, 0)},
        after=ledger.by_seat(after),
    )


POWER = ledger.Ledger(
    "power",
    "round",
    account,
    sources={"gained": "in rounds in which it grows"},
    sinks={"lost": "in rounds in which it shrinks"},
    checked=False,
    gathered=True,
    idle="still there at the end",
)
SECTION = ledger.section((POWER,), "Icons of the library, all elements together.")
