"""Hand cards: dealt and drawn in a round, played, and left at its end."""

import numpy as np

from reports import ledger
from reports.devil.course import standing
from reports.devil.game_arrays import DevilArrays
from reports.ledger.account import as_int64


def account(played: DevilArrays) -> ledger.Account | None:
    """Count the cards of all hands of a table, round by round, (1, rounds) each."""
    if "round" not in played.raw:
        return None
    rounds = played.rounds
    dealt = np.bitwise_count(played.dealt).sum(axis=0, dtype=np.int64)
    left = np.bitwise_count(rounds.each("hands")).sum(axis=0, dtype=np.int64)
    drawn, fined = (as_int64(rounds.once(name)) for name in ("draws", "penalties"))
    none = np.zeros((1, len(left)), dtype=np.int64)
    return ledger.Account(
        rounds.game,
        rounds.round,
        none,
        {"dealt": dealt[None], "drawn": drawn[None], "penalties": fined[None]},
        {"played": (dealt + drawn + fined - left)[None], "left at the end": left[None]},
        none,
    )


CARDS = ledger.Ledger(
    "hand cards",
    "round",
    account,
    sources={
        "dealt": "when the round begins",
        "drawn": "because no card fits",
        "penalties": "drawn because of a Special",
    },
    sinks={"played": "discarded", "left at the end": "which cost points"},
    wasted=("left at the end",),
    checked=False,
    whose="table",
    wealth=standing,
    owed=True,
)
SECTION = ledger.section(
    (CARDS,), "All hands of a table together.", records=("deal", "round")
)
