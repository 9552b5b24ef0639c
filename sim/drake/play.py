"""The flow of The Virtues of the Drake, in the order of the rule text.

Each function is a step that all games take at the same time. A step begins with its
question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks
from sim.drake.actions import usable, use
from sim.drake.discards import discard_rightmost
from sim.drake.layout import (
    FIRE,
    GOES_ON,
    GUARD,
    KNIGHT,
    MAIDEN,
    NO_VIRTUE,
    PASS,
    PRIDE,
    STALEMATE,
    SWALLOW,
    TREASURE,
)
from sim.drake.notes import tell_card, tell_results, tell_setup, tell_turn
from sim.drake.state import Phase, State
from sim.drake.victory import check_deck, check_pile, end, leave
from sim.masks import Flags, Masks
from sim.steps import make_play
from sim.table import Table

_LEAVE = 4  # games that are over are dropped once they are one in so many


def set_up(state: State, table: Table) -> None:
    """The Virtues are dealt, and a first card lies in each pile."""
    tell_setup(state, table)
    state.clock.phase = Phase.PLAY


def play_card(state: State, table: Table) -> None:
    """1. "Playing the top card of a deck of that player's choice"."""
    legal = playable(state)
    stuck = np.flatnonzero((legal == masks.NOTHING) & state.goes_on)
    end(state, stuck, STALEMATE, PRIDE)
    chosen = table.ask(state, "play", state.seat, legal).astype(np.uint8)
    ran_out = []
    for deck in (MAIDEN, KNIGHT, TREASURE):
        turned = (chosen >> np.uint8(deck) & np.uint8(1)).view(np.bool_)
        turned, out = _turn_up(state, deck, turned)
        ran_out.append(out)
        if deck != TREASURE:
            state.in_play[deck] |= turned.view(np.uint8)
        if table.hears("card"):
            tell_card(state, table, deck, np.flatnonzero(turned))
    _take_treasure(state, table, turned)
    check_pile(state, table, TREASURE, turned)
    for deck, out in enumerate(ran_out):
        check_deck(state, table, deck, out)
    state.clock.phase = Phase.ACT


def playable(state: State) -> Masks:
    """(games,) decks to choose: "Only one Maiden and one Knight may be in play"."""
    rules, layout = state.rules, state.layout
    legal = np.zeros(len(state.games), dtype=np.uint8)
    for deck, line in enumerate(layout.lines):
        able = state.goes_on
        if deck != TREASURE:
            able &= state.in_play[deck] == 0
        elif rules.treasure_needs_knight:
            able &= state.pile_end[KNIGHT] != layout.lines[KNIGHT].start
        if rules.exhaust_when == "empty":
            able &= state.top[deck] != line.stop
        legal |= able.view(np.uint8) << np.uint8(deck)
    return legal.astype(np.uint64)


def _turn_up(state: State, deck: int, chosen: Flags) -> tuple[Flags, Flags]:
    """Turn up the top card; (games,) flags of where there was one, and of empty decks.

    Reading V6: a deck runs out with its last card, or when chosen while empty.
    """
    stop = state.layout.lines[deck].stop
    if state.rules.exhaust_when == "empty":
        state.top[deck] += chosen.view(np.uint8)
        return chosen, chosen & (state.top[deck] == stop)
    empty = chosen & (state.top[deck] == stop)
    turned = chosen & ~empty
    state.top[deck] += turned.view(np.uint8)
    return turned, empty


def _take_treasure(state: State, table: Table, turned: Flags) -> None:
    """If its Value exceeds the Wealth of the rightmost Knight, discard that."""
    rows, layout = np.flatnonzero(turned), state.layout
    value = layout.number("value", state.before_top(TREASURE, rows))
    wealth = layout.number("wealth", state.rightmost(KNIGHT, rows))
    discard_rightmost(state, table, KNIGHT, rows.compress(value > wealth), "robbed")
    state.lay(TREASURE, turned)


def act(state: State, table: Table) -> None:
    """2. "Performing an action"."""
    legal = actions(state)
    chosen = table.ask(state, "act", state.seat, legal)
    swallowed, fired = chosen == SWALLOW, chosen == FIRE
    state.lay(MAIDEN, swallowed)
    state.in_play[MAIDEN] ^= swallowed.view(np.uint8)
    _breathe_fire(state, table, fired)
    for action in state.layout.actions:
        use(state, table, action, np.flatnonzero(chosen == action.option))
    check_pile(state, table, MAIDEN, swallowed)
    check_pile(state, table, KNIGHT, fired)
    _next_turn(state, table)


def actions(state: State) -> Masks:
    """(games,) the legal actions; nothing where passing is the only one."""
    rules, layout = state.rules, state.layout
    maiden, knight = state.in_play.view(np.bool_)
    swallow, fire = maiden & ~knight, knight
    if rules.fire_needs_maiden:
        fire = fire & (state.pile_end[MAIDEN] != layout.lines[MAIDEN].start)
    legal = (swallow.view(np.uint8) + 2 * fire.view(np.uint8)).astype(np.uint64)
    idle = legal == masks.NOTHING
    for action in layout.actions:
        legal |= masks.where(usable(state, action), action.option)
    passes = legal != masks.NOTHING
    if rules.must_act:
        passes &= idle
    legal |= masks.where(passes, PASS)
    return masks.where(state.goes_on, legal)


def _breathe_fire(state: State, table: Table, fired: Flags) -> None:
    """If her Chastity is "less than the Knight's Strength, discard the Maiden"."""
    rows, layout = np.flatnonzero(fired), state.layout
    strength = layout.number("strength", state.before_top(KNIGHT, rows))
    chastity = layout.number("chastity", state.rightmost(MAIDEN, rows))
    discard_rightmost(state, table, MAIDEN, rows.compress(chastity < strength), "burnt")
    state.lay(KNIGHT, fired)
    state.in_play[KNIGHT] ^= fired.view(np.uint8)


def _next_turn(state: State, table: Table) -> None:
    """The others "continue playing turns in order"; games that are over leave."""
    clock = state.clock
    tell_turn(state, table)
    if clock.turn >= state.rules.guard:
        end(state, np.flatnonzero(state.goes_on), GUARD, NO_VIRTUE)
    clock.turn += 1
    clock.phase = Phase.PLAY
    over = np.flatnonzero(state.ending != GOES_ON)
    if len(over) * _LEAVE >= len(state.games):
        table.emit_final_state(state, over)
        leave(state, over)
        state.drop(np.flatnonzero(state.goes_on))
    if not len(state.games):
        tell_results(state, table)
        clock.phase = Phase.OVER


STEPS = {
    Phase.SETUP: set_up,
    Phase.PLAY: play_card,
    Phase.ACT: act,
}
play = make_play(STEPS, Phase.OVER)
