"""What one Devil brings: the same deals with a contract of one gem, and without it.

In every game one seat declines its contracts of one week; all else is equal, except
that the Devil then goes to others. What follows is compared, with a row per game in
which the seat had a contract to decline.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_arrays import pick_seat
from reports.game_report import About, WhatIfs
from reports.kunitame import claim_counterfactuals
from reports.kunitame.game_arrays import KunitameArrays
from reports.measures import MeasuresOf
from reports.paired_differences import PairedDifferences


def decline(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which paired cells the panel plays, as plain data.

    The decision that is declined, the unit of time with the rule that counts it, and
    ``changes`` to the rules: one gem at most.
    """
    if not rules["contract_limit"] or not rules["contract_squares"]:
        return ()
    declined = {"kind": "contract", "unit": "week", "moments": "weeks", "searched": 2}
    return (declined | {"changes": {"contract_limit": 1}},)


_DECLINED = MeasuresOf("declined", by="devil")
_POINTS = "points won in the week, with less without"
_TRICKS = "tricks won in the week, with less without"
MEASURES = (
    _DECLINED.mean("week_more by Devil", _POINTS, "week_more", unit="points"),
    _DECLINED.mean("tricks_more by Devil", _TRICKS, "tricks_more", unit="tricks"),
)


def _values(played: KunitameArrays, about: About) -> dict[str, Array]:
    """Return tricks and points of the week in which a seat declines."""
    week = about["when"][1] - 1
    return {"tricks_more": played.tricks[week], "week_more": played.week_gain[week]}


def _rows(kept: KunitameArrays, declined: KunitameArrays, about: About) -> pl.DataFrame:
    """Return the games in which the seat had a contract to decline, by its Devil."""
    week, seat = about["when"][1] - 1, kept.differing_seat(declined)
    columns = {"game": kept.game, "seat": seat, "devil": _devil(kept, week, seat)}
    staked = pick_seat(kept.staked[week], seat) > 0
    return pl.DataFrame(columns).filter(staked)


def _devil(played: KunitameArrays, week: int, seat: Array) -> list[str]:
    """Return the Devil that the seat drew, or "several" unless it drew only one."""
    names: list[str] = ["several"] * played.size
    drawn = played.raw.get("devil")
    if drawn is None:
        return names
    part = drawn.filter(pl.col("week") == week + 1)
    game = played.game_index(part)
    mine = part["seat"].to_numpy() == seat[game]
    alone = played.staked[week, seat, np.arange(played.size)][game] == 1
    cards = part["card"].cast(pl.String).to_list()
    for row in np.flatnonzero(mine & alone):
        names[game[row]] = cards[row]
    return names


def branching(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which decisions are tried: on average one a game, with 4 players.

    A search player's own decisions are all tried. Except in full reports the game is
    then played on without search, which would take longer than all else.
    """
    if not rules["contract_limit"] or not rules["contract_squares"]:
        return ()
    return (
        {
            "decisions": ("contract",),
            "one_in": (4 * rules["weeks"],),
            "keeps": ("contracts", "tricks", "lives"),
            "hand": "promise",
            "players": (4,),
            "strategies": ("planner", "gambler"),
            "search": {"one_in": (1,)},
            "full": {"plays_on": ""},
        },
    )


def counterfactuals(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return which decisions are tried: contracts, and the gems that are claimed."""
    return (*branching(rules), *claim_counterfactuals.branching(rules))


CONTRACTS = WhatIfs(
    counterfactuals=counterfactuals, forbidden=claim_counterfactuals.forbidden
)
PAIRS = PairedDifferences("declined", KunitameArrays, _values, _rows)
DEVILS = WhatIfs(
    decline=decline,
    pairs=PAIRS,
    measures=MEASURES,
    records=("contracts", "devil", "week"),
)
