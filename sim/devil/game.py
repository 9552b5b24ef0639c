"""The declaration of Devil: its decisions, events and functions."""

from sim.devil.grants import GRANTS
from sim.devil.narration import DevilNarrator
from sim.devil.play import play
from sim.devil.redeal import redeal
from sim.devil.rules import Devil
from sim.devil.stage import STAGE
from sim.devil.state import State
from sim.devil.view import DevilView
from sim.events import SEATS, Decision, Field, chance, kinds, outcome, result
from sim.games import Game
from sim.scores import Score

ROUND = Field("round, from 1")
TURN = Field("turn of the round, from 1; 0 before the first")
SEAT = Field("whose it is", "seat")
CARD = Field("the card", "bit", "card")

KINDS = kinds(
    Decision(
        "play",
        "a card to discard",
        "play",
        clock=("round", "turn"),
        families={"card": ""},
    ),
    Decision(
        "declare",
        "after a Special: to end the round, or to go on",
        "declare",
        clock=("round", "turn"),
        without="continue",
    ),
)

EVENTS = {
    "dealer": chance("the dealer of round 1", seat=SEAT),
    "deal": chance(
        "the cards dealt for a round",
        round=ROUND,
        dealer=Field("who deals", "seat"),
        hands=Field("cards dealt, by seat", "set", "card"),
    ),
    "flip": chance("the first card of the discard pile", round=ROUND, card=CARD),
    "reshuffle": chance(
        "the discard pile but its top card becomes the draw pile",
        round=ROUND,
        turn=TURN,
        cards=Field("how many cards"),
    ),
    "draw": chance(
        "a card drawn for want of one that fits",
        round=ROUND,
        turn=TURN,
        seat=SEAT,
        card=CARD,
    ),
    "penalty": chance(
        "a card drawn because of a Special",
        round=ROUND,
        turn=TURN,
        seat=SEAT,
        card=CARD,
    ),
    "declaring": outcome(
        "what the hands cost where a round could be ended",
        round=ROUND,
        turn=TURN,
        who=Field("who could end it", "seat"),
        card=Field("the Special played", "bit", "card"),
        ends=Field("1 if the round was ended"),
        cost=Field("cost of the hand, by seat"),
    ),
    "skip": outcome(
        "a turn lost", round=ROUND, turn=TURN, seat=Field("who loses it", "seat")
    ),
    "round": outcome(
        "the end of a round",
        round=ROUND,
        winner=Field("who ended it", "seat"),
        by=Field("how it ended", "code", "ending"),
        added=Field("points added, by seat"),
        scores=Field("scores afterwards, by seat"),
        dealer=Field("who dealt it", "seat", shown=False),
        turns=Field("turns taken", shown=False),
        card=Field("the last card played", "set", "card", shown=False),
        hands=Field("cards left, by seat", "set", "card", shown=False),
        points=Field("their points, nothing doubled, by seat", shown=False),
        cost=Field("their cost, doubled for Specials, by seat", shown=False),
        draws=Field("cards drawn for want of one that fits", shown=False),
        penalties=Field("cards drawn because of a Special", shown=False),
        reshuffles=Field("how often the pile was shuffled anew", shown=False),
        skips=Field("turns lost", shown=False),
    ),
    "tie": chance(
        "chance decides who of the tied wins",
        seats=Field("who is tied", "set", SEATS),
        chosen=Field("who of them wins", "set", SEATS),
    ),
    "result": result(
        "who won",
        winner=Field("the winner, or nobody alone", "seat"),
        by=Field("how it was decided", "code", "by"),
        winners=Field("who won, alone or with others", "set", SEATS),
        scores=Field("scores, by seat"),
        rounds=Field("rounds played", shown=False, once=True),
        turns=Field("turns taken in all", shown=False, once=True),
    ),
}

_OPTIONS = {
    "": "{place}",
    ".special1": "1S",
    ".special4": "4S",
    ".blank": "blank",
    ".onifuda": "oni",
}
"""The options that play the cards of a deck."""
GAME = Game(
    id="devil",
    title="Devil",
    players=(2, 3, 4, 5, 6, 7, 8),
    rules=Devil,
    start=State,
    play=play,
    view=DevilView,
    kinds=KINDS,
    events=EVENTS,
    tables_only=frozenset({"declaring"}),
    redeal=redeal,
    stage=STAGE,
    first=lambda state: state.seat_after(state.dealer, 1),
    first_position="first to play",
    score=Score("scores", wins="fewest", unit="points"),
    standing=Score("scores", wins="fewest", note="round", unit="points"),
    floor=(4.0, 0.9),
    peer="crazy_eights(players=4)",
    blocks=4,
    grants=GRANTS,
    card_options={
        "points": "{place}|{place}S",
        **{
            f"{deck}{row}": option
            for deck in ("base_deck", "ext_deck")
            for row, option in _OPTIONS.items()
        },
    },
    narrator=DevilNarrator,
)
