"""The flow of Kbernestich, in the order of the rule text.

Each function is one paragraph of the rule text and one step of the clock. A
step begins with its question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks, tricks
from sim.kbernestich.layout import DOWN, NO_CLAIM, OBSERVE
from sim.kbernestich.plot import plot, review, settle_claims
from sim.kbernestich.scoring import find_winner, score
from sim.kbernestich.state import NOBODY, Phase, State
from sim.masks import Counts, Masks
from sim.steps import make_play
from sim.table import Table
from sim.view import Rows


def deal(state: State, table: Table) -> None:
    """Setup 5: "Shuffle all 48 cards. Distribute 11 cards to each player"."""
    layout, clock = state.layout, state.clock
    if clock.round == 0:
        table.emit(state, "start", seat=state.start)
    state.lead_from(state.start)
    state.deal(layout.deck, state.rules.tricks, clock.round)
    state.rest = layout.everything & ~masks.join(list(state.hands_by_turn))
    for of_the_round in (state.placed, state.used, state.letters, state.won):
        of_the_round[:] = 0
    state.claims[:] = 0
    state.supply[:] = state.cubes
    state.automatic[:] = 0
    state.sheet_changed()
    state.free[:] = layout.all_squares
    state.incubator[:] = NOBODY
    state.observer[:] = NOBODY
    if table.hears("deal"):
        table.emit(
            state,
            "deal",
            round=clock.round + 1,
            start=state.start,
            hands=state.hands,
            cubes=state.cubes,
        )
    clock.phase = Phase.TRUMP


def trump(state: State, table: Table) -> None:
    """The start player "decides the color of the trump suit for the round"."""
    clock, layout = state.clock, state.layout
    options = np.full(len(state.games), layout.trumps)
    chosen = table.ask(state, "trump", state.leader, options)
    state.trump = layout.trump_suit.take(masks.index(chosen))
    clock.phase = Phase.CLAIM if state.rules.future_known else Phase.PLOT
    if not state.rules.future_known:
        _before_trick(state)


def claim(state: State, table: Table) -> None:
    """The Future We Knew: counterclockwise, the start player last, a colour each."""
    clock, layout = state.clock, state.layout
    place = state.players - 1 - clock.turn
    seat = state.seat_after(state.leader, place)
    at, cubes = state.at(seat), state.cubes.reshape(-1)
    claimed = masks.join(list(state.claims))
    legal = np.full(len(claimed), masks.bit(NO_CLAIM))
    for number, area in enumerate(layout.from_marie):
        legal |= masks.where((claimed & area) == 0, masks.bit(number))
    able = cubes.take(at) > 0
    able &= legal != masks.bit(NO_CLAIM)
    chosen = table.ask(state, "claim", seat, masks.where(able, legal))
    cubes[at] -= (able & (chosen != masks.bit(NO_CLAIM))).view(np.uint8)
    for number, area in enumerate(layout.from_marie):
        state.claims.reshape(-1)[at] |= masks.where(chosen == masks.bit(number), area)
    clock.turn += 1
    if clock.turn == state.players:
        clock.turn = 0
        _before_trick(state)


def _before_trick(state: State) -> None:
    """The first tricks follow a plot phase; without any, claims are settled now."""
    clock, plots = state.clock, state.rules.plot_before_tricks
    if clock.trick < plots:
        clock.phase = Phase.PLOT
    else:
        if clock.trick == plots == 0:
            settle_claims(state)
        clock.phase = Phase.PLAY


def play_card(state: State, table: Table) -> None:
    """A card each, clockwise; "must play a card of the lead suit"."""
    clock = state.clock
    seat = state.seat_after(state.leader, clock.turn)
    hand = state.hands_by_turn[clock.turn]
    legal = (
        tricks.follow(hand, state.lead, masks.NOTHING) if clock.turn else hand.view()
    )
    actions = _actions(state, seat)
    chosen = table.ask(state, "play", seat, _with_actions(hand, legal, actions))
    card = _face_up(state, chosen, hand, masks.bit(clock.turn), actions)
    hand ^= card
    if clock.turn:
        state.show_voids(seat, card, masks.NOTHING)
    state.cards.append(card)
    state.set_lead(card)
    clock.turn += 1
    if clock.turn == state.players:
        clock.turn = 0
        clock.phase = Phase.LATE if state.behind.any() else Phase.TRICK


def play_late(state: State, table: Table) -> None:
    """Observation: "After all players have played their card, it is your turn".

    Asks, in one call, the first player in each game who is to play late.
    """
    clock = state.clock
    rows = np.flatnonzero(state.behind != masks.NOTHING)
    place = masks.lowest(state.behind.take(rows))
    turn = masks.index(place)
    at, hands_by_turn = turn * len(state.games) + rows, state.hands_by_turn.reshape(-1)
    seat = state.leader.take(rows) + turn.astype(np.uint8)
    seat -= (seat >= state.players).view(np.uint8) * np.uint8(state.players)
    hand = hands_by_turn.take(at)
    legal = tricks.follow(hand, state.lead.take(rows), masks.NOTHING)
    actions = _actions(state, seat, rows)
    options = _with_actions(hand, legal, actions)
    chosen = table.ask(state, "play", seat, options, rows=rows)
    state.behind[rows] ^= place
    card = _face_up(state, chosen, hand, place, actions, rows)
    hands_by_turn[at] = hand ^ card
    state.show_voids(seat, card, masks.NOTHING, rows)
    for number, cards in enumerate(state.cards):
        here = np.flatnonzero(turn == number)
        state.cards[number] = cards.copy()
        state.cards[number][rows.take(here)] |= card.take(here)
    laid = np.zeros_like(state.lead)
    laid[rows] = card
    state.set_lead(laid)
    clock.late += 1
    if not state.behind.any():
        clock.phase = Phase.TRICK


Actions = tuple[Rows, Rows]  # rows in which to incubate, in which to observe


def _actions(state: State, seat: Counts, rows: Rows | None = None) -> Actions:
    """The rows in which the seat may incubate, and in which it may observe."""
    incubator, observer = state.incubator, state.observer
    if rows is not None:
        incubator, observer = incubator.take(rows), observer.take(rows)
    incubators = (incubator == seat).nonzero()[0]
    observers = (observer == seat).nonzero()[0]
    if state.clock.phase is Phase.LATE and not state.rules.observe_twice_same_trick:
        observers = observers[:0]
    if not state.rules.incubation_lead:
        lead = state.lead if rows is None else state.lead.take(rows)
        incubators = incubators[lead.take(incubators) != masks.NOTHING]
    return incubators, observers


def _with_actions(hand: Masks, legal: Masks, actions: Actions) -> Masks:
    """(rows,) the options, with those of the actions added.

    Incubation: "any hand of cards face down". Observation: "skips his/her turn".
    """
    incubators, observers = actions
    if not (len(incubators) or len(observers)):
        return legal
    legal = legal.copy()
    size = masks.count(hand.take(incubators)).astype(np.uint64)
    down = (masks.ONE << size) - masks.ONE
    legal[incubators] |= down << np.uint64(DOWN)
    legal[observers] |= OBSERVE
    return legal


def _face_up(
    state: State,
    chosen: Masks,
    hand: Masks,
    place: Masks | np.uint64,
    actions: Actions,
    rows: Rows | None = None,
) -> Masks:
    """(rows,) the cards played face up; nothing where an action is executed.

    ``place`` is the place whose turn it is, as a bit. A card played face down leaves
    the hand at once.
    """
    incubators, observers = actions
    if not (len(observers) or len(incubators)):
        return chosen
    observing = observers.take(masks.rows_where(chosen.take(observers) == OBSERVE))
    incubating = incubators.take(masks.rows_with(chosen.take(incubators), _DOWN))
    if not (len(observing) or len(incubating)):
        return chosen
    slot = masks.index(chosen.take(incubating)) - DOWN
    down = masks.nth(hand.take(incubating), slot.astype(np.uint64))
    hand[incubating] ^= down
    card = chosen.copy()
    card[observing] = masks.NOTHING
    card[incubating] = masks.NOTHING
    places = place.take(observing) if isinstance(place, np.ndarray) else place
    if rows is not None:
        observing, incubating = rows.take(observing), rows.take(incubating)
    state.behind[observing] |= places
    state.observations[observing] -= np.uint8(1)
    state.observer[observing[state.observations.take(observing) == 0]] = NOBODY
    state.down[incubating] |= down
    state.incubator[incubating] = NOBODY
    return card


_DOWN = masks.span(DOWN, 12)


def trick(state: State, table: Table) -> None:
    """The order: "trump suit > lead suit > other suits"; the winner takes all."""
    clock = state.clock
    winning = winning_card(state.cards, state.trump, state.lead)
    place = tricks.position(state.cards, winning)
    taken = masks.join(state.cards)
    taken |= state.down
    state.lead_next(place)
    at = state.leader_at
    tricks_won, won = state.tricks.reshape(-1), state.won.reshape(-1)
    tricks_won[at] = tricks_won.take(at) + np.uint8(1)
    won[at] = won.take(at) | taken
    state.piles_changed()
    if table.hears("trick"):
        table.emit(
            state,
            "trick",
            round=clock.round + 1,
            trick=clock.trick + 1,
            winner=state.leader,
            card=winning,
            down=state.down,
        )
    state.clear_trick()
    state.down[:] = 0
    clock.late = 0
    clock.trick += 1
    if clock.trick == state.rules.tricks:
        clock.phase, clock.trick = Phase.SCORE, 0
    else:
        _before_trick(state)


def winning_card(cards: list[Masks], trump: Masks, lead: Masks) -> Masks:
    """(games,) the highest trump, else the highest card of the suit led."""
    return tricks.strongest(cards, winning_suit(cards, trump, lead))


def winning_suit(cards: list[Masks], trump: Masks, lead: Masks) -> Masks:
    """(games,) the suit that wins: trump if any was played, else the suit led."""
    suit = masks.join(cards)
    suit &= trump
    return masks.blend(suit != masks.NOTHING, trump, lead)


STEPS = {
    Phase.DEAL: deal,
    Phase.TRUMP: trump,
    Phase.CLAIM: claim,
    Phase.PLOT: plot,
    Phase.REVIEW: review,
    Phase.PLAY: play_card,
    Phase.LATE: play_late,
    Phase.TRICK: trick,
    Phase.SCORE: score,
    Phase.END: find_winner,
}
play = make_play(STEPS, Phase.OVER)
