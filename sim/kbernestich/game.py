"""The declaration of Kbernestich: its decisions, events and functions."""

from sim.events import Decision, Field, FollowUp, chance, kinds, outcome, result
from sim.games import Game
from sim.kbernestich.grants import GRANTS
from sim.kbernestich.layout import FACE_DOWN
from sim.kbernestich.narration import KbernestichNarrator
from sim.kbernestich.play import play
from sim.kbernestich.redeal import redeal
from sim.kbernestich.rules import Kbernestich
from sim.kbernestich.stage import STAGE
from sim.kbernestich.state import State
from sim.kbernestich.view import KbernestichView
from sim.scores import Score

ROUND = Field("round, from 1")
TRICK = Field("trick of the round, from 1")
SEAT = Field("whose it is", "seat")

KINDS = kinds(
    Decision("trump", "the trump suit of the round", "trump", clock=("round",)),
    Decision("claim", "the right to set a colour", "claim", clock=("round",)),
    Decision(
        "plot",
        "a square for the next cube",
        "square",
        clock=("round", "trick"),
        stop="pass",
        families={
            "bid": "hunch-",
            "bust value": "bust-",
            "letter from Marie": "from-",
            "letter to Marie": "to-",
        },
        follow_ups={
            "incubation": FollowUp("play", FACE_DOWN),
            "observation": FollowUp("play", ("observe",)),
        },
    ),
    Decision(
        "review",
        "the cards to put back",
        "card",
        clock=("round", "trick"),
        form="sample",
        bound="count",
        shows={"taken": Field("the cards not dealt", "set", "card")},
    ),
    Decision(
        "play",
        "a card, or an action",
        "play",
        clock=("round", "trick"),
        families={"card": ""},
    ),
)

EVENTS = {
    "start": chance("the start player of round 1", seat=SEAT),
    "deal": chance(
        "the cards dealt for a round",
        round=ROUND,
        start=Field("the start player", "seat"),
        hands=Field("cards dealt, by seat", "set", "card"),
        cubes=Field("cubes in hand, by seat", shown=False),
    ),
    "trick": outcome(
        "who won a trick",
        round=ROUND,
        trick=TRICK,
        winner=Field("who won it", "seat"),
        card=Field("the card that won", "bit", "card"),
        down=Field("cards played face down", "set", "card", shown=False),
    ),
    "sheet": outcome(
        "the plot sheet at the end of a round",
        round=ROUND,
        tricks=Field("tricks won, by seat"),
        placed=Field("squares with a cube of the seat", "set", "square"),
        won=Field("cards won, by seat", "set", "card"),
        kept=Field("cubes not placed, by seat"),
        before=Field("score before the round, by seat"),
        trump=Field("cards of the trump suit", "set", "card"),
        sheet=Field("squares with any cube", "set", "square"),
    ),
    "score": outcome(
        "what a seat scored in a round",
        round=ROUND,
        seat=SEAT,
        to=Field("points for Letter to Marie"),
        hunch=Field("points for the bid"),
        misery=Field("the misery bonus"),
        base=Field("points a card of each colour, times cards"),
        **{"from": Field("points out of the base")},
        score=Field("score afterwards"),
    ),
    "cubes": outcome(
        "cubes in hand after a round",
        round=ROUND,
        cubes=Field("cubes in hand, by seat"),
    ),
    "result": result(
        "who won",
        winner=Field("the winner, or nobody alone", "seat"),
        by=Field("how it was decided", "code", "by"),
        scores=Field("scores, by seat"),
    ),
}

GAME = Game(
    id="kbernestich",
    title="Kbernestich",
    players=(3, 4),
    rules=Kbernestich,
    start=State,
    play=play,
    view=KbernestichView,
    kinds=KINDS,
    events=EVENTS,
    tables_only=frozenset({"sheet"}),
    redeal=redeal,
    stage=STAGE,
    first=lambda state: state.start,
    first_position="start player",
    score=Score("scores", wins="most", unit="points"),
    standing=Score("score", wins="most", note="score", unit="points"),
    floor=(4.0, 0.5),
    grants=GRANTS,
    card_options={
        "marie_from": "from-*-{points_a_card}",
        "zabine": "bust-{bust_value}",
        "hunch": "hunch-{bid}",
        "actions": "{action}",
    },
    narrator=KbernestichNarrator,
)
