"""The flow of Kunitame, in the order of the rule text.

Each function is one paragraph of the rule text and one step of the clock. A
step begins with its question, if it has one, so play can go on from any state.
"""

import numpy as np

from sim import masks, tricks
from sim.chance import Purpose
from sim.kunitame.gems import due, give_back, take
from sim.kunitame.layout import PASS
from sim.kunitame.liquidation import bonus, return_at_liquidation, settle_contracts
from sim.kunitame.state import Phase, State
from sim.masks import Flags, Mask, Masks
from sim.steps import make_play
from sim.table import Table


def deal(state: State, table: Table) -> None:
    """1. Deal Cards; before it 6. Prepare for the next Election Week."""
    layout, clock, rules = state.layout, state.clock, state.rules
    if clock.week == 0:
        table.emit(state, "dealer", seat=state.first_dealer)
    elif rules.refill_weekly:
        state.gems_1 |= layout.starting[0] & ~state.gems
        state.gems_3 |= layout.starting[1] & ~state.gems
    state.deal(layout.strength, rules.hand, clock.week)
    state.stakes[:] = 0
    state.streak[:] = layout.all_squares
    state.played[:] = 0
    state.lead_from(state.dealer)
    if table.hears("deal"):
        table.emit(
            state, "deal", week=clock.week + 1, dealer=state.dealer, hands=state.hands
        )
    clock.phase, clock.turn = Phase.CONTRACT, 0


def contract(state: State, table: Table) -> None:
    """2. Contract Actions: secret, so seats are asked in turn and revealed later.

    "During weeks 1~3, you can not make a contract with your last Life Gem."
    """
    clock, seat = state.clock, state.clock.turn
    most = state.life[seat] - np.uint8(0 if state.last_week else 1)
    np.minimum(most, np.uint8(state.layout.most_gems), out=most)
    state.stakes[seat] = table.ask(
        state,
        "contract",
        seat,
        state.layout.fields[most],
        most=most,
        shown=np.ones(most.shape, dtype=np.bool_),
        simultaneous=np.full(most.shape, seat > 0),
    )
    clock.turn += 1
    if clock.turn == state.players:
        clock.phase = Phase.DEVILS


def draw_devils(state: State, table: Table) -> None:
    """3. Gain Devil Cards: from the dealer clockwise, one card a visit."""
    layout, clock, devils = state.layout, state.clock, state.rules.devil_ranks
    state.staked = masks.count(state.stakes)
    deck = state.chance.shuffle(layout.devil_deck, Purpose.DRAW, clock.week)
    seats = [state.seat_after(state.dealer, place) for place in range(state.players)]
    places = [state.at(seat) for seat in seats]
    owed = [state.staked.reshape(-1).take(at) for at in places]
    size = len(state.games)
    top = np.arange(size)  # of each deck, in the flat array
    for visit in range(int(state.staked.max(initial=0)) if devils else 0):
        for place, seat in enumerate(seats):
            gets = (owed[place] > visit) & (top < deck.size)
            number = deck.take(top, mode="clip").astype(np.uint64)
            card = gets.astype(np.uint64) << number
            state.hands_by_turn[place] |= card
            top += gets.astype(np.int64) * size
            table.emit(
                state, "devil", where=gets, week=clock.week + 1, seat=seat, card=card
            )
    state.excess[:] = 0
    if int(state.staked.sum(axis=0).max(initial=0)) > devils:
        for at, count, hand in zip(places, owed, state.hands_by_turn, strict=True):
            state.excess.reshape(-1)[at] = count - masks.count(hand & layout.devils)
    clock.phase, clock.turn = (Phase.CANCEL if state.excess.any() else Phase.PLAY), 0
    clock.round = 0


def cancel(state: State, table: Table) -> None:
    """3. If the deck is empty, "cancel the excess contracts of your choice"."""
    clock = state.clock
    seat = state.seat_after(state.dealer, clock.turn)
    at = state.at(seat)
    stakes, excess = state.stakes.reshape(-1), state.excess.reshape(-1).take(at)
    mine = masks.where(excess > 0, stakes.take(at))
    stakes[at] ^= table.ask(state, "cancel", seat, mine, most=excess)
    clock.turn += 1
    if clock.turn == state.players:
        state.staked = masks.count(state.stakes)
        clock.phase, clock.turn = Phase.PLAY, 0


def play_card(state: State, table: Table) -> None:
    """4. Campaign, A and B: a card each, clockwise; must follow."""
    clock, layout = state.clock, state.layout
    seat = state.seat_after(state.leader, clock.turn)
    hand = state.hands_by_turn[clock.turn]
    legal = tricks.follow(hand, state.lead, layout.free) if clock.turn else hand
    card = table.ask(state, "play", seat, _one_priest(legal, layout.priests))
    hand ^= card
    if clock.turn:
        state.show_voids(seat, card, layout.free)
    state.cards.append(card)
    state.set_lead(card)
    clock.turn += 1
    if clock.turn == state.players:
        clock.phase = Phase.TRICK


