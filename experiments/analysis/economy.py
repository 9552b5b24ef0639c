"""What one more is worth, and what a brake does: the same deals, played twice.

When a round begins one seat is given one more of a thing (``sim.games.Grant``), and the
game is played on; beside it, the same game as it stands. Deals and all chance to come
are the same, so both differ by the gift alone.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, play
from experiments.core.measures import report_of
from experiments.core.recording import Block, about, record
from reports.ledger.account import wide
from reports.ledger.ledger import Ledger
from reports.ledger.worth import BRAKES, GRANTED, braked, granted
from sim import games
from sim.branches import Desk
from sim.games import Game, Grant
from sim.listener import Choice, Listener
from sim.view import Seat

_EVERY = 128  # decisions of games out of step, between two at which one more is given
MOMENTS = 12
"""Moments of a game at which one more is given."""


def economy_of(cell: Cell, count: int) -> dict[str, pl.DataFrame]:
    """The tables of the economy, of ``count`` games in which all play the same."""
    tables = {}
    parts = [
        gifts(cell, thing, grant, count)
        for thing, grant in games.load(cell.game).grants.items()
    ]
    parts = [part for part in parts if part.height]
    if parts:
        tables[GRANTED] = granted(pl.concat(parts))
    brakes = [
        _braked(cell, ledger, count)
        for ledger in report_of(cell.game).ledgers
        if ledger.brake is not None
    ]
    brakes = [part for part in brakes if part.height]
    if brakes:
        tables[BRAKES] = pl.concat(brakes)
    return tables


class _Moments(Listener):
    """Keeps games as they stand when something is to be given."""

    def __init__(self, game: Game, grant: Grant) -> None:
        self._game, self._grant = game, grant
        self._last = 0  # number of the unit
        self._calls = 0
        self.kept: list[tuple[Any, NDArray[np.int64]]] = []  # state, (games,) unit

    def hears(self, name: str) -> bool:
        """Every question."""
        return name in self._game.kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the games before the first question of a unit."""
        unit = state.clock.labels().get(self._grant.unit)
        if unit is None or len(self.kept) == MOMENTS:
            return
        if state.out_of_step:
            due = self._calls % _EVERY == 0
            self._calls += 1
        else:
            due = unit != self._last and (unit - 1) % self._grant.every == 0
            self._last = int(unit)
        if due:
            every = np.arange(len(state.games))
            time = np.broadcast_to(np.asarray(unit, dtype=np.int64), len(every))
            self.kept.append((state.branch(every), time.copy()))


def gifts(cell: Cell, thing: str, grant: Grant, count: int) -> pl.DataFrame:
    """A row a gift: game, seat, thing, unit, time, won and points (see ``granted``).

    Each game has one at each moment, its seats taking turns.
    """
    game = games.load(cell.game)
    (player,) = dict.fromkeys(cell.strategies())
    heard = _Moments(game, grant)
    play(cell, np.arange(count, dtype=np.uint64), [heard])
    parts = []
    for number, (state, time) in enumerate(heard.kept):
        size = len(state.games)
        seat = ((state.games + np.uint64(number)) % np.uint64(cell.players)).astype(
            np.uint8
        )
        other = state.branch(np.arange(size))
        rows = np.flatnonzero(grant.give(other, seat))
        if not len(rows):
            continue
        seat, here = seat.take(rows), np.arange(len(rows))
        ends = [_end(game, player, one.branch(rows)) for one in (state, other)]
        (without, before), (with_, after) = (
            (won[seat, here], _points(end, grant, seat)) for won, end in ends
        )
        parts.append(
            pl.DataFrame(
                {
                    "game": state.games.take(rows),
                    "seat": seat,
                    "thing": [thing] * len(rows),
                    "unit": [grant.unit] * len(rows),
                    "time": time.take(rows),
                    "won": with_ - without,
                    "points": None
                    if before is None or after is None
                    else after - before,
                },
                schema_overrides={"points": pl.Float64},
            )
        )
    return pl.concat(parts) if parts else pl.DataFrame()


def _end(
    game: Game, player: Any, state: Any
) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """(seats, games) shares of the win, and the result, of games played on."""
    if game.reask is not None:
        game.reask(state)
    desk = Desk(game, [player])
    return desk.play(state), dict(desk.end)


def _points(end: dict[str, Any], grant: Grant, seat: Seat) -> Any:
    """(games,) the seat's points at the end; None where the result tells none."""
    if not grant.result:
        return None
    return wide(end[grant.result])[seat, np.arange(len(np.asarray(seat)))]


def _braked(cell: Cell, ledger: Ledger, count: int) -> pl.DataFrame:
    """The table of one brake, by the rules in force and without it."""
    report, block, brake = report_of(cell.game), Block(0, 0, count), ledger.brake
    if report.standing is None or brake is None:
        return pl.DataFrame()
    standing_in = report.standing

    def told(of: Cell) -> Any:
        played, raw = record(of, block, report.recorded, [])
        read = report.reads(raw, about(of, played))
        return ledger.account(read), standing_in(read)

    account, standing = told(cell)
    if account is None or standing is None or account.time.max() < 2:
        return pl.DataFrame()
    later = account.time > 1
    mean = float(account.income[:, later].mean())
    changes = brake.changes(cell.rules.plain(), mean)
    if not changes:
        return pl.DataFrame()
    other = told(replace(cell, rules=cell.rules.changed(changes)))
    rule = brake.words.format(round(mean))
    return braked(ledger, (account, standing), other).with_columns(rule=pl.lit(rule))
