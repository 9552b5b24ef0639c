"""Rounds that were ended by declaring, against the same games in which they were not.

In every game one seat, in one round, goes on where it would have declared an end for
the first time; all else is the same. A row is a game in which it did end that round. In
the other one it is free again after that moment: ``again`` tells how often it was asked
once more.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.devil.declares import mine, seated
from reports.devil.played import About, Played, Raw
from reports.grids import Array
from reports.measures import Measure

ROUNDS = (1, 2, 3)
"""Rounds in which an end is declined: each has games of its own, and all are pooled."""
_EACH = ("own_less", "score_less", "won_more", "turns_less", "again", "first")
_GROUPS: dict[str, tuple[str, ...]] = {"": (), " by card": ("card",)}
PAIRED = [
    measure
    for name, by in _GROUPS.items()
    for measure in (
        *(Measure(f"{n}{name}", "declined", pl.col(n), by=("strategy", *by))
          for n in _EACH),
        *(Measure(f"{n}{name}", "declined", pl.col(n), pl.col("others"),
                  by=("strategy", *by)) for n in ("rest_less", "ahead_more")),
    )
]  # fmt: skip


def decline(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Which paired cells the panel plays: plain data; none without a Special."""
    deck = rules["base_deck" if rules["deck"] == "base" else "ext_deck"]
    if not deck["special1"] + deck["special4"]:
        return ()
    want = {"kind": "declare", "unit": "round", "moments": ROUNDS}
    return ({**want, "strategies": ("balanced",), "changes": {}},)


def pairs(raw: Raw, other: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Compare games; about["when"] says in which round an end was declined."""
    at = about["when"][1]
    ended, onward = Played(raw, about), Played(other, about)
    seat = _who_declines(ended, onward)
    here, there = (_of_round(played, at) for played in (ended, onward))
    notes = ended.declares
    game = notes.game
    moments = np.flatnonzero(
        (notes.round == at)
        & (notes.once("who") == seat[game])
        & (notes.once("ends") == 1)
        & (there[game] >= 0)
    )
    game = game[moments]
    who, one, two = seat[game], here[game], there[game]
    own = mine(ended.added[:, one], who) - mine(onward.added[:, two], who)
    rest = ended.added[:, one].sum(0) - onward.added[:, two].sum(0) - own
    others = ended.players - 1
    turns = ended.rounds.once("turns")[one] - onward.rounds.once("turns")[two]
    columns = {
        "game": game,
        "strategy": seated(ended, game, who),
        "card": pl.Series(ended.declared[moments].tolist(), dtype=pl.String),
        "others": np.full(len(game), others),
        "own_less": own,
        "rest_less": rest,
        "ahead_more": rest - others * own,
        "score_less": ended.final[who, game] - onward.final[who, game],
        "won_more": ended.victory[who, game] * 1 - onward.victory[who, game],
        "turns_less": turns,
        "again": _again(onward, at, seat, game, notes.turn[moments]),
        "first": (onward.ender[two] == who) * 1,
    }
    return {"declined": pl.DataFrame(columns)}


def _who_declines(ended: Played, onward: Played) -> Array:
    """(games,) the seat whose strategy goes by another name."""
    names = [np.array(one.names)[one.school] for one in (ended, onward)]
    seat: Array = (names[0] != names[1]).argmax(axis=0)
    return seat


def _of_round(played: Played, at: int) -> Array:
    """(games,) which of all rounds is this one of the game; -1 where it never ended."""
    found = np.full(played.size, -1)
    here = np.flatnonzero(played.rounds.round == at)
    found[played.game[here]] = here
    return found


def _again(onward: Played, at: int, seat: Array, game: Array, turn: Array) -> Array:
    """(rows,) how often the seat was asked after this turn of the round."""
    notes = onward.declares
    since = np.full(onward.size, np.iinfo(np.int64).max)
    since[game] = turn
    later = (notes.round == at) & (notes.once("who") == seat[notes.game])
    later &= notes.turn > since[notes.game]
    again: Array = np.bincount(notes.game[later], minlength=onward.size)[game]
    return again