def _one_priest(legal: Masks, priests: Mask) -> Masks:
    """(rows,) the options with the lowest Priest only, as all are identical."""
    held = legal & priests
    held &= held - masks.ONE
    held ^= legal
    return held


def trick(state: State, table: Table) -> None:
    """C. Black > lead suit > white, but the first white beats black."""
    layout, clock = state.layout, state.clock
    winning = tricks.strongest(state.cards, state.lead | layout.devils)
    table_cards = masks.join(state.cards)
    state.played |= table_cards
    white = (table_cards & layout.priests) != masks.NOTHING
    _white_beats_black(state, winning, white)
    place = tricks.position(state.cards, winning)
    met = layout.met_by_card.take(masks.index(winning))
    met &= layout.met_in_round[clock.round]
    state.lead_next(place)
    at = state.leader_at
    won, streak = state.tricks.reshape(-1), state.streak.reshape(-1)
    won[at] = won.take(at) + np.uint8(1)
    streak[at] = streak.take(at) & met
    state.met = met
    if table.hears("trick"):
        table.emit(
            state,
            "trick",
            week=clock.week + 1,
            round=clock.round + 1,
            winner=state.leader,
            card=winning,
            led=state.cards[0],
            met=met,
            gems=state.gems,
        )
    clock.phase, clock.turn = Phase.CLAIM, state.players


def _white_beats_black(state: State, winning: Masks, white: Flags) -> None:
    """White is the weakest suit, "but wins if any black card was played"."""
    layout = state.layout
    black = (winning & layout.devils) != masks.NOTHING
    rows = np.flatnonzero(white & (black | (winning == masks.NOTHING)))
    if len(rows):
        cards = [card.take(rows) for card in state.cards]
        winning[rows] = tricks.first(cards, layout.priests)


def claim(state: State, table: Table) -> None:
    """D. The winner takes a gem from a square whose condition the trick met."""
    open_squares = state.gems & state.layout.by_trick
    legal = state.met & open_squares
    state.due = due(state, legal, open_squares)
    if state.rules.trick_take == "may":
        legal |= masks.where(legal != 0, PASS)
    square = table.ask(state, "claim", state.leader, legal)
    if state.rules.trick_take == "may":
        square = square & ~PASS
    take(state, table, state.leader, state.leader_at, square)
    state.clock.phase, state.clock.turn = Phase.RETURN, state.players + 1


def return_gem(state: State, table: Table) -> None:
    """D. "If there are no gems to be won, return your highest value gem"."""
    clock = state.clock
    give_back(state, table, state.leader, state.leader_at)
    clock.phase, clock.turn = Phase.PLAY, 0
    state.clear_trick()
    clock.round += 1
    if clock.round == state.rules.rounds:
        clock.phase = Phase.CONTRACTS


def end_week(state: State, table: Table) -> None:
    """6. The deal passes clockwise; after the last week the winner is found."""
    clock = state.clock
    table.emit(
        state, "week", week=clock.week + 1, points=state.points, lives=state.life
    )
    clock.phase, clock.turn, clock.round = Phase.DEAL, 0, 0
    if state.last_week:
        clock.phase = Phase.END
    elif clock.week == state.stops:
        clock.phase = Phase.OVER
    else:
        clock.week += 1


def find_winner(state: State, table: Table) -> None:
    """7. Most points, then most Life gems, then the highest card drawn."""
    points, lives = state.points, state.life
    key = points.astype(np.int64) * 256 + lives
    none_left = ~lives.any(axis=0)
    key[lives == 0] = -1
    if state.rules.all_eliminated == "points":
        key[:, none_left] = points[:, none_left].astype(np.int64) * 256
    best = key.max(axis=0)
    tied = (key == best) & (best >= 0)
    same_points = (key >> 8 == best >> 8).sum(axis=0)
    winner = np.where(best < 0, -1, tied.argmax(axis=0)).astype(np.int8)
    draw = tied.sum(axis=0) > 1
    by = np.where(best < 0, 3, np.where(draw, 2, same_points > 1)).astype(np.uint8)
    rows = np.flatnonzero(draw)
    if len(rows):
        order = state.chance.take(rows).shuffle(
            range(1, state.rules.ranks + 1), Purpose.TIE, 0
        )
        cards = np.zeros_like(points)
        cards[:, rows] = order[: state.players] * tied[:, rows]
        winner[rows] = cards[:, rows].argmax(axis=0)
        table.emit(state, "tie", where=draw, cards=cards)
    table.emit(state, "result", winner=winner, by=by, points=points, lives=lives)
    state.clock.phase = Phase.OVER


STEPS = {
    Phase.DEAL: deal,
    Phase.CONTRACT: contract,
    Phase.DEVILS: draw_devils,
    Phase.CANCEL: cancel,
    Phase.PLAY: play_card,
    Phase.TRICK: trick,
    Phase.CLAIM: claim,
    Phase.RETURN: return_gem,
    Phase.CONTRACTS: settle_contracts,
    Phase.BONUS: bonus,
    Phase.BONUS_RETURN: return_at_liquidation,
    Phase.WEEK: end_week,
    Phase.END: find_winner,
}
play = make_play(STEPS, Phase.OVER)
