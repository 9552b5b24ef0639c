"""What one more is worth, and what a brake does: the same deals, played twice.

When a round begins one seat is given one more of a thing (``sim.games.Grant``), and the
game is played on; beside it, the same game as it was played. Deals and all chance to
come are the same, so both differ by the gift alone.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from experiments.core.cells import Cell, play, seating
from experiments.core.measures import report_of
from experiments.core.recording import Block, about, record
from experiments.core.uses import first_seat
from reports.ledger.account import wide
from reports.ledger.ledger import Ledger
from reports.ledger.worth import braked, granted
from sim import games
from sim.games import Game, Grant
from sim.listener import Choice, Listener
from sim.rollouts import RolloutTable, play_out, shares_of
from sim.view import Rows

_EVERY = 128  # decisions of games out of step, between two at which one more is given
MOMENTS = 12
"""Moments of a game at which one more is given."""


def gifts_of(cell: Cell, count: int) -> pl.DataFrame:
    """What one more of each thing is worth in ``count`` games (``granted``).

    To any seat, or to the first strategy of the lineup, where several play.
    """
    grants = games.load(cell.game).grants.items()
    parts = [gifts(cell, thing, grant, count) for thing, grant in grants]
    parts = [part for part in parts if part.height]
    return granted(pl.concat(parts), _first(cell)) if parts else pl.DataFrame()


def brakes_of(cell: Cell, count: int) -> pl.DataFrame:
    """What each brake does in ``count`` games (``braked``)."""
    ledgers = report_of(cell.game).ledgers
    parts = [_braked(cell, one, count) for one in ledgers if one.brake is not None]
    parts = [part for part in parts if part.height]
    if not parts:
        return pl.DataFrame()
    return pl.concat(parts).with_columns(strategy=pl.lit(_first(cell)))


def _first(cell: Cell) -> str:
    """The first strategy of the lineup."""
    return cell.strategies()[0].title


class _Moments(Listener):
    """Keeps games as they stand when something is to be given, and how they end."""

    def __init__(self, game: Game, grant: Grant) -> None:
        self._game, self._grant = game, grant
        self._last = grant.first - 1  # number of the unit
        self._calls = 0
        self.kept: list[tuple[Any, NDArray[np.int64]]] = []  # state, (games,) unit
        self.end: dict[str, Any] = {}

    def hears(self, name: str) -> bool:
        """Every question, and the result."""
        return name in self._game.kinds or name == "result"

    def event(
        self, state: Any, name: str, where: Any, fields: Mapping[str, Any]
    ) -> None:
        """Keep the result."""
        self.end = dict(fields)

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the games before the first question of a unit."""
        unit, grant = state.clock.labels().get(self._grant.unit), self._grant
        if unit is None or len(self.kept) == MOMENTS:
            return
        if state.out_of_step:
            due = self._calls % _EVERY == 0
            self._calls += 1
        else:
            due = unit != self._last and (unit - grant.first) % grant.every == 0
            self._last = int(unit)
        if due:
            every = np.arange(len(state.games))
            time = np.broadcast_to(np.asarray(unit, dtype=np.int64), len(every))
            self.kept.append((state.branch(every), time - grant.first + 1))

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """The same: all games are kept."""
        self.choice(state, choice)


def gifts(cell: Cell, thing: str, grant: Grant, count: int) -> pl.DataFrame:
    """A row a gift: game, seat, thing, unit, time, won and points (see ``granted``).

    Each game has one at each moment: its seats take turns, or, where several strategies
    play, the first of them has it.
    """
    game, numbers = games.load(cell.game), np.arange(count, dtype=np.uint64)
    lineup, sitting = seating(cell.strategies(), cell.rotate, numbers)
    heard = _Moments(game, grant)
    play(cell, numbers, [heard])
    before = shares_of(heard.end, cell.players)
    alone = len(lineup) == 1 and lineup[0].cost == 1 and not grant.scored
    align = game.align if alone else None
    parts, won, ended = [], [], []
    for number, (state, time) in enumerate(heard.kept):
        of = state.games.astype(np.int64)
        seat = (of + number) % cell.players
        if len(lineup) > 1:
            seat = first_seat(cell, state.games)
        rows = np.flatnonzero(grant.give(state, seat.astype(np.uint8)))
        if not len(rows):
            continue
        of, seat = of.take(rows), seat.take(rows)
        if game.rewind_simultaneous is not None:
            game.rewind_simultaneous(state)
        sits = sitting[:, of] if len(lineup) > 1 else None
        desk = RolloutTable(game, lineup, sits, until=align.stop_at if align else None)
        ended.append(state.branch(rows))
        won.append(desk.play(ended[-1]))
        points = None
        if grant.scored and game.score is not None:
            of_score = game.score.field
            now, then = wide(desk.end[of_score]), wide(heard.end[of_score])
            points = now[seat, np.arange(len(rows))] - then[seat, of]
        parts.append(
            pl.DataFrame(
                {
                    "game": numbers.take(of),
                    "seat": seat,
                    "thing": [thing] * len(rows),
                    "unit": [grant.unit] * len(rows),
                    "time": time.take(rows),
                    "points": points,
                },
                schema_overrides={"points": pl.Float64},
            )
        )
    if not parts:
        return pl.DataFrame()
    gifts_, shares = pl.concat(parts), np.concatenate(won, axis=1)
    if align is not None:
        play_out(game, lineup[0], align, ended, shares)
    of, seat = (gifts_[name].to_numpy().astype(np.int64) for name in ("game", "seat"))
    more = shares[seat, np.arange(len(seat))] - before[seat, of]
    return gifts_.insert_column(5, pl.Series("won", more))


def _braked(cell: Cell, ledger: Ledger, count: int) -> pl.DataFrame:
    """The table of one brake, by the rules in force and without it."""
    report, block, brake = report_of(cell.game), Block(0, 0, count), ledger.brake
    if report.standing is None or brake is None:
        return pl.DataFrame()
    standing_in = report.standing

    def told(of: Cell) -> Any:
        played, raw = record(of, block, report.recorded, [])
        read = report.read(raw, about(of, played))
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
