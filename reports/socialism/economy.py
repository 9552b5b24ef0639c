"""Tokens on the board: who joins a network, who leaves it, round by round."""

import numpy as np
import polars as pl

from reports import ledger
from reports.socialism.played import Read


def account(read: Read) -> ledger.Account:
    """Members of each network; a round is a turn of each player."""
    raw, about = read
    players, game = about["players"], raw["result"]["game"].to_numpy()
    first, games = int(game[0]), len(game) // players

    def times(rows: pl.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(rows,) round and seat, from 0, and game."""
        turn = rows["turn"].to_numpy().astype(np.int64)
        at = rows["game"].to_numpy().astype(np.int64) - first
        return (turn - 1) // players, rows["seat"].to_numpy().astype(np.int64), at

    turns = raw["turn"].sort("turn")
    number, seat, at = times(turns)
    last = np.zeros(games, dtype=np.int64)
    np.maximum.at(last, at, number)
    shape = (int(last.max()) + 1, players, games)
    after, joins, leaves = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    after[number, seat, at] = turns["members"].to_numpy()  # the last turn of a round
    np.add.at(joins, times(raw["joins"]), 1)
    if "leaves" in raw:
        np.add.at(leaves, times(raw["leaves"]), 1)
    before = np.zeros_like(after)
    before[1:] = after[:-1]
    rounds = np.arange(shape[0])[:, None]
    here = np.flatnonzero(rounds <= last)
    parts = (ledger.by_seat(part)[:, here] for part in (before, joins, leaves, after))
    before, joins, leaves, after = parts
    return ledger.Account(
        here % games,
        here // games + 1,
        before,
        {"join": joins},
        {"leave": leaves},
        after,
        first=first,
    )


TOKENS = ledger.Ledger(
    "tokens on the board",
    "round",
    account,
    sources={"join": "tokens placed on Users"},
    sinks={"leave": "tokens taken off"},
    gathered=True,
    idle="still there at the end",
)
SECTION = ledger.section((TOKENS,), "Who has placed all tokens wins.")
