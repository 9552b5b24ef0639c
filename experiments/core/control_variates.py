"""Control variates: win shares by position without the luck of the role dealt.

In games that deal roles (``sim.games.Game.role``), which role a position is dealt says
much about whether it wins. How often it is dealt each is known from deals that nobody
plays, which cost next to nothing.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, UsageError
from reports.statistics.double_samples import StratifiedShare, stratified_share
from sim import games

TABLE = "result"
"""The raw table that they are computed from."""
_DEALS = 16  # for each game: its own, and others that nobody plays
_UNPLAYED = 1 << 60  # the number of the first game that nobody plays: no deal has it
_AT_ONCE, _MOST_ROLES = 8_192, 64
_Counts = NDArray[np.int64]


def require_roles(game: games.Game) -> None:
    """Raise ``UsageError`` for a game that deals no roles.

    >>> require_roles(games.load("drake"))
    """
    if game.role is None:
        having = [one for one in games.REGISTRY if games.load(one).role is not None]
        raise UsageError(
            f"control variates: {game.id} deals no roles, and the cards dealt tell too "
            f"little about who wins. Games that deal roles: {', '.join(having)}."
        )


def with_table(game: str, tables: Iterable[str]) -> tuple[str, ...]:
    """Return these raw tables and ``TABLE``; raises as ``require_roles``.

    >>> with_table("drake", ["card"])
    ('card', 'result')
    """
    require_roles(games.load(game))
    return tuple(dict.fromkeys([*tables, TABLE]))


def win_shares(cell: Cell, result: pl.LazyFrame) -> pl.DataFrame:
    """Return a row for each position: position (from 1), estimate, low, high, factor.

    result: the raw table of this cell's results. Raises as ``require_roles``.
    """
    require_roles(games.load(cell.game))
    rows = result.filter(pl.col("seat") == 0).select("game", "winner").collect()
    number = rows["game"].to_numpy().astype(np.uint64)
    parts = np.split(number, range(_AT_ONCE, len(number), _AT_ONCE))
    played = [_deals(cell, part) for part in parts]
    first, role = (np.concatenate(part, -1) for part in zip(*played, strict=True))
    dealt, end = _counted(role), _UNPLAYED + (_DEALS - 1) * len(number)
    for at in range(_UNPLAYED, end, _AT_ONCE):
        unplayed = np.arange(at, min(at + _AT_ONCE, end), dtype=np.uint64)
        dealt += _counted(_deals(cell, unplayed)[1])
    winner = rows["winner"].to_numpy().astype(np.int64)
    place = np.where(winner < 0, -1, (winner - first) % cell.players)
    shares = [
        stratified_share(place == at, role[at], dealt[at]) for at in range(cell.players)
    ]
    position = pl.Series("position", range(1, cell.players + 1))
    fields = StratifiedShare._fields
    return pl.DataFrame(shares, orient="row", schema=fields).insert_column(0, position)


def _deals(cell: Cell, number: NDArray[np.uint64]) -> tuple[_Counts, _Counts]:
    """Return the seat of the first position, and the role of each position.

    (games,) and (positions, games), of the games with these numbers.
    """
    game: Any = games.load(cell.game)
    state = game.start(cell.rules, cell.players, cell.seed, cell.dealt(number))
    first = game.first(state).astype(np.int64)
    seat = (first + np.arange(cell.players)[:, None]) % cell.players
    return first, np.take_along_axis(game.role(state).astype(np.int64), seat, axis=0)


def _counted(role: _Counts) -> _Counts:
    """Return (positions, roles) how often each position has each role."""
    return np.stack([np.bincount(one, minlength=_MOST_ROLES) for one in role])
