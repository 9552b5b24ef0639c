"""The declaration of The Virtues of the Drake: its decisions, events and functions."""

from sim.drake.layout import NO_VIRTUE
from sim.drake.narration import DrakeNarrator
from sim.drake.play import play
from sim.drake.redeal import redeal
from sim.drake.rules import Drake
from sim.drake.state import State
from sim.drake.view import DrakeView
from sim.events import Decision, Field, chance, kinds, outcome, result
from sim.games import Game
from sim.scores import Score

TURN = Field("the turn, from 1")
SEAT = Field("whose turn it is", "seat", shown=False)
CARD = Field("the card", "code", "card")
SIZES = {
    "piles": Field("cards in Gullet, Lair and Bed", "list", once=True),
    "decks": Field("Maidens, Knights and Treasures left", "list", once=True),
    "discards": Field("Maidens, Knights and Treasures discarded", "list", once=True),
    "gullet": Field("cards in the Gullet", shown=False, once=True),
    "lair": Field("cards in the Lair", shown=False, once=True),
    "bed": Field("cards in the Bed", shown=False, once=True),
    "maidens": Field("Maidens left in their deck", shown=False, once=True),
    "knights": Field("Knights left in their deck", shown=False, once=True),
    "treasures": Field("Treasures left in their deck", shown=False, once=True),
}

KINDS = kinds(
    Decision(
        "play",
        "the deck whose top card is played",
        "play",
        clock=("turn",),
        families={"deck": ""},
    ),
    Decision(
        "act",
        "the action after it",
        "act",
        clock=("turn",),
        without="pass",
        families={"action": ""},
    ),
)

EVENTS = {
    "virtues": chance(
        "the Virtue cards dealt",
        virtues=Field("the Virtue of each seat", "code", "virtue"),
    ),
    "start": chance("who takes the first turn", seat=Field("who", "seat")),
    "piles": chance(
        "the first card of each pile",
        cards=Field("in Gullet, Lair and Bed", "list", "card", once=True),
    ),
    "card": chance("the card turned up", turn=TURN, card=CARD, seat=SEAT),
    "discard": outcome(
        "a card that is discarded",
        turn=TURN,
        card=CARD,
        **{"from": Field("where it was", "code", "from")},
        cause=Field("why", "code", "cause", shown=False),
        seat=SEAT,
    ),
    "shuffle": outcome(
        "all discards are shuffled back into their decks",
        turn=TURN,
        by=Field("by which card, or absent Virtue", "code", "shuffler"),
        cards=Field("how many cards", shown=False),
        seat=SEAT,
    ),
    "turn": outcome("the end of a turn", turn=TURN, **SIZES, seat=SEAT),
    "lacks": outcome(
        "how near each seat is to winning, after a turn and at the end",
        turn=TURN,
        lacks=Field("cards that the Virtue lacks to win, by seat"),
    ),
    "result": result(
        "who won",
        winner=Field("the winner, or nobody", "seat"),
        by=Field("by a full pile, an empty deck, or else", "code", "by"),
        virtue=Field("that won", "code", "virtue", null=NO_VIRTUE, once=True),
        turns=Field("cards played", once=True),
        deck=Field("that ran out", "code", "deck", shown=False, once=True),
        holds=Field("the Virtue of each seat", "code", "virtue", shown=False),
        place=Field("by seat, in the order of turns", "code", "place", shown=False),
        **SIZES,
    ),
}

GAME = Game(
    id="drake",
    title="The Virtues of the Drake",
    players=(2, 3, 4),
    rules=Drake,
    start=State,
    play=play,
    view=DrakeView,
    kinds=KINDS,
    events=EVENTS,
    redeal=redeal,
    first=lambda state: state.order[0],
    first_position="first to play",
    role=lambda state: state.virtues,
    standing=Score("lacks", wins="fewest", note="lacks", unit="cards to go"),
    floor=(1.4, 0.1),
    tables_only=frozenset({"lacks"}),
    narrator=DrakeNarrator,
)
