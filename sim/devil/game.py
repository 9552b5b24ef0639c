"""Devil as the rest of fairdeal knows it."""

from sim.devil.hidden import redeal
from sim.devil.play import play
from sim.devil.rules import Devil
from sim.devil.state import State
from sim.devil.view import DevilView
from sim.events import SEATS, Field, Kind, Note
from sim.games import Game

ROUND = Field("round, from 1")
TURN = Field("turn of the round, from 1; 0 before the first")
SEAT = Field("whose it is", "seat")
CARD = Field("the card", "bit", "card")

KINDS = {
    kind.name: kind
    for kind in (
        Kind("play", "a card to discard", "play", clock=("round", "turn")),
        Kind(
            "declare",
            "after a Special: to end the round, or to go on",
            "declare",
            clock=("round", "turn"),
            without="continue",
        ),
    )
}

NOTES = {
    "dealer": Note("chance", "the dealer of round 1", {"seat": SEAT}),
    "deal": Note(
        "chance",
        "the cards dealt for a round",
        {
            "round": ROUND,
            "dealer": Field("who deals", "seat"),
            "hands": Field("cards dealt, by seat", "set", "card"),
        },
    ),
    "flip": Note(
        "chance", "the first card of the discard pile", {"round": ROUND, "card": CARD}
    ),
    "reshuffle": Note(
        "chance",
        "the discard pile but its top card becomes the draw pile",
        {"round": ROUND, "turn": TURN, "cards": Field("how many cards")},
    ),
    "draw": Note(
        "chance",
        "a card drawn for want of one that fits",
        {"round": ROUND, "turn": TURN, "seat": SEAT, "card": CARD},
    ),
    "penalty": Note(
        "chance",
        "a card drawn because of a Special",
        {"round": ROUND, "turn": TURN, "seat": SEAT, "card": CARD},
    ),
    "declaring": Note(
        "outcome",
        "what the hands cost where a round could be ended",
        {
            "round": ROUND,
            "turn": TURN,
            "who": Field("who could end it", "seat"),
            "card": Field("the Special played", "bit", "card"),
            "ends": Field("1 if the round was ended"),
            "cost": Field("cost of the hand, by seat"),
        },
    ),
    "skip": Note(
        "outcome",
        "a turn lost",
        {"round": ROUND, "turn": TURN, "seat": Field("who loses it", "seat")},
    ),
    "round": Note(
        "outcome",
        "the end of a round",
        {
            "round": ROUND,
            "winner": Field("who ended it", "seat"),
            "by": Field("how it ended", "code", "ending"),
            "added": Field("points added, by seat"),
            "scores": Field("scores afterwards, by seat"),
            "dealer": Field("who dealt it", "seat", told=False),
            "turns": Field("turns taken", told=False),
            "card": Field("the last card played", "set", "card", told=False),
            "hands": Field("cards left, by seat", "set", "card", told=False),
            "points": Field("their points, nothing doubled, by seat", told=False),
            "cost": Field("their cost, doubled for Specials, by seat", told=False),
            "draws": Field("cards drawn for want of one that fits", told=False),
            "penalties": Field("cards drawn because of a Special", told=False),
            "reshuffles": Field("how often the pile was shuffled anew", told=False),
            "skips": Field("turns lost", told=False),
        },
    ),
    "result": Note(
        "result",
        "who won",
        {
            "winner": Field("the winner, or nobody alone", "seat"),
            "by": Field("how it was decided", "code", "by"),
            "winners": Field("all who won", "set", SEATS),
            "scores": Field("scores, by seat"),
            "rounds": Field("rounds played", told=False, once=True),
            "turns": Field("turns taken in all", told=False, once=True),
        },
    ),
}

GAME = Game(
    id="devil",
    title="Devil",
    players=(2, 3, 4, 5, 6, 7, 8),
    rules=Devil,
    start=State,
    play=play,
    view=DevilView,
    kinds=KINDS,
    notes=NOTES,
    tables_only=frozenset({"declaring"}),
    redeal=redeal,
    floor=(4.0, 0.9),
    peer="crazy_eights(players=4)",
    blocks=4,
)
