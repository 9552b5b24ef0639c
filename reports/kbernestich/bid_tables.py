"""Bids as they are counted: a row a bid, with the hand and the action it was made with.

The strength of a hand is counted as dealt: its trumps, and the icons and twelves of all
other suits. Review may change the hand later.
"""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.kbernestich.played import PlayedGames
from reports.measures import MeasuresOf

WEAKEST, STRONGEST = 2, 7
"""Hands weaker or stronger than these are counted with them."""
_TRUE = "share of the bids that come true"
_POINTS = "points for the bid, the misery bonus counted"
_SAVED = "share that only the action made true"
_LETTER = "points a cube on Letter to Marie"
_BIDS = MeasuresOf("bids", by="strategy bid")
_HAND, _ACTION = "strategy bid strength", "strategy action"
MEASURES = (
    _BIDS.per_game("bids", "such bids a game, of the whole table"),
    _BIDS.share("bid made", _TRUE, "made"),
    _BIDS.mean("bid points", _POINTS, "points"),
    _BIDS.mean("bid misery", "misery bonus a bid", "misery"),
    _BIDS.share("bid made by hand", _TRUE, "made", by=_HAND),
    _BIDS.mean("bid points by hand", _POINTS, "points", by=_HAND),
    _BIDS.share("bid made by action", _TRUE, "made", by=_ACTION),
    _BIDS.share("bid saved by action", _SAVED, "saved", by=_ACTION),
    _BIDS.share("bid made by strategy", _TRUE, "made", by="strategy"),
    MeasuresOf("letters").mean("letter cube", _LETTER, "points", "cubes"),
)


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a bid, and Letter to Marie a row a game to compare with.

    bid, action: numbers on the sheet, from 0; no action is -1. saved: true by
    Pessimism or Optimism only. points: the misery bonus counted.
    """
    bid = _numbered(played, "hunch")
    made, saved = came_true(played, bid)
    bids = {
        "strategy": played.strategy,
        "bid": bid,
        "action": _numbered(played, "actions"),
        "strength": np.clip(strength(played), WEAKEST, STRONGEST),
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


def _numbered(played: PlayedGames, area: str) -> Array:
    """(rounds, seats, games) which square of an area the seat has; -1 none."""
    found = np.full(played.placed.shape, -1, dtype=np.int8)
    for at, name in enumerate(played.rules[area]):
        found[played.on(f"hunch-{name}" if area == "hunch" else name)] = at
    return found


def came_true(played: PlayedGames, bid: Array) -> tuple[Array, Array]:
    """(rounds, seats, games) whether a bid came true, and whether an action saved it.

    bid: (rounds, seats, games) its number on the sheet; -1 none.
    """
    squares = [str(name) for name in played.rules["hunch"]]
    target = np.array([*(int(name.removesuffix("+")) for name in squares), 99])[bid]
    more = np.array([*(name.endswith("+") for name in squares), False])[bid]

    def hits(tricks: Array) -> Array:
        same: Array = (tricks == target) | (more & (tricks > target))
        return same

    tricks = played.tricks.astype(np.int16)
    right = hits(tricks)
    helped = played.on("pessimism") & hits(tricks + 1)
    helped |= played.on("optimism") & hits(tricks - 1)
    return right | helped, helped & ~right


def strength(played: PlayedGames) -> Array:
    """(rounds, seats, games) trumps, and icons and 12s of other suits, dealt."""
    cards = played.vocabularies["card"]
    high = sum(1 << n for n, card in enumerate(cards) if card[1:] in {"12", "I"})
    counted = played.suit_masks[played.trump] | np.uint64(high)
    strong: Array = np.bitwise_count(played.hands & counted[:, None])
    return strong
