"""Moments at which a round could be ended, what ending adds, and what going on added.

Where a Special is played with cards left, the hands are recorded. They say what ending
adds, whether somebody ended or went on. What going on added is known where somebody
went on: it is the end of the same round, which others may have ended later.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from reports.counts import Array
from reports.devil.game_arrays import DevilArrays
from reports.game_arrays import pick_seat
from reports.measures import MeasuresOf

BANDS = (0, 3, 6, 10, 15, 20, 30)
"""Least cost of the player's own hand in each band."""
_MOMENTS = MeasuresOf("declares", "band", "points")
_WENT_ON = replace(_MOMENTS, where=pl.col("ends") == 0)
_ENDING = "points that ending would have added to"
_ADDED = "points that the round did add to"
_BETTER = "points gained on the others by ending instead"
_SHARE = "share of the moments at which the round was ended"
MEASURES = (
    _MOMENTS.share("declared", _SHARE, "ends", unit=""),
    _WENT_ON.mean("end own", f"{_ENDING} that player", "end_own"),
    _WENT_ON.mean("end others", f"{_ENDING} each other", "end_rest", "others"),
    _WENT_ON.mean("on own", f"{_ADDED} that player", "on_own"),
    _WENT_ON.mean("on others", f"{_ADDED} each other", "on_rest", "others"),
    _WENT_ON.mean("better", _BETTER, "better", "others"),
)


def tables(played: DevilArrays) -> dict[str, pl.DataFrame]:
    """Return a row per moment at which a round could be ended, of rounds that ended.

    end_...: points that ending adds, on_...: points that the round added when it ended,
    to the player (own) and to all others together (rest); better = what ending gains on
    the others, end_rest - others * end_own, less what the round's end did.
    """
    events, others = played.declares, played.players - 1
    rounds = played.rounds.when
    kept = np.flatnonzero(np.isin(events.when, rounds))
    seat = events.once("who")[kept]
    cost, card = events.each("cost")[:, kept], played.declared[kept]
    end_own, end_rest = if_ended(played, cost, seat, card == "1S")
    added = played.added[:, np.searchsorted(rounds, events.when[kept])]
    own, on_own = pick_seat(cost, seat), pick_seat(added, seat)
    on_rest = added.sum(axis=0) - on_own
    better = (end_rest - others * end_own) - (on_rest - others * on_own)
    columns = {
        "game": played.first + events.game[kept],
        "band": np.searchsorted(BANDS, own, side="right") - 1,
        "ends": events.once("ends")[kept],
        "others": np.full(len(kept), others),
        "end_own": end_own,
        "end_rest": end_rest,
        "on_own": on_own,
        "on_rest": on_rest,
        "better": better,
    }
    return {"declares": pl.DataFrame(columns)}


def if_ended(
    played: DevilArrays, cost: Array, who: Array, one: Array
) -> tuple[Array, Array]:
    """Return what ending would add to ``who``, and to the others together, (moments,).

    cost: (seats, moments) of the hands. one: whether a Special 1 was played.
    """
    own = pick_seat(cost, who)
    four = 2 if played.rules["s4_end"] == "all" else 1
    return 2 * own, (cost.sum(axis=0) - own) * np.where(one, 2, four)


def band_words(band: int) -> str:
    """Return a band of costs in words."""
    if band == len(BANDS) - 1:
        return f"{BANDS[-1]} or more"
    return f"{BANDS[band]} to {BANDS[band + 1] - 1}"
