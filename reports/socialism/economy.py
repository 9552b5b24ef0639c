"""Tokens on the board: which Users join and leave a network, round by round."""

import numpy as np
import polars as pl

from reports import ledger
from reports.counts import Array
from reports.game_arrays import add_up
from reports.socialism.game_arrays import SocialismArrays


def account(played: SocialismArrays) -> ledger.Account:
    """Count the Members of each network; a round is a turn of each player."""
    raw, players, turns = played.raw, played.players, played.turns
    shape = (int(turns["round"].to_numpy().max()), players, played.size)

    def place(notes: pl.DataFrame) -> tuple[Array, Array, Array]:
        turn, seat = (notes[n].to_numpy().astype(np.int64) for n in ("turn", "seat"))
        return (turn - 1) // players, seat, played.game_index(notes)

    after = np.zeros(shape, dtype=np.int64)
    after[place(turns)] = turns["members"]  # the last turn of a round stays
    joined, left = (
        add_up(shape, place(raw.get(name, raw["joins"].clear())))
        for name in ("joins", "leaves")
    )
    every = ledger.Account.of_times(
        {"join": joined}, {"leave": left}, after, first=played.first
    )
    begun = add_up(shape, place(turns))[:, 0].reshape(-1)
    return every.rows(np.flatnonzero(begun))


TOKENS = ledger.Ledger(
    "tokens on the board",
    "round",
    account,
    sources={"join": "tokens placed on Users"},
    sinks={"leave": "tokens taken off"},
    gathered=True,
    idle="still held at the end",
)
SECTION = ledger.section(
    (TOKENS,),
    "The first to place all tokens wins.",
    records=("turn", "joins", "leaves"),
)
