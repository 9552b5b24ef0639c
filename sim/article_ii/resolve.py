"""Resolving a card of Article II that leaves a hand."""

import numpy as np
from numpy.typing import NDArray

from sim import masks
from sim.article_ii import deck
from sim.article_ii.layout import CANDIDATE, NONE, ONCE, Traits
from sim.article_ii.lead_changes import track
from sim.article_ii.state import State, Step
from sim.masks import Counts, Masks
from sim.table import Table
from sim.view import Rows

_NO_STYLE = np.array(ONCE, dtype=np.int16)


def target(state: State, table: Table) -> None:
    """A card "may be played on any player, including the one playing the card"."""
    layout = state.layout
    named = layout.lies
    if state.rules.unaffiliated_draws == "target":
        named |= layout.draws
    rows = state.resolving(named)
    card, seat = state.card.take(rows), state.seat.take(rows)
    legal = np.full(len(rows), layout.seats)
    if layout.effects["scrupulous"]:
        alone = state.having("scrupulous", seat, rows)
        alone = alone.take(masks.rows_with(card.take(alone), layout.lowers))
        legal[alone] = masks.ONE << seat.take(alone).astype(np.uint64)
    chosen = table.ask(state, "target", seat, legal, rows=state.question_rows(rows))
    on = masks.index(chosen).astype(np.uint8)
    if layout.draws and _draw_cards(state, table, rows, on):
        lies = masks.rows_with(card, layout.lies)
        if len(lies) < len(rows):
            rows, card, seat = rows.take(lies), card.take(lies), seat.take(lies)
            on = on.take(lies)
    reacting = _may_react(state, rows, seat, on)
    place(state, table, rows, seat, on, card)
    if len(reacting):
        reacting_rows = rows.take(reacting)
        seat = seat.take(reacting)
        on = on.take(reacting)
        still = _may_react(state, reacting_rows, seat, on)
        pending = masks.ONE << on.take(still).astype(np.uint64)
        state.pending[reacting_rows.take(still)] = pending
    if len(rows) == len(state.games):
        state.card = np.zeros_like(state.card)
    else:
        state.card[rows] = masks.NOTHING
    state.clock.step = Step.REACT


def _draw_cards(state: State, table: Table, rows: Rows, on: Counts) -> bool:
    """Unaffiliated Activity: "Draw two cards"; then it is discarded.

    Returns whether anybody draws.
    """
    drawing = state.resolving(state.layout.draws)
    if not len(drawing):
        return False
    seat = state.seat.take(drawing)
    if state.rules.unaffiliated_draws == "target":
        seat = on.take(np.searchsorted(rows, drawing))
    card = state.card.take(drawing)
    many = state.layout.drawn.take(masks.index(card))
    for number in range(int(many.max())):
        more = np.flatnonzero(many > number)
        deck.draw(state, table, seat.take(more), drawing.take(more))
    state.discard[drawing] |= card
    state.card[drawing] = masks.NOTHING
    return True


def _may_react(state: State, rows: Rows, seat: Counts, on: Counts) -> Rows:
    """The rows in which a Great Debater may react: "someone plays a card on you"."""
    if not state.layout.effects["reacts"]:
        return np.zeros(0, dtype=np.int64)
    debates = state.having("reacts", on, rows)
    return debates.compress(on.take(debates) != seat.take(debates))


def place(
    state: State, table: Table, rows: Rows, by: Counts, on: Counts, card: Masks
) -> None:
    """A card comes to lie on a player; a Style "replaces any existing style"."""
    layout = state.layout
    at = state.place_of(on, rows)
    before = track(state, table, rows)
    lying, number = state.lying.reshape(-1), masks.index(card)
    if layout.styles:
        styled = masks.rows_with(card, layout.styles)
        if len(styled):
            _replace(state, table, rows.take(styled), on.take(styled))
            _wears(state, at.take(styled), layout.traits.take(number.take(styled)))
    electability = state.electability.reshape(-1)
    affiliation = state.affiliation.reshape(-1)
    state.changes += 1
    lying[at] |= card
    electability[at] += layout.electability.take(number)
    affiliation[at] += layout.affiliation.take(number)
    _tell(state, table, "placed", rows, on, card)
    before.after("placed", by, on, card)


def _replace(state: State, table: Table, rows: Rows, on: Counts) -> None:
    """Remove the Styles of these players, if they have any."""
    styles = state.layout.styles
    old = state.lying.reshape(-1).take(state.place_of(on, rows)) & styles
    having = masks.rows_with(old, styles)
    if len(having):
        take_off(state, table, rows.take(having), on.take(having), old.take(having))


def _wears(state: State, at: NDArray[np.int64], style: Traits) -> None:
    """Set the traits of these players to those of a Style, or of none."""
    traits = state.traits.reshape(-1)
    traits[at] = traits.take(at) & CANDIDATE | style


