"""The plot phase of Kbernestich: cubes on the sheet, one at a time."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.box import PASS
from sim.kbernestich.state import Phase, State
from sim.masks import Counts, Masks
from sim.table import Table


def plot(state: State, table: Table) -> None:
    """In a turn "each player may place up to two cubes", on squares free for him."""
    clock = state.clock
    if clock.cube == 0:
        state.stopped[:] = False
        state.doubling[:] = 0
    seat = state.seat_after(state.leader, clock.turn)
    at = state.at(seat)
    legal, most = _options(state, at)
    chosen = table.ask(state, "plot", seat, legal, most=most)
    square = chosen & ~PASS
    rows = np.flatnonzero(square != masks.NOTHING)
    state.stopped[:] = True
    state.stopped[rows] = False
    _place(state, seat, at, rows, square.take(rows))
    clock.phase = Phase.REVIEW


def _options(state: State, at: NDArray[np.int64]) -> tuple[Masks, Counts]:
    """Squares (one of those that are alike) and ``pass``; most cubes still to come."""
    rules, box = state.rules, state.box
    cubes = state.cubes.reshape(-1).take(at)
    able = cubes > 0
    legal = state.free & ~state.barred.reshape(-1).take(at)
    if rules.two_on_one_square:  # where no square that is alike is free
        legal |= state.doubling & ~((legal & box.alike) >> masks.ONE)
    if rules.future_known:
        claims = state.claims.reshape(-1).take(at)
        legal &= ~masks.join(list(state.claims))
        legal &= masks.flags(able)
        legal |= claims
        cubes += (claims != masks.NOTHING).view(np.uint8)
        able = cubes > 0
    able &= ~state.stopped
    legal &= masks.flags(able)
    legal &= ~(legal << masks.ONE & box.alike)
    if rules.plot_pass:
        legal |= masks.where(legal != masks.NOTHING, PASS)
    left = np.uint8(rules.cubes_per_turn - state.clock.cube)
    return legal, np.minimum(cubes, left, out=cubes)


def _place(
    state: State,
    seat: Counts,
    at: NDArray[np.int64],
    rows: NDArray[np.int64],
    square: Masks,
) -> None:
    """A cube goes from the supply (or from a claim) of the seat onto a square."""
    box, rules = state.box, state.rules
    at, number = at.take(rows), masks.index(square)
    state.free[rows] &= ~box.closes.take(number)
    placed, barred = state.placed.reshape(-1), state.barred.reshape(-1)
    cubes, letters = state.cubes.reshape(-1), state.letters.reshape(-1)
    placed[at] |= square
    barred[at] |= box.bars.take(number)
    letters[at] += box.points.take(number)
    cubes[at] -= np.uint8(1)
    if rules.future_known:
        claims = state.claims.reshape(-1)
        moved = (claims.take(at) & square) != masks.NOTHING
        cubes[at] += moved.view(np.uint8)
        claims[at] &= masks.flags(~moved)
    if rules.two_on_one_square:
        state.doubling[rows] ^= square & box.to_marie
    state.reviewing[:] = False
    acting = np.flatnonzero((square & box.actions) != masks.NOTHING)
    if len(acting):
        _act(state, seat, rows.take(acting), square.take(acting))


def _act(state: State, seat: Counts, rows: NDArray[np.int64], square: Masks) -> None:
    """Note who may execute which action; Pessimism and Optimism wait for the score."""
    box = state.box
    for holder, name in (
        (state.incubator, "incubation"),
        (state.observer, "observation"),
    ):
        mine = rows[square == box.square(name)]
        holder[mine] = seat.take(mine)
        if name == "observation":
            state.observations[mine] = 2
    state.reviewing[rows[square == box.square("review")]] = True


def review(state: State, table: Table) -> None:
    """Review: "taken into their hand", then as many cards are put back face down."""
    clock = state.clock
    if state.reviewing.any():
        seat = state.seat_after(state.leader, clock.turn)
        hand = state.fan[clock.turn]
        taken = state.taken
        rows = np.flatnonzero(taken)
        both = np.zeros_like(taken)
        both[rows] = hand.take(rows) | taken.take(rows)
        back = table.ask(state, "review", seat, both, most=masks.count(taken))
        hand[rows] = both.take(rows) ^ back.take(rows)
        state.rest[rows] = back.take(rows)
        state.reviewing[:] = False
    clock.cube += 1
    clock.phase = Phase.PLOT
    if clock.cube == state.rules.cubes_per_turn or state.stopped.all():
        clock.cube = 0
        clock.turn += 1
    if clock.turn == state.players:
        clock.turn = 0
        clock.phase = Phase.PLAY
        if clock.trick == state.rules.plot_before_tricks - 1:
            settle_claims(state)


def settle_claims(state: State) -> None:
    """Claimed and "not decided by the beginning of the fourth trick": worth 1."""
    if not state.rules.future_known:
        return
    state.automatic |= masks.join(list(state.claims))
    one = masks.join([np.array(state.box.square(f"from-{s}-1")) for s in "BRYG"])
    state.placed |= state.claims & one
    state.claims[:] = 0
