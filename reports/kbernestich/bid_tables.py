"""The tables that count bids: a row per bid, with the action it was made with."""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.measures import MeasuresOf

_TRUE = "share of the bids that come true"
_POINTS = "points for the bid, including the misery bonus"
_SAVED = "share that only the action made true"
_LETTER = "points per cube on Letter to Marie"
_BIDS = MeasuresOf("bids", by="strategy bid")
_ACTION = "strategy action"
MEASURES = (
    _BIDS.per_game("bids", "bids on this number per game, of the whole table"),
    _BIDS.share("bid made", _TRUE, "made"),
    _BIDS.mean("bid points", _POINTS, "points"),
    _BIDS.mean("bid misery", "misery bonus a bid", "misery"),
    _BIDS.share("bid made by action", _TRUE, "made", by=_ACTION),
    _BIDS.share("bid saved by action", _SAVED, "saved", by=_ACTION),
    _BIDS.share("bid made by strategy", _TRUE, "made", by="strategy"),
    MeasuresOf("letters").mean("letter cube", _LETTER, "points", "cubes"),
)


def tables(played: KbernestichArrays) -> dict[str, pl.DataFrame]:
    """Return a row per bid, and to compare with, a row per game of Letter to Marie.

    bid, action: indices on the sheet, from 0; no action is -1. saved: true only by
    Pessimism or Optimism. points: including the misery bonus.
    """
    bid = _numbered(played, "hunch")
    made, saved = came_true(played, bid, played.tricks, played.placed)
    bids = {
        "strategy": played.strategy,
        "bid": bid,
        "action": _numbered(played, "actions"),
        "made": made,
        "saved": saved,
        "points": played.hunch + played.misery,
        "misery": played.misery,
    }
    placed = played.cubes_placed
    names = np.array([name.startswith("to-") for name in played.squares])
    letters = {
        "points": played.to.sum(axis=(0, 1), dtype=np.int64),
        "cubes": np.bincount(
            placed["game"][names[placed["square"]]], minlength=played.size
        ),
    }
    return {
        "bids": played.frame(bid.shape, bids, np.flatnonzero(bid >= 0)),
        "letters": played.frame((played.size,), letters),
    }


def _numbered(played: KbernestichArrays, area: str) -> Array:
    """Return the index of a seat's square in an area or -1, (rounds, seats, games)."""
    index = np.full(played.placed.shape, -1, dtype=np.int8)
    for at, name in enumerate(played.rules[area]):
        index[played.on(f"hunch-{name}" if area == "hunch" else name)] = at
    return index


def came_true(
    played: KbernestichArrays, bid: Array, tricks: Array, placed: Array
) -> tuple[Array, Array]:
    """Return whether bids came true, and whether an action saved them.

    bid: index on the sheet, or -1; tricks: won; placed: squares as a mask.
    """
    squares = [str(name) for name in played.rules["hunch"]]
    target = np.array([*(int(name.removesuffix("+")) for name in squares), 99])[bid]
    more = np.array([*(name.endswith("+") for name in squares), False])[bid]

    def hits(tricks: Array) -> Array:
        same: Array = (tricks == target) | (more & (tricks > target))
        return same

    tricks = tricks.astype(np.int16)
    right = hits(tricks)
    helped = ((placed & played.bits(["pessimism"])) != 0) & hits(tricks + 1)
    helped |= ((placed & played.bits(["optimism"])) != 0) & hits(tricks - 1)
    return right | helped, helped & ~right
