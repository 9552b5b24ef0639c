"""Tokens on the board: which Users join and leave a network, round by round."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports import ledger
from reports.counts import Array
from reports.socialism.game_arrays import SocialismArrays

_KEYS = ("turn", "seat")


def account(played: SocialismArrays) -> ledger.Account:
    """Count the Members of each network; a round is a turn of each player."""
    raw, players, games = played.raw, played.players, played.size

    def row_of(notes: pl.DataFrame) -> Array:
        """Return (rows,) one number for the round, game and seat together."""
        turn, seat = (notes[name].to_numpy().astype(np.int64) for name in _KEYS)
        return (
            (turn - 1) // players * games + played.game_index(notes)
        ) * players + seat

    turns = played.turns
    rows, members, gain = row_of(turns), turns["members"], turns["gain"]
    before, after = np.zeros((2, int(rows.max()) + 1), dtype=np.int64)
    # The last assignment to an index stays: of a round's first turn in reverse order,
    before[rows[::-1]] = (members - gain).to_numpy()[::-1]
    after[rows] = members.to_numpy()  # and of its last turn
    occurring = np.flatnonzero(np.bincount(rows))
    joined, left = (
        np.bincount(row_of(raw.get(name, raw["joins"].clear())), minlength=len(after))
        for name in ("joins", "leaves")
    )
    before, joined, left, after = (
        number.take(occurring).reshape(-1, players).T  # (seats, rows)
        for number in (before, joined, left, after)
    )
    time, game = np.divmod(occurring[::players] // players, games)
    return ledger.Account(
        game,
        time + 1,
        before,
        {"join": joined},
        {"leave": left},
        after,
        first=played.first,
    )


TOKENS = ledger.Ledger(
    "tokens on the board",
    "round",
    account,
    sources={"join": "tokens placed on Users"},
    sinks={"leave": "tokens taken off"},
    gathered=True,
    idle="still held at the end",
)
SECTION = replace(
    ledger.section((TOKENS,), "The first to place all tokens wins."),
    records=("turn", "joins", "leaves"),
)
