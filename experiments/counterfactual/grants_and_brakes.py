"""What a grant is worth, and what a brake does: play the same deals twice.

When a round begins, one seat gets one more of a thing (``sim.games.Grant``), and the
game is played on; it is compared with the same game without the grant. The deal and all
later chance are the same, so the two differ only by the grant.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from experiments.core.block_records import Block, record_block, report_context
from experiments.core.cells import Cell, play, seating
from experiments.core.measures import report_of
from experiments.counterfactual.action_counts import Numbers, first_seat
from experiments.counterfactual.changed_players import End
from reports.ledger.account import as_int64
from reports.ledger.ledger import Ledger
from reports.ledger.paired_effects import brake_effect, grant_worth
from sim import games, masks
from sim.branches import joined
from sim.games import Grant
from sim.listener import EVERY, Choice
from sim.rollouts import BranchPoint, play_on, shares_of
from sim.table import Sitting
from sim.view import Rows

MOMENTS = 12
"""Moments of a game at which grants are given, at most."""
_TOGETHER = 65_536  # games played on together, which bounds memory


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


@dataclass(frozen=True)
class _Given(BranchPoint):
    """Games at their first decision of a unit: ``seat`` gets something.

    time: (games,) the number of the unit.
    """

    time: Rows = field(kw_only=True)


class _Moments(End):
    """Keeps the states of ``count`` games before grants, and how the games end."""

    def __init__(
        self, cell: Cell, grant: Grant, count: int, sits: Sitting | None
    ) -> None:
        self._cell, self._grant, self._sits = cell, grant, sits
        self._kinds = games.load(cell.game).kinds
        self._last = np.full(count, grant.first - 1)  # unit of each game
        self._number = np.zeros(count, dtype=np.int64)  # of grants so far
        self.kept: list[_Given] = []

    def hears(self, name: str) -> bool:
        """Hear all decisions, and the result."""
        return name in self._kinds or super().hears(name)

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
            at, place, time = at[due], place[due], time[due] - grant.first + 1
            seat = self._seats(state.games.take(at), self._number[place])
            sits = None if self._sits is None else self._sits.take(place, axis=1)
            branch, kind = state.branch(at), choice.kind.name
            self.kept.append(_Given(branch, kind, seat, sits=sits, time=time))
            self._number[place] += 1

    def _seats(self, numbers: Numbers, given: Rows) -> Rows:
        """Return who gets it: the first strategy, or seats in turn."""
        if self._sits is not None:
            return first_seat(self._cell, numbers)
        return (numbers.astype(np.int64) + given) % self._cell.players


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
    sits = sitting if len(lineup) > 1 else None
    moments = _Moments(cell, grant, count, sits)
    play(cell, numbers, [moments])
    given = []
    for branch in joined(moments.kept):
        rows = np.flatnonzero(grant.give(branch.state, branch.seat.astype(np.uint8)))
        if game.rewind_simultaneous is not None:
            game.rewind_simultaneous(branch.state)
        if len(rows):
            given.append(branch.take(rows))
    if not given:
        return pl.DataFrame()
    seat, time, numbers = (
        np.concatenate(parts)
        for parts in zip(*((b.seat, b.time, b.state.games) for b in given), strict=True)
    )
    alone = len(lineup) == 1 and lineup[0].cost == 1
    align = game.align if alone else None
    then, now = moments.fields, play_on(game, lineup, given, _TOGETHER, align)
    index, rows = numbers.astype(np.int64) - first, np.arange(len(seat))
    before, after = (shares_of(end, cell.players) for end in (then, now))
    points = None
    if grant.scored and game.score is not None:
        of_score = game.score.field
        points = as_int64(now[of_score])[seat, rows]
        points = points - as_int64(then[of_score])[seat, index]
    return pl.DataFrame(
        {
            "game": numbers,
            "seat": seat,
            "thing": np.full(len(seat), thing),
            "unit": np.full(len(seat), grant.unit),
            "time": time,
            "won": after[seat, rows] - before[seat, index],
            "points": points,
        },
        schema_overrides={"points": pl.Float64},
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
