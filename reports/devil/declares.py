"""Moments at which a round could be ended, what ending adds, and what going on added.

Where a Special is played with cards left, the hands are told. What ending would add
follows from them, whether somebody ended or went on. What going on added is known where
somebody went on: it is the end of the same round, which others may have ended since.
"""

import numpy as np
import polars as pl

from reports.devil.played import Played
from reports.grids import Array
from reports.measures import Measure

BANDS = (0, 3, 6, 10, 15, 20, 30)
"""Least cost of the own hand in each band."""
GROUPS: dict[str, tuple[str, ...]] = {
    "": (), " by band": ("band",), " by card": ("card",)
}  # fmt: skip
"""What moments are grouped by besides strategy and decision, and what names end in."""
_OTHERS = pl.col("others")
_ENDING = {
    "own cost": ("own", pl.lit(1)),
    "others' cost": ("rest", _OTHERS),
    "end own": ("end_own", pl.lit(1)),
    "end others": ("end_rest", _OTHERS),
}
_GOING_ON = {
    "on own": ("on_own", pl.lit(1)),
    "on others": ("on_rest", _OTHERS),
    "better": ("better", _OTHERS),
}
MEASURES = [
    *(
        Measure(f"declared{name}", "declares", pl.col("ends"), by=("strategy", *by))
        for name, by in GROUPS.items()
    ),
    *(
        Measure(f"{what}{name}", "declares", pl.col(value), per,
                by=("strategy", "ends", *by))
        for name, by in GROUPS.items() for what, (value, per) in _ENDING.items()
    ),
    *(
        Measure(f"{what}{name}", "declares", pl.col(value), per,
                by=("strategy", "ends", *by), where=pl.col("ends") == 0)
        for name, by in GROUPS.items() for what, (value, per) in _GOING_ON.items()
    ),
]  # fmt: skip


def tables(played: Played) -> dict[str, pl.DataFrame]:
    """A row a moment at which a round could be ended, of rounds that ended."""
    notes, others = played.declares, played.players - 1
    rounds = played.rounds.when
    kept = np.flatnonzero(np.isin(notes.when, rounds))
    who = notes.once("who")[kept]
    cost, card = notes.each("cost")[:, kept], played.declared[kept]
    end_own, end_rest = if_ended(played, cost, who, card == "1S")
    added = played.added[:, np.searchsorted(rounds, notes.when[kept])]
    own, on_own = mine(cost, who), mine(added, who)
    on_rest = added.sum(axis=0) - on_own
    end_ahead = end_rest - others * end_own
    columns = {
        "game": notes.game[kept],
        "strategy": seated(played, notes.game[kept], who),
        "card": pl.Series(card.tolist(), dtype=pl.String),
        "band": np.searchsorted(BANDS, own, side="right") - 1,
        "ends": notes.once("ends")[kept],
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
    played: Played, cost: Array, who: Array, one: Array
) -> tuple[Array, Array]:
    """(moments,) what ending would add to who decides, and to the others together.

    cost: (seats, moments) of the hands. one: whether a Special 1 was played.
    """
    own = mine(cost, who)
    four = 2 if played.rules["s4_end"] == "all" else 1
    return 2 * own, (cost.sum(axis=0) - own) * np.where(one, 2, four)


def seated(played: Played, game: Array, who: Array) -> pl.Series:
    """(moments,) the strategies of these seats."""
    names = pl.Series(played.names, dtype=pl.Enum(played.names))
    return names.gather(played.school[who, game].astype(np.uint32))


def mine(values: Array, who: Array) -> Array:
    """(moments,) what belongs to a seat, of (seats, moments)."""
    found: Array = values[who, np.arange(len(who))]
    return found


def band_words(band: int) -> str:
    """A band of costs in words."""
    if band == len(BANDS) - 1:
        return f"{BANDS[-1]} or more"
    return f"{BANDS[band]} to {BANDS[band + 1] - 1}"