def take_off(state: State, table: Table, rows: Rows, on: Counts, card: Masks) -> None:
    """Discard a card that lies on a player."""
    layout, at, number = state.layout, state.place_of(on, rows), masks.index(card)
    electability = state.electability.reshape(-1)
    affiliation = state.affiliation.reshape(-1)
    state.changes += 1
    state.lying.reshape(-1)[at] ^= card
    styled = masks.rows_with(card, layout.styles)
    if len(styled):
        _wears(state, at.take(styled), _NO_STYLE)
    electability[at] -= layout.electability.take(number)
    affiliation[at] -= layout.affiliation.take(number)
    state.discard[rows] |= card
    _tell(state, table, "removed", rows, on, card)


def _tell(
    state: State, table: Table, name: str, rows: Rows, on: Counts, card: Masks
) -> None:
    if not len(rows) or not table.hears(name):
        return
    at = state.place_of(on, rows)
    table.emit(
        state,
        name,
        rows=rows,
        **state.clock.labels(),
        seat=on,
        card=card,
        electability=state.electability.reshape(-1).take(at),
        affiliation=state.affiliation.reshape(-1).take(at),
    )


def react(state: State, table: Table) -> None:
    """Great Debater: "you may immediately play a card on them, then draw a card"."""
    rows = masks.rows_with(state.pending, state.layout.seats)
    if len(rows):
        _ask_reaction(state, table, rows)
    state.clock.step = Step.REMOVE_FROM


def _ask_reaction(state: State, table: Table, rows: Rows) -> None:
    layout = state.layout
    debater = masks.index(state.pending.take(rows)).astype(np.uint8)
    at, hands = state.place_of(debater, rows), state.hands.reshape(-1)
    hand = hands.take(at) & layout.lies
    if layout.effects["scrupulous"]:
        alone = state.having("scrupulous", debater, rows)
        hand[alone] &= ~layout.lowers
    legal = layout.each_once(hand)
    legal |= masks.where(legal != masks.NOTHING, NONE)
    chosen = table.ask(state, "react", debater, legal, rows=rows)
    state.pending[rows] = masks.NOTHING
    acting = masks.rows_with(chosen, ~NONE)
    rows, card, debater = rows.take(acting), chosen.take(acting), debater.take(acting)
    hands[at.take(acting)] ^= card
    state.played[rows] += np.uint16(1)
    place(state, table, rows, debater, state.seat.take(rows), card)
    deck.draw(state, table, debater, rows)


def remove_from(state: State, table: Table) -> None:
    """Voter ADHD: "Remove one card from play": first, whose card."""
    clock = state.clock
    rows = state.resolving(state.layout.removes)
    if not len(rows):
        clock.step = _after(state)
        return
    legal = np.zeros(len(rows), dtype=np.uint64)
    for number, lying in enumerate(state.lying):
        legal |= masks.where(lying.take(rows) != masks.NOTHING, masks.bit(number))
    seat = state.seat.take(rows)
    chosen = table.ask(state, "remove-from", seat, legal, rows=rows)
    nothing = rows[legal == masks.NOTHING]
    state.discard[nothing] |= state.card.take(nothing)
    state.card[nothing] = masks.NOTHING
    state.victim[rows] = np.maximum(masks.index(chosen), 0).astype(np.uint8)
    clock.step = Step.REMOVE


def remove(state: State, table: Table) -> None:
    """Voter ADHD: then, which of that player's cards."""
    rows = state.resolving(state.layout.removes)
    on, seat = state.victim.take(rows), state.seat.take(rows)
    lying = state.lying.reshape(-1).take(state.place_of(on, rows))
    legal = state.layout.each_once(lying)
    chosen = table.ask(state, "remove", seat, legal, rows=rows)
    was = track(state, table, rows)
    take_off(state, table, rows, on, chosen)
    was.after("removed", seat, on, chosen)
    state.discard[rows] |= state.card.take(rows)
    state.card[rows] = masks.NOTHING
    state.clock.step = _after(state)


def _after(state: State) -> Step:
    """Go on after a card is resolved."""
    return Step.END_TURN if state.clock.second else Step.SECOND


def shed(state: State, table: Table) -> None:
    """Teflon: "Before playing a card, you may remove a card that's [...] on you"."""
    if state.layout.effects["sheds"]:
        _ask_to_shed(state, table, state.going)
    state.clock.step = Step.PLAY


def _ask_to_shed(state: State, table: Table, rows: Rows) -> None:
    layout, seat = state.layout, state.seat.take(rows)
    able = state.having("sheds", seat, rows)
    if not len(able):
        return
    rows, seat = rows.take(able), seat.take(able)
    lying = state.lying.reshape(-1).take(state.place_of(seat, rows))
    if not state.rules.teflon_style:
        lying &= ~layout.styles
    worn = masks.rows_with(lying, layout.lies)
    if not len(worn):
        return
    rows, seat, lying = rows.take(worn), seat.take(worn), lying.take(worn)
    chosen = table.ask(state, "teflon", seat, layout.each_once(lying) | NONE, rows=rows)
    acting = masks.rows_with(chosen, ~NONE)
    rows, seat, card = rows.take(acting), seat.take(acting), chosen.take(acting)
    before = track(state, table, rows)
    take_off(state, table, rows, seat, card)
    before.after("removed", seat, seat, card)
