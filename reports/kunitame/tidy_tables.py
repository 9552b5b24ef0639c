"""Tidy tables: a row per seat, week, trick, contract, ... of a game.

Columns are what their names say; the function of a table explains the others. ``game``
is its number in the run; weeks and positions count from 1.
"""

import numpy as np
import polars as pl

from reports.counts import Array
from reports.game_report import Tables
from reports.kunitame.game_arrays import KunitameArrays


def _games(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per game; all_out: whether every player is eliminated."""
    all_out = (played.lives == 0).all(axis=0)
    return pl.DataFrame({"game": played.game, "all_out": all_out})


def _players(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per seat; out: whether it is eliminated."""
    columns = {"seat": played.seats, "won": played.victory, "out": played.lives == 0}
    return played.frame(played.lives.shape, columns)


def weeks(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per week and seat; the dealer of the week has position 1.

    gained: less what is given back. ``edge`` over ``spread`` is the least-squares slope
    of points on Priests, both less the table's mean; each is multiplied by the players.
    """
    points, gained = played.week_points, played.week_gain
    above = [(points > points[:, [seat]]).sum(axis=1) for seat in range(played.players)]
    priests = np.bitwise_count(played.hands & played.mask("card", "P"))
    each = priests.astype(np.int32)
    columns = {
        **_whose(played),
        "position": played.position(played.dealer[:, None]),
        "points": points,
        "gained": gained,
        "rank": np.stack(above, axis=1) + 1,
        "tricks": played.tricks,
        "staked": played.staked,
        "priests": priests,
        "edge": (played.players * gained - gained.sum(axis=1, keepdims=True)) * each,
        "spread": (played.players * each - each.sum(axis=1, keepdims=True)) * each,
        "won": played.victory,
    }
    return played.frame(points.shape, columns)


def _whose(played: KunitameArrays) -> dict[str, Array]:
    """Return the columns that name the week, seat and strategy of a row."""
    week = np.arange(1, played.weeks + 1, dtype=np.int16)[:, None, None]
    return {"week": week, "seat": played.seats, "strategy": played.strategy}


def _tricks(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per trick; seat: its winner; gained, returned: values of gems."""
    gained, returned = played.at_tricks(won=True), played.at_tricks(won=False)
    week, trick = np.indices(gained.shape[:2], dtype=np.int16)[:, :, :, None] + 1
    columns = {
        "week": week,
        "round": trick,
        "seat": played.taker,
        "gained": gained,
        "returned": returned,
        "punished": returned > 0,
    }
    return played.frame(gained.shape, columns)


def _liquidations(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per liquidation of a seat still in; gained, returned: gem values."""
    gained, returned = (played.at_liquidation(won=flag) for flag in (True, False))
    columns = {
        **_whose(played),
        "tricks": played.tricks,
        "gained": gained,
        "returned": returned,
        "punished": returned > 0,
    }
    frame = played.frame(returned.shape, columns)
    return frame.filter(pl.Series(played.lives_left.reshape(-1) > 0))


def contracts(played: KunitameArrays) -> pl.DataFrame:
    """Return a row per contract."""
    shape, parts = played.stakes.shape, []
    for at, target in enumerate(played.rules["contract_squares"] or [-1]):
        stake, made = played.staked_on(at), played.tricks == target
        columns = {
            **_whose(played),
            "target": np.int16(target),
            "stake": stake,
            "made": made,
        }
        parts.append(played.frame(shape, columns, np.flatnonzero(stake)))
    return pl.concat(parts)


def tables(played: KunitameArrays) -> Tables:
    """Return the tidy tables that several sections share."""
    return {
        "games": _games(played),
        "players": _players(played),
        "weeks": weeks(played),
        "tricks": _tricks(played),
        "liquidations": _liquidations(played),
    }
