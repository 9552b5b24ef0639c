"""Tidy tables: one row a seat, a week, a trick, a contract, ... of a game.

Every column stands for what its name says; of what that does not tell, the function of
the table does. ``game`` is its number in the run, seats count from 0, weeks from 1.
"""

from typing import Any

import numpy as np
import polars as pl

from reports.kunitame.played import Array, PlayedGames
from reports.kunitame.standing import standing


def tables(played: PlayedGames) -> dict[str, pl.DataFrame]:
    """All tidy tables of a block."""
    course = standing(played)
    return {
        "games": _games(played, course),
        "players": _players(played, course),
        "weeks": _weeks(played),
        "tricks": _tricks(played),
        "liquidations": _liquidations(played),
        "contracts": _contracts(played),
        "gems": _gems(played),
    }


def _games(played: PlayedGames, course: Any) -> pl.DataFrame:
    """``settled``: steps played when the winner took the sole lead for good.

    That is all steps where it came at the very end. winner: -1 nobody; out: players
    who are eliminated.
    """
    out = (played.lives == 0).sum(axis=0)
    return pl.DataFrame(
        {
            "game": played.game,
            "winner": played.winner,
            "by": played.raw["result"]["by"][: played.size].cast(pl.String),
            "lead_changes": course.lead_changes,
            "settled": np.minimum(course.settled + 1, course.steps),
            "steps": np.full(played.size, course.steps, dtype=np.int16),
            "out": out,
            "all_out": out == played.players,
        }
    )


def _players(played: PlayedGames, course: Any) -> pl.DataFrame:
    """``place``: places after the first dealer, who is 0."""
    shape = played.points.shape
    columns = {
        "place": played.place,
        "won": played.won,
        "points": played.points,
        "lives": played.lives,
        "out": played.lives == 0,
        "last_at_half": course.last_at_half,
        "sole_at_third": course.sole_at_third,
    }
    return _frame(played, shape, columns)


def _weeks(played: PlayedGames) -> pl.DataFrame:
    """``place``: places after the week's dealer; gained: less what is given back.

    ``edge`` over ``spread`` is what one more Priest than the mean of the table earns
    more than its mean: both are products with it, times the players (least squares).
    """
    points, gained = played.week_points, played.week_gain
    priests = _priests(played)
    more = [(points > points[:, [seat]]).sum(axis=1) for seat in range(played.players)]
    each = priests.astype(np.int32)
    columns = {
        "place": (played.seats - played.dealer[:, None]) % played.players,
        "points": points,
        "gained": gained,
        "rank": np.stack(more, axis=1) + 1,
        "tricks": played.tricks,
        "staked": played.staked,
        "priests": priests,
        "edge": (played.players * gained - gained.sum(axis=1, keepdims=True)) * each,
        "spread": (played.players * each - each.sum(axis=1, keepdims=True)) * each,
        "won": played.won,
    }
    return _frame(played, points.shape, columns)


def _priests(played: PlayedGames) -> Array:
    """(weeks, seats, games) Priests dealt."""
    bits = [n for n, card in enumerate(played.vocabularies["card"]) if card == "P"]
    mask = np.uint64(sum(1 << bit for bit in bits))
    priests: Array = np.bitwise_count(played.hands & mask)
    return priests


def _tricks(played: PlayedGames) -> pl.DataFrame:
    """The seat is who won it; gained and returned are values of gems."""
    gained, returned = played.at_tricks(won=True), played.at_tricks(won=False)
    weeks, rounds, size = gained.shape
    strategy = np.broadcast_to(
        played.strategy[played.taker, np.arange(size)], gained.shape
    )
    week, trick = np.indices((weeks, rounds), dtype=np.int16)[:, :, :, None] + 1
    return pl.DataFrame(
        {
            "game": _spread(played.game, gained.shape),
            "week": _spread(week, gained.shape),
            "round": _spread(trick, gained.shape),
            "seat": played.taker.reshape(-1),
            "strategy": _named(strategy, played),
            "gained": gained.reshape(-1),
            "returned": returned.reshape(-1),
            "punished": returned.reshape(-1) > 0,
            "unpaid": ((gained == 0) & (returned == 0)).reshape(-1),
        }
    )


def _liquidations(played: PlayedGames) -> pl.DataFrame:
    """Of seats that are alive; gained and returned are values of gems."""
    gained, returned = (played.at_liquidation(won=flag) for flag in (True, False))
    columns = {
        "tricks": played.tricks,
        "gained": gained,
        "returned": returned,
        "punished": returned > 0,
        "unpaid": (gained == 0) & (returned == 0),
    }
    frame = _frame(played, returned.shape, columns)
    return frame.filter(pl.Series(played.lives_left.reshape(-1) > 0))


def _contracts(played: PlayedGames) -> pl.DataFrame:
    """``lost``: Life gems lost on it; out: the seat was eliminated that week."""
    squares = played.rules["contract_squares"]
    shape = played.stakes.shape
    parts = []
    for at, target in enumerate(squares):
        stake = played.staked_on(at)
        made = played.tricks == target
        columns = {
            "target": np.full((1, 1, 1), target, dtype=np.int16),
            "stake": stake,
            "made": made,
            "lost": stake * ~made,
            "out": played.lives_left == 0,
        }
        rows = np.flatnonzero(stake)
        parts.append(_frame(played, shape, columns, rows))
    if not parts:
        nothing = np.zeros((1, 1, 1), dtype=np.int16)
        names = ("target", "stake", "made", "lost", "out")
        none = np.zeros(0, dtype=np.int64)
        parts = [_frame(played, shape, dict.fromkeys(names, nothing), none)]
    return pl.concat(parts)


def _gems(played: PlayedGames) -> pl.DataFrame:
    """Gems won; ``place``: places after the first dealer."""
    moves = played.moves(won=True)
    seat, game = moves["seat"], moves["game"]
    squares = played.vocabularies["square"]
    names = list(dict.fromkeys(squares))
    return pl.DataFrame(
        {
            "game": played.game[game],
            "week": (moves["week"] + 1).astype(np.int16),
            "seat": seat.astype(np.uint8),
            "place": played.place[seat, game].astype(np.uint8),
            "strategy": _named(played.strategy[seat, game], played),
            "square": _words(moves["square"], pl.Enum(names)),
            "value": moves["value"].astype(np.uint8),
        }
    )


def _frame(
    played: PlayedGames,
    shape: tuple[int, ...],
    columns: dict[str, Array],
    rows: Array | None = None,
) -> pl.DataFrame:
    """A row a (week,) seat and game; of all, or of those numbered in ``rows``."""
    seat = played.seats.astype(np.uint8)
    week = np.arange(1, shape[0] + 1, dtype=np.int16)[:, None, None]
    named = {"game": played.game, "seat": seat, "strategy": played.strategy}
    if len(shape) == 3:
        named["week"] = week
    found = {}
    for name, values in (named | columns).items():
        full = _spread(values, shape)
        part = full if rows is None else full[rows]
        found[name] = _named(part, played) if name == "strategy" else part
    return pl.DataFrame(found)


def _spread(values: Array, shape: tuple[int, ...]) -> Array:
    """Values once for every cell of the shape, as one column."""
    return np.broadcast_to(values, shape).reshape(-1)


def _named(codes: Array, played: PlayedGames) -> pl.Series:
    """Numbers of strategies as their names."""
    return _words(codes, played.strategies)


def _words(codes: Array, words: Any) -> pl.Series:
    """Numbers as the words of an Enum."""
    names = pl.Series(words.categories, dtype=words)
    return names.gather(codes.reshape(-1).astype(np.uint32))
