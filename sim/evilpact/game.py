"""The declaration of Evilpact: its decisions, events and functions."""

from typing import Any

from sim.events import Decision, Field, chance, kinds, outcome, result
from sim.evilpact.grants import GRANTS
from sim.evilpact.narration import EvilpactNarrator
from sim.evilpact.play import play
from sim.evilpact.redeal import redeal
from sim.evilpact.rules import Evilpact
from sim.evilpact.stage import STAGE
from sim.evilpact.state import State
from sim.evilpact.view import EvilpactView
from sim.games import Game
from sim.scores import Score

ROUND = Field("round, from 1")
TURN = Field("turn of the round, from 1")
WHEN = Field("before or after acquiring", "code", "when", shown=False)
SEAT = Field("whose it is", "seat")
ICONS = Field("power of the elements, by seat: a byte each, lowest first", shown=False)
SPELL = Field("the spell", "code", "contract")
LEAD = Field("elements led by the caster, less those that the other leads", shown=False)
SOURCE = Field("from the hand, or under contract", "code", "source")

_TIME = ("round", "turn")
_MOMENTS = (*_TIME, "when")
_MOMENT = {"round": ROUND, "turn": TURN, "when": WHEN, "seat": SEAT}
_CAST = {**_MOMENT, "spell": SPELL, "from": SOURCE}


def _kind(name: str, doc: str, words: str, without: str = "", **more: Any) -> Decision:
    return Decision(name, doc, words, **{"clock": _TIME, **more}, without=without)


KINDS = kinds(
    _kind("cast", "a spell to cast, or none", "spell", "pass", clock=_MOMENTS),
    _kind("counter", "Hastur against a spell, or not", "spell", "pass"),
    _kind("exclude", "a card of the opponent's library", "lying"),
    _kind("flip", "a Turbidity card to turn to its other element", "lying", "pass"),
    _kind("sideways", "an Insight 5 to turn sideways", "card"),
    _kind(
        "acquire",
        "a card of the Explore Area",
        "card",
        families={"Insight": "*-i", "Turbidity": "*/"},
    ),
    _kind("element", "what a Turbidity card counts for", "element"),
    _kind("contract", "the spell under contract with the demon", "spell", clock=()),
)

EVENTS = {
    "start": chance("who starts the first round", seat=SEAT),
    "seal": chance(
        "the spells that are sealed",
        spells=Field("the spell, by seat", "bit", "spell"),
    ),
    "market": chance(
        "the cards of a round",
        round=ROUND,
        starter=Field("who starts the round", "seat"),
        cards=Field("cards of the Explore Area", "list", "card"),
    ),
    "spell": outcome(
        "a spell is announced",
        **_CAST,
        level=Field("the power that its effect needs"),
        power=Field("own power in its element"),
        lead=LEAD,
    ),
    "lose": chance(
        "spells lost to Cthulhu",
        **_MOMENT,
        spells=Field("the spells, in the order drawn", "list", "spell"),
        cards=Field("the same as a set", "set", "spell", shown=False),
    ),
    "sideways": outcome(
        "Insight cards that are turned sideways, but for the one chosen for Eihort",
        **_MOMENT,
        cards=Field("the cards", "set", "card"),
    ),
    "effect": outcome(
        "what a spell of one's own turn did",
        **_CAST,
        upper=Field("1 at the upper level"),
        countered=Field("1 if it was countered"),
        targets=Field("cards excluded, lost, flipped or turned"),
        lead=Field("elements led less those that the other leads, afterwards"),
    ),
    "round": outcome(
        "the end of a round",
        round=ROUND,
        power=Field("power of each element, by seat", "list"),
        icons=ICONS,
        led=Field("elements led, by seat", shown=False),
    ),
    "result": result(
        "who won",
        winner=Field("the winner, or nobody", "seat"),
        by=Field("how it was decided", "code", "by"),
        fulfilled=Field("whether the contract is fulfilled, by seat"),
        elements=Field("elements led, by seat"),
        hands=Field("cards in hand, by seat"),
    ),
    "final": outcome(
        "the contracts, and the power of the elements, at the end",
        starter=Field("who started round 1", "seat"),
        without=Field("who would win if contracts did not count", "seat"),
        contract=Field("the spell under contract, by seat", "code", "contract"),
        used=Field("1 if the contract was cast, by seat"),
        margin=Field("power of the contract's element less the opponent's, by seat"),
        icons=ICONS,
        cards=Field("cards in the library, by seat"),
    ),
}

GAME = Game(
    id="evilpact",
    title="Evilpact",
    players=(2,),
    rules=Evilpact,
    start=State,
    play=play,
    view=EvilpactView,
    kinds=KINDS,
    events=EVENTS,
    tables_only=frozenset({"effect", "final"}),
    redeal=redeal,
    first=lambda state: state.seats[0],
    first_position="starting player",
    score=Score("elements", wins="most", unit="elements led"),
    standing=Score("led", wins="most", note="round", unit="elements led"),
    floor=(1.4, 0.1),
    narrator=EvilpactNarrator,
    grants=GRANTS,
    card_options={
        "turbidity": "{elements[0]}/{elements[1]}|{elements[1]}/{elements[0]}",
        "insight_per_element": "*-i{x}",
    },
    stage=STAGE,
)
