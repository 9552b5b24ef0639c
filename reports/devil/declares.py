"""Moments at which a round could be ended, what ending adds, and what going on added.

Where a Special is played with cards left, the hands are told. What ending would add
follows from them, whether somebody ended or went on. What going on added is known where
somebody went on: it is the end of the same round, which others may have ended since.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.counts import Array
from reports.devil.played import PlayedGames
from reports.measures import Measure

BANDS = (0, 3, 6, 10, 15, 20, 30)
"""Least cost of the own hand in each band."""
GROUPS: dict[str, tuple[str, ...]] = {
    "": (),
    " by band": ("band",),
    " by card": ("card",),
}
"""What moments are grouped by besides strategy and decision, and what names end in."""
_OTHERS = pl.col("others")
_ENDING = {
    "own cost": ("own", pl.lit(1), "cost of the hand of who decides"),
    "others' cost": ("rest", _OTHERS, "cost of each other hand"),
    "end own": ("end_own", pl.lit(1), "points that ending would have added to him"),
    "end others": (
        "end_rest",
        _OTHERS,
        "points that it would add to each other",
    ),
}
_GOING_ON = {
    "on own": ("on_own", pl.lit(1), "points that the round did add to him"),
    "on others": ("on_rest", _OTHERS, "points that it did add to each other"),
    "better": ("better", _OTHERS, "points gained on the others by ending instead"),
}
_DECLARED = "share of the moments at which the round was ended"


def _bring(name: str, by: tuple[str, ...]) -> Iterator[Measure]:
    """What both ways bring, where the round was ended and where it went on."""
    by, went_on = ("strategy", "ends", *by), pl.col("ends") == 0
    for ways, where in ((_ENDING, None), (_GOING_ON, went_on)):
        for what, (value, per, doc) in ways.items():
            yield Measure(
                f"{what}{name}",
                doc,
                "mean",
                "declares",
                pl.col(value),
                per,
                by=by,
                where=where,
                unit="points",
            )


MEASURES = (
    *(
        Measure(
            f"declared{name}",
            _DECLARED,
            "share",
            "declares",
            pl.col("ends"),
            by=("strategy", *by),
        )
        for name, by in GROUPS.items()
    ),
    *(measure for name, by in GROUPS.items() for measure in _bring(name, by)),
)


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """A row a moment at which a round could be ended, of rounds that ended.

    own, rest: costs of his hand, and of all others together; end_...: points that
    ending adds, on_...: points that the round added when it ended, to him (own) and to
    all others together (rest); end_ahead = end_rest - others * end_own; better =
    end_ahead - (on_rest - others * on_own).
    """
    events, others = played.declares, played.players - 1
    rounds = played.rounds.when
    kept = np.flatnonzero(np.isin(events.when, rounds))
    who = events.once("who")[kept]
    cost, card = events.each("cost")[:, kept], played.declared[kept]
    end_own, end_rest = if_ended(played, cost, who, card == "1S")
    added = played.added[:, np.searchsorted(rounds, events.when[kept])]
    own, on_own = mine(cost, who), mine(added, who)
    on_rest = added.sum(axis=0) - on_own
    end_ahead = end_rest - others * end_own
    columns = {
        "game": played.first + events.game[kept],
        "strategy": seated(played, events.game[kept], who),
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
    played: PlayedGames, cost: Array, who: Array, one: Array
) -> tuple[Array, Array]:
    """(moments,) what ending would add to who decides, and to the others together.

    cost: (seats, moments) of the hands. one: whether a Special 1 was played.
    """
    own = mine(cost, who)
    four = 2 if played.rules["s4_end"] == "all" else 1
    return 2 * own, (cost.sum(axis=0) - own) * np.where(one, 2, four)


def seated(played: PlayedGames, game: Array, who: Array) -> pl.Series:
    """(moments,) the strategies of these seats."""
    names = pl.Series(played.names, dtype=pl.Enum(played.names))
    return names.gather(played.strategy[who, game].astype(np.uint32))


def mine(values: Array, who: Array) -> Array:
    """(moments,) what belongs to a seat, of (seats, moments)."""
    found: Array = values[who, np.arange(len(who))]
    return found


def band_words(band: int) -> str:
    """A band of costs in words."""
    if band == len(BANDS) - 1:
        return f"{BANDS[-1]} or more"
    return f"{BANDS[band]} to {BANDS[band + 1] - 1}"
