"""Power: the total of a seat over all elements, round by round."""

import numpy as np

from reports import ledger
from reports.evilpact.game_arrays import EvilpactArrays


def account(played: EvilpactArrays) -> ledger.Account:
    """Count power by position, over all elements; its changes are gained or lost."""
    power = np.moveaxis(played.power.sum(axis=0), 0, 1)  # (rounds, positions, games)
    change = np.diff(power, axis=0, prepend=0)
    gained, lost = np.maximum(change, 0), np.maximum(-change, 0)
    return ledger.Account.of_times(
        {"gained": gained}, {"lost": lost}, power, first=played.first
    )


POWER = ledger.Ledger(
    "power",
    "round",
    account,
    sources={"gained": "in rounds in which it grows"},
    sinks={"lost": "in rounds in which it shrinks"},
    checked=False,
    gathered=True,
    idle="still held at the end",
)
SECTION = ledger.section(
    (POWER,), "Icons of the library, all elements together.", records=("round",)
)
