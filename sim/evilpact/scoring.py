"""6. Decision of Winner: contracts, then elements, then cards in hand."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.evilpact.layout import NO_SPELL, WON_BY
from sim.evilpact.state import Phase, State
from sim.masks import Counts, Flags
from sim.packed_bytes import greater
from sim.table import Table

Numbers = NDArray[np.int8]
NOBODY = np.int8(-1)
BY_CONTRACT, BY_ELEMENTS, BY_HAND, DRAW = map(np.uint8, range(len(WON_BY)))


def fulfilled(state: State) -> Flags:
    """(places, games) 1. "If the number is less than that of the opponent", it is not.

    A contract that was never made counts as the rules say (reading E2).
    """
    layout, rules = state.layout, state.rules
    kept = np.empty(state.secret.shape, dtype=np.bool_)
    for place in range(state.players):
        behind = greater(state.power[1 - place], state.power[place])
        bits = layout.top_bit_of.take(contracts(state, place))
        kept[place] = (behind & bits) == masks.NOTHING
        if rules.no_contract == "fail":
            kept[place] &= bits != masks.NOTHING
        if not rules.used_contract_checked:
            kept[place] |= state.revealed[place] != masks.NOTHING
    return kept


def contracts(state: State, place: int) -> Counts:
    """(games,) the spell under contract, revealed or not; NO_SPELL without one."""
    card = state.secret[place] | state.revealed[place]
    number = masks.index(card).astype(np.uint8)
    number[card == masks.NOTHING] = NO_SPELL
    return number


def find_winner(state: State, table: Table) -> None:
    """Find the winner by the first of three conditions in which players differ."""
    kept = fulfilled(state).view(np.int8)
    led = np.stack([state.led(place) for place in range(state.players)]).view(np.int8)
    hands = masks.count(state.spells).view(np.int8)
    winner, by = _decided(kept, led, hands)
    if table.hears("final"):
        without, _ = _decided(np.zeros_like(kept), led, hands)
        _tell_final(state, table, _seat(state, without))
    table.emit(
        state,
        "result",
        winner=_seat(state, winner),
        by=by,
        fulfilled=state.by_seat(kept.view(np.bool_)),
        elements=state.by_seat(led),
        hands=state.by_seat(hands),
    )
    state.clock.phase = Phase.OVER


def _tell_final(state: State, table: Table, without: Numbers) -> None:
    """Announce whether contracts were fulfilled, and the power of the elements."""
    spells = np.stack([contracts(state, place) for place in range(state.players)])
    table.emit(
        state,
        "final",
        starter=state.seats[0],
        without=without,
        contract=state.by_seat(spells),
        used=state.by_seat((state.revealed != masks.NOTHING).view(np.uint8)),
        margin=state.by_seat(_margins(state, spells)),
        icons=state.by_seat(state.power),
        cards=state.by_seat(masks.count(state.libraries)),
    )


def _decided(kept: Numbers, led: Numbers, hands: Numbers) -> tuple[Numbers, Counts]:
    """(games,) the winning place, and how that was decided."""
    winner = np.full(kept.shape[1], NOBODY)
    by = np.full(kept.shape[1], DRAW)
    reasons = ((hands, BY_HAND), (led, BY_ELEMENTS), (kept, BY_CONTRACT))
    for (one, other), reason in reasons:  # the first that differs decides
        winner[one > other], winner[other > one] = 0, 1
        by[one != other] = reason
    return winner, by


def _seat(state: State, winner: Numbers) -> Numbers:
    """(games,) the seat of the winning place; -1 for nobody."""
    seat = np.where(winner == 1, state.seats[1], state.seats[0]).astype(np.int8)
    seat[winner == NOBODY] = NOBODY
    return seat


def _margins(state: State, spells: Counts) -> Numbers:
    """(places, games) power in the contract's element less the opponent's, else 0."""
    rows, found = np.arange(len(state.games)), np.zeros(spells.shape, dtype=np.int8)
    for place, spell in enumerate(spells):
        own = state.power_of(place, rows, spell).view(np.int8)
        other = state.power_of(1 - place, rows, spell).view(np.int8)
        found[place] = (own - other) * (spell != NO_SPELL)
    return found
