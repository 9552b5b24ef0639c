"""What a grant is worth, and what a brake does: play the same deals twice.

When a round begins, one seat gets one more of a thing (``sim.games.Grant``), and the
game is played on; it is compared with the same game without the grant. The deal and all
later chance are the same, so the two differ only by the grant.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell, play, seating
from experiments.core.measures import report_of
from experiments.counterfactual.action_counts import first_seat
from experiments.counterfactual.changed_players import joined
from reports.ledger.account import as_int64
from reports.ledger.ledger import Ledger
from reports.ledger.paired_effects import brake_effect, grant_worth
from sim import games, masks
from sim.games import Game, Grant
from sim.listener import EVERY, Choice, Fields, Listener
from sim.rollouts import RolloutTable, play_out, shares_of
from sim.view import Rows

MOMENTS = 12
"""Moments of a game at which grants are given, at most."""


def grant_values(cell: Cell, count: int) -> pl.DataFrame:
    """Return what one more of each thing is worth in ``count`` games (``grant_worth``).

    To any seat, or to the first strategy of the lineup if several play.
    """
    grants = games.load(cell.game).grants.items()
    parts = [grant_rows(cell, thing, grant, count) for thing, grant in grants]
    parts = [part for part in parts if part.height]
    return grant_worth(pl.concat(parts), _first(cell)) if parts else pl.DataFrame()


def brake_effects(cell: Cell, count: int) -> pl.DataFrame:
    """Return what each brake does in ``count`` games (``brake_effect``)."""
    ledgers = report_of(cell.game).ledgers
    parts = [_braked(cell, each, count) for each in ledgers if each.brake is not None]
    parts = [part for part in parts if part.height]
    if not parts:
        return pl.DataFrame()
    return pl.concat(parts).with_columns(strategy=pl.lit(_first(cell)))


def _first(cell: Cell) -> str:
    """Return the title of the lineup's first strategy."""
    return cell.strategies()[0].title


class _Moment(NamedTuple):
    """Games at their first decision of a unit, whose kind this is.

    number, time: (games,) how many grants came before, and the number of the unit.
    """

    state: Any
    kind: str
    number: Rows
    time: Rows


class _Moments(Listener):
    """Keeps the states of ``count`` games before grants, and how the games end."""

    def __init__(self, game: Game, grant: Grant, count: int) -> None:
        self._game, self._grant = game, grant
        self._last = np.full(count, grant.first - 1)  # unit of each game
        self._number = np.zeros(count, dtype=np.int64)  # of grants so far
        self.kept: list[_Moment] = []
        self.end: dict[str, Any] = {}

    def hears(self, name: str) -> bool:
        """Hear all decisions, and the result."""
        return name in self._game.kinds or name == "result"

    def event(self, state: Any, name: str, where: Any, fields: Fields) -> None:
        """Keep the result."""
        self.end = dict(fields)

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the states before the first decision of a unit."""
        self.choice_of(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        """Keep the states of all games; where they are out of step, of those asked."""
        unit, grant = state.clock.labels().get(self._grant.unit), self._grant
        if unit is None:
            return
        at = np.arange(len(state.games))
        time = np.broadcast_to(np.asarray(unit, dtype=np.int64), len(at))
        if state.out_of_step:
            at = at[rows][choice.legal != masks.NOTHING]
        time, place = time.take(at), state.start_rows.take(at)
        due = (time != self._last[place]) & ((time - grant.first) % grant.every == 0)
        self._last[place] = time
        due &= self._number[place] < MOMENTS
        if due.any():
            number, time = self._number[place[due]], time[due] - grant.first + 1
            branch = state.branch(at[due])
            self.kept.append(_Moment(branch, choice.kind.name, number, time))
            self._number[place[due]] += 1


def grant_rows(
    cell: Cell, thing: str, grant: Grant, count: int, first: int = 0
) -> pl.DataFrame:
    """Return a row per grant: game, seat, thing, unit, time, won, points.

    Games from number ``first`` on have one at each moment: seats take turns, or the
    first strategy gets it if several play. See ``grant_worth`` for the columns.
    """
    game = games.load(cell.game)
    numbers = np.arange(first, first + count, dtype=np.uint64)
    lineup, sitting = seating(cell.strategies(), cell.rotate, numbers)
    moments = _Moments(game, grant, count)
    play(cell, numbers, [moments])
    before = shares_of(moments.end, cell.players)
    alone = len(lineup) == 1 and lineup[0].cost == 1 and not grant.scored
    align = game.align if alone else None
    parts, won, ended = [], [], []
    for state, _, number, time in joined(moments.kept):
        index = state.games.astype(np.int64) - first
        seat = (index + first + number) % cell.players
        if len(lineup) > 1:
            seat = first_seat(cell, state.games)
        rows = np.flatnonzero(grant.give(state, seat.astype(np.uint8)))
        if not len(rows):
            continue
        index, seat = index.take(rows), seat.take(rows)
        if game.rewind_simultaneous is not None:
            game.rewind_simultaneous(state)
        sits = sitting[:, index] if len(lineup) > 1 else None
        until = align.stop_at if align else None
        table = RolloutTable(game, lineup, sits, until=until)
        ended.append(state.branch(rows))
        won.append(table.play(ended[-1]))
        points = None
        if grant.scored and game.score is not None:
            of_score = game.score.field
            now, then = as_int64(table.end[of_score]), as_int64(moments.end[of_score])
            points = now[seat, np.arange(len(rows))] - then[seat, index]
        columns = {"game": numbers.take(index), "seat": seat, "time": time.take(rows)}
        float_points = {"points": pl.Float64}
        parts.append(
            pl.DataFrame({**columns, "points": points}, schema_overrides=float_points)
        )
    if not parts:
        return pl.DataFrame()
    frame, shares = pl.concat(parts), np.concatenate(won, axis=1)
    if align is not None:
        play_out(game, lineup[0], align, ended, shares)
    seat = frame["seat"].to_numpy()
    index = frame["game"].to_numpy().astype(np.int64) - first
    more = shares[seat, np.arange(len(seat))] - before[seat, index]
    return frame.select(
        "game",
        "seat",
        pl.lit(thing).alias("thing"),
        pl.lit(grant.unit).alias("unit"),
        "time",
        pl.Series("won", more),
        "points",
    )


def _braked(cell: Cell, ledger: Ledger, count: int) -> pl.DataFrame:
    """Return the table of one brake, by the rules in force and without it."""
    report, block, brake = report_of(cell.game), Block(0, 0, count), ledger.brake
    if report.standing is None or brake is None:
        return pl.DataFrame()
    standing_in = report.standing

    def accounts(of: Cell) -> Any:
        played, raw = record_block(of, block, report.all_notes, [])
        read = report.reads(raw, report_context(of, played))
        return ledger.account(read), standing_in(read)

    account, standing = accounts(cell)
    if account is None or standing is None or account.time.max() < 2:
        return pl.DataFrame()
    later = account.time > 1
    mean = float(account.income[:, later].mean())
    changes = brake.changes(cell.rules.plain(), mean)
    if not changes:
        return pl.DataFrame()
    other = accounts(replace(cell, rules=cell.rules.changed(changes)))
    rule = brake.words.format(round(mean))
    return brake_effect(ledger, (account, standing), other).with_columns(
        rule=pl.lit(rule)
    )
