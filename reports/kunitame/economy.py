"""What seats hold: points on gems, and Life gems."""

import numpy as np

from reports import ledger
from reports.game_arrays import add_up
from reports.kunitame.game_arrays import KunitameArrays

_PAID = "paid on contracts"


def points(played: KunitameArrays) -> ledger.Account:
    """Count points on gems: won in tricks and at liquidation, less those given back.

    And those that kept contracts pay, under rules in which they do.
    """
    after = played.week_points
    gems = {}
    for won in (True, False):
        moves = played.moves(won=won)
        for trick in (True, False):
            rows = (moves["round"] > 0) == trick
            at = tuple(moves[name][rows] for name in ("week", "seat", "game"))
            gems[won, trick] = add_up(after.shape, at, moves["value"][rows])
    pays = played.rules["contract_points"]
    return ledger.Account.of_times(
        {
            "won in tricks": gems[True, True],
            "won at liquidation": gems[True, False],
            **({_PAID: played.paid(pays)} if any(pays) else {}),
        },
        {"given back": gems[False, True] + gems[False, False]},
        after,
        first=played.first,
    )


def lives(played: KunitameArrays) -> ledger.Account:
    """Count Life gems from week to week: broken contracts take them.

    The gems of a kept contract come back; under some rules more of them do, or fewer.
    """
    after = played.by_seat("week", "lives")
    start = np.zeros(after.shape, dtype=np.int64)
    start[0] = played.rules["life"]
    returns = played.rules["contract_returns"]
    more = played.paid([gems - 1 for gems in returns])
    lost = played.by_seat("contracts", "lost")
    return ledger.Account.of_times(
        {
            "at the start": start,
            **({_PAID: np.maximum(more, 0)} if max(returns, default=0) > 1 else {}),
        },
        {"lost on contracts": lost + np.maximum(-more, 0)},
        after,
        gained=played.week_gain,
    )


POINTS = ledger.Ledger(
    "points on gems",
    "week",
    points,
    sources={
        "won in tricks": "gems taken by the winners of tricks",
        "won at liquidation": "gems taken for a week's tricks",
        _PAID: "1-point gems for contracts that were kept",
    },
    sinks={"given back": "highest gems returned"},
    gathered=True,
    idle="kept to the end",
)
LIVES = ledger.Ledger(
    "Life gems",
    "week",
    lives,
    sources={
        "at the start": "of every player",
        _PAID: "more than was staked on contracts that were kept",
    },
    sinks={"lost on contracts": "staked on contracts, and not given back"},
)
SECTION = ledger.section(
    (LIVES, POINTS),
    "Life gems are staked on contracts; each draws a Devil card for the week.",
    records=("contracts", "gem", "week"),
)
