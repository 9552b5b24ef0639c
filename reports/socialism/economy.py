"""Tokens on the board: who joins a network, who leaves it, round by round."""

from dataclasses import replace

import numpy as np
import polars as pl

from reports import ledger
from reports.played import Played
from reports.socialism.played import by_turn, round_of

_KEYS = ("round", "game", "seat")


def account(played: Played) -> ledger.Account:
    """Members of each network; a round is a turn of each player."""
    raw, players = played.raw, played.players
    turns = by_turn(raw["turn"], players).group_by(_KEYS)
    before = (pl.col("members") - pl.col("gain")).first()
    rounds = turns.agg(before=before, after=pl.last("members"))
    for name in ("joins", "leaves"):
        told = raw.get(name, raw["joins"].clear())
        times = told.select("game", "seat", round=round_of(players))
        count = times.group_by(_KEYS).agg(pl.len().cast(pl.Int64).alias(name))
        rounds = rounds.join(count, on=_KEYS, how="left")
    table = rounds.sort(_KEYS).fill_null(0)
    entries = {
        name: table[name].to_numpy().reshape(-1, players).T  # (seats, rows)
        for name in ("before", "joins", "leaves", "after")
    }
    game, time = (table[name].to_numpy()[::players] for name in ("game", "round"))
    return ledger.Account(
        game.astype(np.int64) - played.first,
        time,
        entries["before"],
        {"join": entries["joins"]},
        {"leave": entries["leaves"]},
        entries["after"],
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
