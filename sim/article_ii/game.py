"""Article II as the rest of fairdeal knows it."""

from sim.article_ii.elections import OUT
from sim.article_ii.hidden import redeal
from sim.article_ii.play import play
from sim.article_ii.rules import ArticleII
from sim.article_ii.state import State
from sim.article_ii.trial import Trial
from sim.article_ii.view import ArticleIIView
from sim.events import Field, Kind, Note
from sim.games import Game

PHASE = Field("primary or general", "code", "phase")
TURN = Field("turn of the phase, from 1")
SEAT = Field("whose it is", "seat")
CARD = Field("the card", "bit", "card")
ELECTABILITY = Field("Electability with all effects, by seat")
AFFILIATION = Field("Affiliation with all effects, by seat")
CANDIDATES = Field("the Candidates", "set", "seat")

_TIME = ("phase", "turn")

KINDS = {
    kind.name: kind
    for kind in (
        Kind("teflon", "a card to remove from oneself, or none", "option", clock=_TIME),
        Kind("play", "a card to play", "card", clock=_TIME),
        Kind("second", "a second card to play, or none", "option", clock=_TIME),
        Kind("target", "the player to play it on", "seat", clock=_TIME),
        Kind("remove-from", "the player to remove a card from", "seat", clock=_TIME),
        Kind("remove", "the card to remove", "card", clock=_TIME),
        Kind("react", "a card to answer with, or none", "option", clock=_TIME),
        Kind(
            "necromancer",
            "the contender whose Affiliation counts",
            "seat",
            clock=("phase",),
        ),
    )
}

_LAID = {
    "phase": PHASE,
    "turn": TURN,
    "seat": Field("on whom", "seat"),
    "card": CARD,
    "electability": Field("raw Electability of that seat afterwards"),
    "affiliation": Field("raw Affiliation of that seat afterwards"),
}

NOTES = {
    "start": Note("chance", "who begins a phase", {"phase": PHASE, "seat": SEAT}),
    "reshuffle": Note(
        "chance",
        "the discard pile is shuffled",
        {"phase": PHASE, "cards": Field("cards of the discard pile")},
    ),
    "deal": Note(
        "chance",
        "the cards dealt for a phase",
        {"phase": PHASE, "hands": Field("cards dealt, by seat", "list", "card")},
    ),
    "hands": Note(
        "chance",
        "the same as sets",
        {"phase": PHASE, "hands": Field("cards dealt, by seat", "set", "card")},
    ),
    "trial": Note(
        "chance",
        "an experiment on the deal, of paired games",
        {
            "phase": PHASE,
            "seat": SEAT,
            "card": Field("the card that was drawn of the hand", "bit", "card"),
            "has": Field("1 if he has it, 0 if it was discarded"),
        },
    ),
    "draw": Note(
        "chance",
        "a card drawn outside the deal",
        {"phase": PHASE, "turn": TURN, "seat": SEAT, "card": CARD},
    ),
    "placed": Note("outcome", "a card comes to lie on a player", _LAID),
    "removed": Note("outcome", "a card leaves a player", _LAID),
    "change": Note(
        "outcome",
        "what a card that came or left did",
        {
            "phase": PHASE,
            "turn": TURN,
            "seat": Field("who did it", "seat"),
            "on": Field("to whom", "seat"),
            "card": CARD,
            "change": Field("placed or removed", "code", "change"),
            "reaction": Field("1 if a Great Debater answers"),
            "leader": Field("who alone would have won the phase before it", "seat"),
            "leader_after": Field("the same after it", "seat"),
            "rank": Field("how many had a higher total than the target before"),
            "own_rank": Field("how many had a higher total than who did it"),
            "gain": Field("what it added to the target's total of the phase"),
            "own_gain": Field("what it added to the total of who did it"),
        },
    ),
    "tie": Note(
        "chance",
        "chance decides who becomes a Candidate",
        {
            "phase": PHASE,
            "seats": Field("who is tied", "set", "seat"),
            "chosen": Field("who of them become Candidates", "set", "seat"),
        },
    ),
    "primary": Note(
        "outcome",
        "the Primary Election",
        {
            "electability": ELECTABILITY,
            "affiliation": AFFILIATION,
            "totals": Field("Electability plus Affiliation, by seat"),
            "candidates": CANDIDATES,
        },
    ),
    "general": Note(
        "outcome",
        "the General Election",
        {
            "electability": ELECTABILITY,
            "affiliation": AFFILIATION,
            "contenders": Field("who competes", "set", "seat"),
            "totals": Field("Electability less Affiliation, by seat", null=OUT),
        },
    ),
    "standing": Note(
        "outcome",
        "everybody at the end of a phase, contender or not",
        {
            "phase": PHASE,
            "lying": Field("cards lying on each seat", "set", "card"),
            "raw_electability": Field("sum of the cards, by seat"),
            "raw_affiliation": Field("sum of the cards, by seat"),
            "electability": ELECTABILITY,
            "affiliation": AFFILIATION,
            "primary": Field("Electability plus Affiliation, by seat"),
            "general": Field("Electability less Affiliation, by seat"),
            "candidates": CANDIDATES,
            "contenders": Field("who competes in the General", "set", "seat"),
            "start": Field("who began the phase", "seat"),
        },
    ),
    "result": Note(
        "result",
        "who won",
        {
            "winner": Field("the President, or nobody alone", "seat"),
            "by": Field("how it was decided", "code", "by"),
            "winners": Field("who has won", "set", "seat"),
            "candidates": CANDIDATES,
            "points": Field("points of the party variation, by seat", told=False),
        },
    ),
}

GAME = Game(
    id="article_ii",
    title="Article II",
    players=(2, 3, 4),
    rules=ArticleII,
    start=State,
    play=play,
    view=ArticleIIView,
    kinds=KINDS,
    notes=NOTES,
    tables_only=frozenset({"hands", "change", "standing", "trial"}),
    redeal=redeal,
    floor=(1.3, 0.15),
    trial=Trial,
)
