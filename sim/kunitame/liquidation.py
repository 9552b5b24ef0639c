"""Liquidation, the end of each week: contracts, then a gem won or given back."""

import numpy as np

from sim import masks
from sim.kunitame.gems import due, give_back, take
from sim.kunitame.layout import PASS
from sim.kunitame.state import Phase, State
from sim.masks import Masks
from sim.table import Table


def settle_contracts(state: State, table: Table) -> None:
    """Liquidation A: gems on kept contracts return to their owners, others are lost."""
    layout, clock, tricks_won = state.layout, state.clock, state.tricks
    kept = masks.count(state.stakes & layout.kept_by.take(tricks_won))
    lost = state.staked - kept
    state.life -= state.staked
    state.life += kept * layout.returns_by.take(tricks_won)
    if layout.points_by.any():
        state.purse += kept * layout.points_by.take(tricks_won)
    table.emit(
        state,
        "contracts",
        week=clock.week + 1,
        tricks=state.tricks,
        lost=lost,
        lives=state.life,
        stakes=state.stakes,
        points=state.points if table.hears("contracts") else None,
    )
    qualify(state)
    clock.phase, clock.turn, clock.round = Phase.BONUS, 0, 0


def qualify(state: State) -> None:
    """Liquidation B: the squares that all tricks of each seat met.

    A seat without a trick met none of them, unless K3 says otherwise; K2 may open the
    No Tricks squares to it. Eliminated players take no part.
    """
    rules, layout = state.rules, state.layout
    none, alive = state.tricks == 0, state.life > 0
    vacuous = rules.zero_trick_liquidation == "vacuous_true"
    without = layout.for_no_trick | (layout.by_all if vacuous else masks.NOTHING)
    met = state.streak & layout.by_all
    if any(layout.by_rank):
        met |= _rank_squares(state)
    state.open_to = masks.blend(none, without, met) & masks.from_flags(alive)
    exempt = rules.zero_trick_liquidation == "exempt"
    state.may_return = alive & ~none if exempt else alive


def bonus(state: State, table: Table) -> None:
    """Liquidation B: "may take" a gem, from the dealer clockwise."""
    layout, rules = state.layout, state.rules
    seat = state.seat_after(state.dealer, state.clock.turn)
    at = state.at(seat)
    met = state.open_to.reshape(-1).take(at)
    open_squares = state.gems & (layout.at_liquidation | layout.for_no_trick)
    legal = met & open_squares
    state.due = due(state, legal, open_squares)
    state.due &= state.may_return.reshape(-1).take(at)
    if table.hears("liquidation"):
        table.emit(
            state,
            "liquidation",
            where=state.life.reshape(-1).take(at) > 0,
            week=state.clock.week + 1,
            seat=seat,
            met=met,
            open=open_squares,
        )
    if rules.liquidation_take == "may":
        legal |= masks.where(legal != 0, PASS)
    square = table.ask(state, "bonus", seat, legal) & ~PASS
    take(state, table, seat, at, square)
    state.clock.phase = Phase.BONUS_RETURN


def return_at_liquidation(state: State, table: Table) -> None:
    """Liquidation B: players who could win no gem return one."""
    clock = state.clock
    seat = state.seat_after(state.dealer, clock.turn)
    give_back(state, table, seat, state.at(seat))
    clock.phase = Phase.BONUS
    clock.turn += 1
    if clock.turn == state.players:
        clock.phase = Phase.WEEK


def _rank_squares(state: State) -> Masks:
    """(seats, games) the P7 squares that the numbers of tricks meet (K8)."""
    won = state.tricks
    numbers = np.where(won == 0, np.uint8(255), won)
    fewest, most = numbers.min(axis=0), won.max(axis=0)
    if state.rules.p7_rank == "players":
        order = np.sort(numbers, axis=0)  # seats without a trick last
        number = (won > 0).sum(axis=0)
        two = number > 1
        second_fewest = order[1]
        second_most = np.take_along_axis(
            order, np.maximum(number - 2, 0)[None], axis=0
        )[0]
    else:
        second_fewest = np.where(numbers > fewest, numbers, 255).min(axis=0)
        second_most = np.where(won < most, won, 0).max(axis=0)
        two = second_most > 0
    least_to_most = (fewest, second_fewest, second_most, most)
    met = np.zeros_like(state.streak)
    for square, wanted, second in zip(
        state.layout.by_rank, least_to_most, (False, True, True, False), strict=True
    ):
        meets = (won == wanted) & (won > 0)
        met |= masks.where(meets & two if second else meets, square)
    return met
