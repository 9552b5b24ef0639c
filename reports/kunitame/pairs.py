"""What a contract is worth: the same deals with and without it.

In every game one seat declines its contracts of one week; all else is the same, but
for the Devils that then go to others. What follows is compared: a row a game in which
the seat had a contract to decline.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_report import About, Raw, WhatIfs
from reports.kunitame.played import PlayedGames
from reports.measures import Measure, MeasuresOf
from reports.played import of_seat


def decline(rules: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Which paired cells the panel plays: plain data.

    The decision that is declined, the unit of time with the rule that counts it, the
    strategies that decline, and ``changes`` to the rules: with one gem at most a
    contract shows what one Devil is worth.
    """
    if not rules["contract_limit"] or not rules["contract_squares"]:
        return ()
    makers = ("allround", "planner", "gambler")
    declined = {"kind": "contract", "unit": "week", "moments": "weeks"}
    return (
        declined | {"strategies": makers, "changes": {}},
        declined | {"strategies": makers[:1], "changes": {"contract_limit": 1}},
    )


_CONTRACT = "target stake"
_VALUES = {
    "tricks_more": ("tricks won in the week, with less without", "tricks"),
    "week_more": ("points won in the week, with less without", "points"),
    "score_more": (
        "points at the end, with less without; 0 where eliminated",
        "points",
    ),
    "lives_more": ("Life gems at the end, with less without", "Life gems"),
    "won_more": ("win share, with less without", "pp"),
}
_DECLINED = MeasuresOf("declined", by=_CONTRACT)


def _of(name: str, more: str = "", by: str = "") -> Measure:
    doc, unit = _VALUES[name]
    return _DECLINED.mean(f"{name}{more}", doc, name, by=by, unit=unit)


MEASURES = (
    *(_of(name, by=_CONTRACT) for name in _VALUES),
    *(_of(name, " in all") for name in _VALUES),
    _DECLINED.share("kept", "share of these contracts that are kept", "kept"),
    _of("won_more", " if kept", f"{_CONTRACT} kept"),
    _DECLINED.per_game(
        "outcomes",
        "contracts that change the points at the end by so many",
        by=f"{_CONTRACT} score_more",
    ),
    _of("week_more", " by Devil", "devil"),
    _of("tricks_more", " by Devil", "devil"),
)


def pairs(raw: Raw, other: Raw, about: About) -> dict[str, pl.DataFrame]:
    """Compare games with those in which a seat declines; about["when"] says when."""
    week = about["when"][1] - 1
    with_it, without = PlayedGames(raw, about), PlayedGames(other, about)
    seat = with_it.whose_name_differs(without)
    games = np.arange(with_it.size)
    stakes = with_it.staked[week, seat, games]
    columns = {
        "game": with_it.game,
        "stake": stakes,
        **_contract(with_it, week, seat),
        "devil": _devil(with_it, week, seat),
        **_differences(with_it, without, week, seat),
    }
    return {"declined": pl.DataFrame(columns).filter(pl.Series(stakes > 0))}


def _contract(played: PlayedGames, week: int, seat: Array) -> dict[str, Array]:
    """Target of the lone contract square with gems, and whether it was kept."""
    games = np.arange(played.size)
    target = np.full(played.size, -1, dtype=np.int16)
    for at, tricks in enumerate(played.rules["contract_squares"]):
        here = played.staked_on(at)[week, seat, games]
        target[here == played.staked[week, seat, games]] = tricks
    kept = played.tricks[week, seat, games] == target
    return {"target": target, "kept": kept.astype(np.int8)}


def _devil(played: PlayedGames, week: int, seat: Array) -> list[str]:
    """The Devil that the seat drew, where it drew just one."""
    names: list[str] = ["several"] * played.size
    drawn = played.raw.get("devil")
    if drawn is None:
        return names
    part = drawn.filter(pl.col("week") == week + 1)
    game = played.at(part)
    mine = part["seat"].to_numpy() == seat[game]
    alone = played.staked[week, seat, np.arange(played.size)][game] == 1
    cards = part["card"].cast(pl.String).to_list()
    for row in np.flatnonzero(mine & alone):
        names[game[row]] = cards[row]
    return names


def _differences(
    with_it: PlayedGames, without: PlayedGames, week: int, seat: Array
) -> dict[str, Array]:
    """(games,) each of ``_VALUES``: of the seat, with the contract less without."""
    one, other = (_values(played, week) for played in (with_it, without))
    return {
        name: of_seat(one[name].astype(np.int16) - other[name].astype(np.int16), seat)
        for name in _VALUES
    }


def _values(played: PlayedGames, week: int) -> dict[str, Array]:
    """(seats, games) each: what is compared."""
    return {
        "tricks_more": played.tricks[week],
        "week_more": played.week_gain[week],
        "score_more": played.points * (played.lives > 0),
        "lives_more": played.lives,
        "won_more": played.victory,
    }


WHAT_IFS = WhatIfs(decline=decline, pairs=pairs, measures=MEASURES)
