"""Moments at which a round could be ended, what ending adds, and what going on added.

Where a Special is played with cards left, the hands are recorded. They say what ending
adds, whether somebody ended or went on. What going on added is known where somebody
went on: it is the end of the same round, which others may have ended later.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from reports.counts import Array
from reports.devil.game_arrays import DevilArrays
from reports.game_arrays import pick_seat
from reports.measures import Measure, MeasuresOf

BANDS = (0, 3, 6, 10, 15, 20, 30)
"""Least cost of the player's own hand in each band."""
GROUPS = {"": "", " by band": "band", " by card": "card"}
"""Ends of measure names, and what groups moments besides strategy and decision."""
_OWN = {
    "own cost": ("own", "cost of the hand of the player who decides"),
    "end own": ("end_own", "points that ending would have added to that player"),
}
_OTHERS = {
    "others' cost": ("rest", "cost of each other hand"),
    "end others": ("end_rest", "points that it would have added to each other"),
}
_ON_OWN = {"on own": ("on_own", "points that the round did add to that player")}
_ON_OTHERS = {
    "on others": ("on_rest", "points that it did add to each other"),
    "better": ("better", "points gained on the others by ending instead"),
}
_DECLARED = "share of the moments at which the round was ended"


def _of_group(name: str, by: str) -> Iterator[Measure]:
    """Yield who declares, and what both ways bring, by whether the round was ended."""
    every = MeasuresOf("declares", f"strategy ends {by}", "points")
    went_on = replace(every, where=pl.col("ends") == 0)
    yield every.share(
        f"declared{name}", _DECLARED, "ends", by=f"strategy {by}", unit=""
    )
    for makes, ways, per in (
        (every, _OWN, ""),
        (every, _OTHERS, "others"),
        (went_on, _ON_OWN, ""),
        (went_on, _ON_OTHERS, "others"),
    ):
        for what, (value, doc) in ways.items():
            yield makes.mean(f"{what}{name}", doc, value, per)


MEASURES = tuple(
    measure for name, by in GROUPS.items() for measure in _of_group(name, by)
)


def tables(played: DevilArrays) -> dict[str, pl.DataFrame]:
    """Return a row per moment at which a round could be ended, of rounds that ended.

    own, rest: costs of the player's hand, and of all others together; end_...: points
    that ending adds, on_...: points that the round added when it ended, to the player
    (own) and to all others together (rest); end_ahead = end_rest - others * end_own;
    better = end_ahead - (on_rest - others * on_own).
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
    end_ahead = end_rest - others * end_own
    columns = {
        "game": played.first + events.game[kept],
        "strategy": played.strategy_names(played.strategy[seat, events.game[kept]]),
        "card": pl.Series(card.tolist(), dtype=pl.String),
        "band": np.searchsorted(BANDS, own, side="right") - 1,
        "ends": events.once("ends")[kept],
        "others": np.full(len(kept), others),
        "own": own,
        "rest": cost.sum(axis=0) - own,
        "end_own": end_own,
        "end_rest": end_rest,
        "end_ahead": end_ahead,
        "on_own": on_own,
        "on_rest": on_rest,
        "better": end_ahead - (on_rest - others * on_own),
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
