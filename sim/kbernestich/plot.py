"""The plot phase of Kbernestich: cubes on the sheet, one at a time."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.kbernestich.layout import PASS
from sim.kbernestich.state import Phase, State
from sim.masks import Counts, Flags, Masks
from sim.table import Table

CLAIMS_END = 4  # the trick before which a claimed colour must be set


def plot(state: State, table: Table) -> None:
    """In a turn "each player may place up to two cubes", on squares free for them."""
    clock = state.clock
    if clock.cube == 0:
        state.plotting = np.arange(len(state.games))
        state.doubling[:] = 0
    rows = state.plotting
    seat = state.seat_after(state.leader, clock.turn).take(rows)
    at = seat * np.int64(len(state.games)) + rows
    able = _has_cubes(state, at).nonzero()[0]
    if len(able) < len(rows):
        rows, seat, at = rows.take(able), seat.take(able), at.take(able)
    legal, most = _options(state, at, rows)
    chosen = table.ask(state, "plot", seat, legal, most=most, rows=rows)
    square = chosen & ~PASS
    places = (square != masks.NOTHING).nonzero()[0]
    state.plotting = rows = rows.take(places)
    _place(state, seat.take(places), at.take(places), rows, square.take(places))
    clock.phase = Phase.REVIEW


def _has_cubes(state: State, at: NDArray[np.int64]) -> Flags:
    """(rows,) whether the seat has a cube in hand, or a claim whose cube can move."""
    has: Flags = state.cubes.reshape(-1).take(at) != 0
    if state.rules.future_known:
        has |= state.claims.reshape(-1).take(at) != masks.NOTHING
    return has


def _options(
    state: State, at: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[Masks, Counts]:
    """(rows,) legal squares (one of identical ones), and how many cubes may follow."""
    rules, layout = state.rules, state.layout
    cubes = state.cubes.reshape(-1).take(at)
    legal = state.free.take(rows)
    legal &= ~layout.barred.take(state.used.reshape(-1).take(at), mode="clip")
    if rules.two_on_one_square:  # where no identical square is free
        below = (legal & layout.alike) >> masks.ONE  # squares with a free one above
        for _ in layout.letters[1:]:
            below |= (below & layout.alike) >> masks.ONE
        legal |= state.doubling.take(rows) & ~below
    if rules.future_known:
        claims = state.claims.reshape(-1).take(at)
        legal &= ~masks.join([claimed.take(rows) for claimed in state.claims])
        legal &= masks.from_flags(cubes > 0)
        legal |= claims
        cubes += (claims != masks.NOTHING).view(np.uint8)
    legal &= ~(legal << masks.ONE & layout.alike)
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
    """Place a cube of the seat's supply, or of a claim, on a square."""
    layout, rules = state.layout, state.rules
    number = masks.index(square)
    state.sheet_changed()
    state.free[rows] &= layout.leaves_free.take(number)
    placed, used = state.placed.reshape(-1), state.used.reshape(-1)
    cubes = state.cubes.reshape(-1)
    own = placed.take(at)
    placed[at] = own | square
    used[at] |= layout.uses.take(number)
    cubes[at] -= np.uint8(1)
    if rules.future_known:
        claims = state.claims.reshape(-1)
        moved = (claims.take(at) & square) != masks.NOTHING
        cubes[at] += moved.view(np.uint8)
        claims[at] &= masks.from_flags(~moved)
    if rules.two_on_one_square or rules.marie_to_shared:
        letters = state.letters.reshape(-1)
        again = (own & square) != masks.NOTHING
        letters[at] += layout.points.take(number) * again
        state.doubling[rows] ^= square & layout.to_marie
    _act(state, seat, rows, square)


def _act(state: State, seat: Counts, rows: NDArray[np.int64], square: Masks) -> None:
    """Note who may execute which action; Pessimism and Optimism act at scoring."""
    layout = state.layout
    acting = masks.rows_with(square, layout.executed)
    if not len(acting):
        return
    seat, rows, square = seat.take(acting), rows.take(acting), square.take(acting)
    mine = masks.rows_where(square == layout.square("incubation"))
    state.incubator[rows.take(mine)] = seat.take(mine)
    mine = masks.rows_where(square == layout.square("observation"))
    state.observer[rows.take(mine)] = seat.take(mine)
    state.observations[rows.take(mine)] = 2
    state.reviewing[rows[square == layout.square("review")]] = True


def review(state: State, table: Table) -> None:
    """Review: "taken into their hand", then as many cards are put back face down."""
    clock = state.clock
    rows = state.reviewing.nonzero()[0]
    if len(rows) and state.rest[0]:
        seat = state.seat_after(state.leader, clock.turn).take(rows)
        hand, taken = state.hands_by_turn[clock.turn], state.rest.take(rows)
        both = hand.take(rows) | taken
        count = masks.count(taken)
        back = table.ask(state, "review", seat, both, most=count, rows=rows)
        hand[rows] = both ^ back
        state.rest[rows] = back
        if state.shows:
            state.voids[seat, rows] = masks.NOTHING  # the hand may hold any suit again
    state.reviewing[rows] = False
    clock.cube += 1
    clock.phase = Phase.PLOT
    if clock.cube == state.rules.cubes_per_turn or not len(state.plotting):
        clock.cube = 0
        clock.turn += 1
    if clock.turn == state.players:
        clock.turn = 0
        clock.phase = Phase.PLAY
        if clock.trick + 1 == min(state.rules.plot_before_tricks, CLAIMS_END):
            settle_claims(state)


def settle_claims(state: State) -> None:
    """Claimed and "not decided by the beginning of the fourth trick": worth 1."""
    if not state.rules.future_known:
        return
    state.sheet_changed()
    state.automatic |= masks.join(list(state.claims))
    state.free &= ~state.automatic
    one = masks.join([np.array(state.layout.square(f"from-{s}-1")) for s in "BRYG"])
    state.placed |= state.claims & one
    state.claims[:] = 0
