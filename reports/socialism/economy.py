"""Tokens on the board: who joins a network, who leaves it, round by round."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports import ledger
from reports.counts import Array
from reports.socialism.played import PlayedGames

_KEYS = ("turn", "seat")


def account(played: PlayedGames) -> ledger.Account:
    """Members of each network; a round is a turn of each player."""
    raw, players, games = played.raw, played.players, played.size

    def at(told: pl.DataFrame) -> Array:
        """(rows,) the number of the round, game and seat."""
        turn, seat = (told[name].to_numpy().astype(np.int64) for name in _KEYS)
        return ((turn - 1) // players * games + played.at(told)) * players + seat

    turns = played.turns
    here, members, gain = at(turns), turns["members"], turns["gain"]
    before, after = np.zeros((2, int(here.max()) + 1), dtype=np.int64)
    before[here[::-1]] = (members - gain).to_numpy()[::-1]  # of a round's first turn,
    after[here] = members.to_numpy()  # and of its last
    some = np.flatnonzero(np.bincount(here))
    came, went = (
        np.bincount(at(raw.get(name, raw["joins"].clear())), minlength=len(after))
        for name in ("joins", "leaves")
    )
    before, came, went, after = (
        number.take(some).reshape(-1, players).T  # (seats, rows)
        for number in (before, came, went, after)
    )
    time, game = np.divmod(some[::players] // players, games)
    return ledger.Account(
        game,
        time + 1,
        before,
        {"join": came},
        {"leave": went},
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
    idle="still there at the end",
)
SECTION = replace(
    ledger.section((TOKENS,), "Who has placed all tokens wins."),
    records=("turn", "joins", "leaves"),
)
