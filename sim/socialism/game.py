"""The declaration of Socialism: its decisions, events and functions."""

from typing import Any

from sim.events import SEATS, Decision, Field, chance, kinds, outcome, result
from sim.games import Alignment, Game
from sim.scores import Score
from sim.socialism import alignment
from sim.socialism.grants import GRANTS
from sim.socialism.narration import SocialismNarrator
from sim.socialism.play import play
from sim.socialism.redeal import redeal
from sim.socialism.rules import Socialism
from sim.socialism.stage import STAGE
from sim.socialism.state import State
from sim.socialism.trial import Trial
from sim.socialism.view import SocialismView

TURN = Field("turn of the game, from 1")
CARD = Field("the card", "bit", "card")
WHO = Field("whose", "seat")
ACTIVE = Field("whose turn it is", "seat")
TOKEN = Field("whose token", "seat")
USER = Field("the User", "bit", "user")
SUPPLY = Field("tokens that this seat has left afterwards")
VIA = Field("how", "code", "via")
BEFORE = Field("the seat before which it lies", "seat")
ACTION = Field("the Action in play", "code", "name")
INVITER = Field("who invites, or nobody", "bit", "user")
TARGET = Field("who is invited, or blocked", "bit", "user")


def _kind(
    name: str,
    doc: str,
    words: str,
    without: str = "",
    never: tuple[str, ...] = (),
    alike: bool = False,
    **shows: Field,
) -> Decision:
    told: dict[str, Any] = {"without": without, "never": never, "shows": shows}
    return Decision(name, doc, words, clock=("turn",), alike=alike, **told)


KINDS = kinds(
    _kind("viral", "where a Viral Post moves", "user"),
    _kind("play", "a card to play", "card", "none", never=("sherman-act",)),
    _kind("sherman", "a Sherman Act against a card", "sherman", "pass", card=CARD),
    _kind("beside", "the User beside whom a User is played", "lies"),
    _kind("cell", "the empty cell on which a User is played", "cell", alike=True),
    _kind("copy", "the Action in play that Flattery copies", "copy"),
    _kind("member", "a Member for an Action", "user"),
    _kind("lost", "the User who leaves the board", "lies"),
    _kind("user", "the User whose networks somebody leaves", "user"),
    _kind("friend", "who leaves them", "user"),
    _kind("manage", "the Action in play to discard", "front"),
    _kind("front", "the seat that may no longer spam", SEATS),
    _kind("network", "the network whose Members are spammed", SEATS),
    _kind("invite", "how to invite, or not", "invite", without="none"),
    _kind("inviter", "the Member who invites, or blocks", "user"),
    _kind("invited", "who is invited, one by one", "user", without="stop"),
    _kind("victim", "the Friend who is to leave a network", "user"),
    _kind("colour", "which network that is", SEATS),
)

ASKED = {"seat": ACTIVE, "via": VIA, "inviter": INVITER, "target": TARGET}
EVENTS = {
    "start": chance("who begins", seat=Field("who", "seat")),
    "deal": chance("the cards dealt", hands=Field("by seat", "set", "card")),
    "trial": outcome(
        "an experiment: a card of a hand that is kept, or discarded",
        seat=WHO,
        card=CARD,
        has=Field("1 if it is kept"),
    ),
    "reshuffle": chance(
        "the discard pile becomes the draw pile",
        turn=TURN,
        cards=Field("how many cards"),
    ),
    "draw": chance("a card drawn", turn=TURN, seat=ACTIVE, card=CARD),
    "roll": chance("a die", turn=TURN, **ASKED, die=Field("1 to 6")),
    "invitation": outcome(
        "an invitation, with or without a die",
        turn=TURN,
        **ASKED,
        faces=Field("on how many faces it is accepted"),
        accepted=Field("1 if it was"),
    ),
    "joins": outcome(
        "a token is placed", turn=TURN, seat=TOKEN, user=USER, via=VIA, supply=SUPPLY
    ),
    "leaves": outcome(
        "a token is taken off", turn=TURN, seat=TOKEN, user=USER, supply=SUPPLY
    ),
    "gone": outcome(
        "a User leaves the board",
        turn=TURN,
        seat=ACTIVE,
        cell=Field("where", "bit", "lies"),
        card=CARD,
        to=Field("to the discard pile or to the hand", "code", "to"),
    ),
    "stays": outcome("an Action comes into play", turn=TURN, seat=BEFORE, card=ACTION),
    "dropped": outcome("an Action leaves play", turn=TURN, seat=BEFORE, card=ACTION),
    "turn": outcome(
        "the networks after a turn",
        turn=TURN,
        who=Field("whose turn it was", "seat"),
        members=Field("Members, by seat"),
    ),
    "result": result(
        "who won",
        winner=Field("the winner, or nobody", "seat"),
        by=Field("how it was decided", "code", "by"),
        supply=Field("tokens left, by seat"),
        turns=Field("turns played", once=True),
    ),
}

GAME = Game(
    id="socialism",
    title="Socialism",
    players=(2, 3, 4, 5),
    rules=Socialism,
    start=State,
    play=play,
    view=SocialismView,
    kinds=KINDS,
    events=EVENTS,
    redeal=redeal,
    first=lambda state: state.seat,
    first_position="who begins",
    score=Score("supply", wins="fewest", unit="tokens to place"),
    standing=Score("members", wins="most", note="turn", unit="Members"),
    floor=(0.7, 0.1),
    tables_only=frozenset({"invitation", "trial", "turn"}),
    trial=Trial,
    blocks=8,
    narrator=SocialismNarrator,
    grants=GRANTS,
    stage=STAGE,
    align=Alignment(alignment.stop_turn, alignment.join),
)
