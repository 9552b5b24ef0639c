"""The end of a round of Kbernestich: victory points, cubes, and who starts or wins."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.chance import Purpose
from sim.kbernestich.state import Phase, State
from sim.kbernestich.values import points
from sim.masks import Counts, Flags, Masks
from sim.table import Table

Points = NDArray[np.uint16]  # (seats, games)


def score(state: State, table: Table) -> None:
    """Calculation of Victory Points, and Upkeep at the End of a Round."""
    clock, ranks, before = state.clock, state.ranks, state.score
    parts = {
        "to": _to_marie(state),
        "hunch": _hunch(state),
        "misery": _misery(state),
        "base": _base(state),
    }
    parts["from"] = _from_marie(state, parts["base"])
    areas = [parts["to"], parts["hunch"] + parts["misery"], parts["from"]]
    _arrive(state, ranks, areas)
    state.score = before + areas[0] + areas[1] + areas[2]
    if table.hears("score"):
        _tell(state, table, ranks, parts | {"score": state.score})
    if table.hears("sheet"):
        _tell_sheet(state, table, before)
    if clock.round == state.rules.rounds - 1:
        clock.phase = Phase.END
        return
    if clock.round == state.stops:
        clock.phase = Phase.OVER
        return
    received = state.layout.refill.take(state.score, mode="clip")
    state.cubes = np.minimum(state.cubes + received, np.uint8(state.rules.cubes))
    table.emit(state, "cubes", round=clock.round + 1, cubes=state.cubes)
    state.start = _lowest(state)
    clock.round += 1
    clock.phase = Phase.DEAL


def _to_marie(state: State) -> Points:
    """(seats, games) points "for the square the cube is placed", for each cube."""
    points, layout = state.letters.astype(np.uint16), state.layout
    for value in dict.fromkeys(layout.letters):
        cubes = masks.count(state.placed & layout.square(f"to-{value}"))
        points += cubes * np.uint16(value)
    return points


def _hunch(state: State) -> Points:
    """(seats, games) points "if the number of tricks acquired is correct".

    Pessimism and Optimism allow for one trick fewer or more.
    """
    met = state.targets
    right = met >> state.tricks & np.uint32(1)
    return right.astype(np.uint16) * np.uint16(state.rules.hunch_points)


def _misery(state: State) -> Points:
    """(seats, games) half the bust value for a bid of 0 that comes true."""
    bonus = state.bust // np.uint8(state.rules.misery_bonus_divisor)
    none = (state.placed & state.layout.square("hunch-0")) != masks.NOTHING
    none &= state.tricks == 0
    return none * bonus.astype(np.uint16)


def _base(state: State) -> Points:
    """(seats, games) points per card of each colour, times the cards acquired."""
    return points(state.won, state.by_digit).astype(np.uint16)


def _from_marie(state: State, base: Points) -> Points:
    """(seats, games) the base up to the bust value; with Grace, what exceeds it."""
    bust = state.bust.astype(np.uint16)
    over = base > bust
    graced = (state.placed & state.layout.grace) != masks.NOTHING
    return np.where(graced, (base - bust) * over, base * ~over)


def _arrive(state: State, ranks: Counts, areas: list[Points]) -> None:
    """Move the score discs, players in order of score; each arrives on top (B11)."""
    by_area = state.rules.score_order == "area"
    first = (state.clock.round + 1) * 16
    for number, gained in enumerate(areas):
        later = first + (number * state.players if by_area else 0)
        state.arrived = np.where(gained > 0, later + ranks, state.arrived).astype(
            np.uint16
        )


def _tell(state: State, table: Table, ranks: Counts, parts: dict[str, Points]) -> None:
    """Announce each seat's points, from the highest score before the round down."""
    for place in range(state.players):
        seat = (ranks == place).argmax(axis=0).astype(np.uint8)
        at = state.at(seat)
        values: dict[str, Any] = {
            key: points.reshape(-1).take(at) for key, points in parts.items()
        }
        table.emit(state, "score", round=state.clock.round + 1, seat=seat, **values)


def _tell_sheet(state: State, table: Table, before: Points) -> None:
    table.emit(
        state,
        "sheet",
        round=state.clock.round + 1,
        tricks=state.tricks,
        placed=state.placed,
        won=state.won,
        kept=state.cubes,
        before=before,
        trump=state.trump,
        sheet=state.sheet,
    )


def _lowest(state: State) -> Counts:
    """(games,) who starts: "the player with the lowest winning score"; ties by B8."""
    rule, score = state.rules.low_tie, state.score
    if rule == "top":
        return (state.ranks == state.players - 1).argmax(axis=0).astype(np.uint8)
    lowest: Flags = score == score.min(axis=0)
    if rule == "bottom":
        rank = np.where(lowest, state.ranks, np.uint8(255))
        return rank.argmin(axis=0).astype(np.uint8)
    tied: Masks = np.zeros(len(state.games), dtype=np.uint64)
    for seat, low in enumerate(lowest):
        tied |= masks.where(low, masks.bit(seat))
    chance = state.chance.short_bits(Purpose.TIE, state.clock.round)
    return masks.index(masks.pick(tied, chance)).astype(np.uint8)


def find_winner(state: State, table: Table) -> None:
    """Find the winner: "the player with the highest score"; ties by stack (B9)."""
    ranks, score = state.ranks, state.score
    winner = (ranks == 0).argmax(axis=0).astype(np.int8)
    tie = (score == score.max(axis=0)).sum(axis=0) > 1
    if state.rules.final_tie == "shared":
        winner[tie] = -1
        tie = np.zeros_like(tie)
    table.emit(state, "result", winner=winner, by=tie.astype(np.uint8), scores=score)
    state.clock.phase = Phase.OVER
