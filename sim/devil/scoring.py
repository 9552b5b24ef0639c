"""End of Round and Scoring, and the end of the game."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose
from sim.devil.layout import BROKEN, GUARD, POINTS, ROUNDS, SHARED, TOSSED
from sim.devil.state import COUNTED, State
from sim.masks import Counts, Flags, Masks
from sim.table import Table
from sim.view import Rows


def score_round(state: State, table: Table, rows: Rows) -> Flags:
    """The "players count the points of the cards remaining in their hand".

    Returns (rows,) where a total has reached the target.
    """
    layout = state.layout
    hands, winner = state.hands.take(rows, axis=1), state.seat.take(rows)
    last, ending = state.top.take(rows), state.ending.take(rows)
    cost = layout.cost(hands)
    how = masks.index(last)
    how += ending.astype(np.int64) << 6
    own, others = layout.own_factor.take(how), layout.others_factor.take(how)
    mine = np.arange(state.players, dtype=np.uint8)[:, None] == winner
    added = cost * np.where(mine, own, others)
    score = state.score.take(rows, axis=1) + added
    state.score[:, rows] = score
    if state.rules.tie == "most_rounds_won":
        state.rounds_won[winner, rows] += np.uint32(1)
    clock = state.clock.take(rows)
    state.turns[rows] += clock.turn.astype(np.uint32)
    if table.hears("round"):
        table.emit(
            state,
            "round",
            rows=rows,
            round=clock.round,
            winner=winner,
            by=ending,
            added=added,
            scores=score,
            dealer=state.dealer.take(rows),
            turns=clock.turn,
            card=last,
            hands=hands,
            points=layout.points_of(hands),
            cost=cost,
            **dict(zip(COUNTED.values(), state.tally.take(rows, axis=1), strict=True)),
        )
    state.dealer[rows] = winner
    reached: Flags = score.max(axis=0) >= state.rules.goal
    return reached


def rest(state: State, rows: Rows, code: np.uint8) -> None:
    """Mark these games as over, by the rules or by the guard."""
    state.ending[rows] = code
    if code == BROKEN:
        state.turns[rows] += state.clock.take(rows).turn.astype(np.uint32)


def settle(state: State, table: Table, rows: Rows) -> Rows:
    """Games that rest: "The player with the least amount of points wins the game".

    Returns the rows in which other games begin.
    """
    score, finals = state.score.take(rows, axis=1), state.finals
    winners, by = _winners(state, table, rows, score)
    place = state.start_rows.take(rows)
    finals.scores[:, place] = score
    finals.winners[place] = winners
    finals.by[place] = by
    finals.rounds[place] = state.clock.take(rows).round
    finals.turns[place] = state.turns.take(rows)
    begun = state.begin(rows)
    if len(begun):
        table.emit(state, "dealer", rows=begun, seat=state.dealer.take(begun))
    return begun


def _winners(
    state: State, table: Table, rows: Rows, score: NDArray[np.int64]
) -> tuple[Masks, Counts]:
    """(rows,) the set of winning seats, and how that was decided."""
    broken = state.ending.take(rows) == BROKEN
    least = score == score.min(axis=0)
    by = np.where(least.sum(axis=0) > 1, np.uint8(SHARED), np.uint8(POINTS))
    tied = by == SHARED
    if state.rules.tie == "most_rounds_won":
        rounds = np.where(least, state.rounds_won.take(rows, axis=1), 0)
        least &= ~tied | (rounds == rounds.max(axis=0))
        by[tied & (least.sum(axis=0) == 1)] = ROUNDS
    seats = np.arange(state.players, dtype=np.uint64)[:, None]
    winners: Masks = np.bitwise_or.reduce(least.astype(np.uint64) << seats, axis=0)
    if state.rules.tie == "random":
        _toss(state, table, rows, np.flatnonzero(tied & ~broken), winners)
        by[tied] = TOSSED
    winners[broken], by[broken] = masks.NOTHING, GUARD
    return winners, by


def _toss(state: State, table: Table, rows: Rows, tied: Rows, winners: Masks) -> None:
    """Reading D5: draw one of several winners, in these places of ``rows``."""
    if not len(tied):
        return
    rows, among = rows.take(tied), winners.take(tied)
    winners[tied] = masks.pick(
        among, state.chance.short_bits(Purpose.TIE, 0, rows=rows)
    )
    if table.hears("tie"):
        table.emit(state, "tie", rows=rows, seats=among, chosen=winners.take(tied))


def tell_results(state: State, table: Table) -> None:
    """Announce the results of all games, in the order in which they started."""
    finals = state.finals
    state.games = finals.games
    winner = masks.index(finals.winners).astype(np.int16)
    winner[masks.count(finals.winners) != 1] = -1
    table.emit(
        state,
        "result",
        winner=winner,
        by=finals.by,
        winners=finals.winners,
        scores=finals.scores,
        rounds=finals.rounds,
        turns=finals.turns,
    )
