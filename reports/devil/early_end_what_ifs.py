"""Rounds that were ended by declaring, against the same games in which they were not.

In every game one seat, in one round, goes on where it would have declared an end for
the first time; all else is equal. A row is a game in which it did end that round. In
the other one it chooses freely after that moment.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.devil.game_arrays import DevilArrays
from reports.game_report import About, WhatIfs
from reports.measures import MeasuresOf
from reports.paired_differences import PairedDifferences

ROUNDS = (1, 2, 3)
"""Rounds in which an end is declined; each has its own games, and all are pooled."""
_LESS = "ended, less went on"
_DECLINED = MeasuresOf("declined", "strategy card")
MEASURES = (
    _DECLINED.mean("own_less", f"points of the round: {_LESS}", "own_less"),
    _DECLINED.mean("rest_less", f"points of others: {_LESS}", "rest_less", "others"),
    _DECLINED.mean("ahead_more", "gained on others by it", "ahead_more", "others"),
    _DECLINED.mean("won_more", f"wins: {_LESS}", "won_more", unit="pp"),
    _DECLINED.mean("turns_less", f"turns of the round: {_LESS}", "turns_less"),
)


def decline(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which paired cells the panel plays: plain data; none without Specials."""
    deck = rules["base_deck" if rules["deck"] == "base" else "ext_deck"]
    if not deck["special1"] + deck["special4"]:
        return ()
    want = {"kind": "declare", "unit": "round", "moments": ROUNDS}
    return ({**want, "changes": {}, "searched": 1},)


def _values(played: DevilArrays, about: About) -> dict[str, Array]:
    """Return points and turns of the round about["when"], and how the game ends."""
    here = _of_round(played, about["when"][1])
    added = np.append(played.added, np.zeros((played.players, 1), int), axis=1)[:, here]
    turns = np.append(played.rounds.once("turns"), 0)[here]
    rest = added.sum(axis=0) - added
    return {
        "own_less": added,
        "rest_less": rest,
        "ahead_more": rest - (played.players - 1) * added,
        "won_more": played.victory,
        "turns_less": np.broadcast_to(turns, added.shape),
    }


def _rows(ended: DevilArrays, onward: DevilArrays, about: About) -> pl.DataFrame:
    """Return the games in which the seat ended that round."""
    at, events, seat = about["when"][1], ended.declares, ended.differing_seat(onward)
    there, game = _of_round(onward, at), events.game
    moments = np.flatnonzero(
        (events.round == at)
        & (events.once("who") == seat[game])
        & (events.once("ends") == 1)
        & (there[game] >= 0)
    )
    game = game[moments]
    seats = seat[game]
    columns = {
        "game": ended.first + game,
        "seat": seats,
        "strategy": ended.strategy_names(ended.strategy[seats, game]),
        "card": pl.Series(ended.declared[moments].tolist(), dtype=pl.String),
        "others": np.full(len(game), ended.players - 1),
    }
    return pl.DataFrame(columns)


def _of_round(played: DevilArrays, at: int) -> Array:
    """Return the index of this round of each game, (games,); -1 if it never ended."""
    index = np.full(played.size, -1)
    here = np.flatnonzero(played.rounds.round == at)
    index[played.game_of[here]] = here
    return index


PAIRS = PairedDifferences("declined", DevilArrays, _values, _rows)
WHAT_IFS = WhatIfs(
    decline=decline, pairs=PAIRS, measures=MEASURES, records=("declaring", "round")
)
