"""The declaration of Article II: its decisions, events and functions."""

from sim.article_ii.elections import OUT
from sim.article_ii.grants import GRANTS
from sim.article_ii.narration import ArticleIINarrator
from sim.article_ii.play import play
from sim.article_ii.redeal import redeal
from sim.article_ii.rules import ArticleII
from sim.article_ii.stage import STAGE
from sim.article_ii.state import State
from sim.article_ii.trial import Trial
from sim.article_ii.view import ArticleIIView
from sim.chance import Purpose
from sim.events import Decision, Field, FollowUp, chance, kinds, outcome, result
from sim.games import Game
from sim.scores import Score

PHASE = Field("primary or general", "code", "phase")
TURN = Field("turn of the phase, from 1")
SEAT = Field("whose it is", "seat")
CARD = Field("the card", "bit", "card")
ELECTABILITY = Field("Electability with all effects, by seat")
AFFILIATION = Field("Affiliation with all effects, by seat")
CANDIDATES = Field("the Candidates", "set", "seat")

_TIME = ("phase", "turn")
_STYLES = {
    "great-debater": FollowUp("react"),
    "teflon-wonder": FollowUp("teflon"),
}
"""Styles that give no more than the right to answer, or to be rid of a card."""

KINDS = kinds(
    Decision("teflon", "a card to remove from oneself, or none", "option", clock=_TIME),
    Decision("play", "a card to play", "card", clock=_TIME, follow_ups=_STYLES),
    Decision(
        "second",
        "a second card to play, or none",
        "option",
        clock=_TIME,
        follow_ups=_STYLES,
    ),
    Decision("target", "the player to play it on", "seat", clock=_TIME),
    Decision("remove-from", "the player to remove a card from", "seat", clock=_TIME),
    Decision("remove", "the card to remove", "card", clock=_TIME),
    Decision("react", "a card to answer with, or none", "option", clock=_TIME),
    Decision(
        "necromancer",
        "the contender whose Affiliation counts",
        "seat",
        clock=("phase",),
    ),
)

_LAID = {
    "phase": PHASE,
    "turn": TURN,
    "seat": Field("on whom", "seat"),
    "card": CARD,
    "electability": Field("raw Electability of that seat afterwards"),
    "affiliation": Field("raw Affiliation of that seat afterwards"),
}

EVENTS = {
    "start": chance("who begins a phase", phase=PHASE, seat=SEAT),
    "reshuffle": chance(
        "the discard pile is shuffled",
        phase=PHASE,
        cards=Field("cards of the discard pile"),
    ),
    "deal": chance(
        "the cards dealt for a phase",
        phase=PHASE,
        hands=Field("cards dealt, by seat", "list", "card"),
    ),
    "hands": chance(
        "the same as sets",
        phase=PHASE,
        hands=Field("cards dealt, by seat", "set", "card"),
    ),
    "trial": chance(
        "an experiment on the deal, of paired games",
        phase=PHASE,
        seat=SEAT,
        card=Field("the card that was drawn of the hand", "bit", "card"),
        has=Field("1 if they have it, 0 if it was discarded"),
    ),
    "draw": chance(
        "a card drawn outside the deal", phase=PHASE, turn=TURN, seat=SEAT, card=CARD
    ),
    "placed": outcome("a card comes to lie on a player", **_LAID),
    "removed": outcome("a card leaves a player", **_LAID),
    "change": outcome(
        "what a card that came or left did",
        phase=PHASE,
        turn=TURN,
        seat=Field("who did it", "seat"),
        on=Field("to whom", "seat"),
        card=CARD,
        change=Field("placed or removed", "code", "change"),
        reaction=Field("1 if a Great Debater answers"),
        leader=Field("who alone would have won the phase before it", "seat"),
        leader_after=Field("the same after it", "seat"),
        rank=Field("how many had a higher total than the target before"),
        own_rank=Field("how many had a higher total than who did it"),
        gain=Field("what it added to the target's total of the phase"),
        own_gain=Field("what it added to the total of who did it"),
    ),
    "tie": chance(
        "chance decides who becomes a Candidate",
        phase=PHASE,
        seats=Field("who is tied", "set", "seat"),
        chosen=Field("who of them become Candidates", "set", "seat"),
    ),
    "primary": outcome(
        "the Primary Election",
        electability=ELECTABILITY,
        affiliation=AFFILIATION,
        totals=Field("Electability plus Affiliation, by seat"),
        candidates=CANDIDATES,
    ),
    "general": outcome(
        "the General Election",
        electability=ELECTABILITY,
        affiliation=AFFILIATION,
        contenders=Field("who competes", "set", "seat"),
        totals=Field("Electability less Affiliation, by seat", null=OUT),
    ),
    "totals": outcome(
        "the totals of the phase after a turn of everybody, or its last turn",
        phase=PHASE,
        turn=TURN,
        totals=Field("of this phase, contender or not, by seat"),
    ),
    "standing": outcome(
        "everybody at the end of a phase, contender or not",
        phase=PHASE,
        lying=Field("cards lying on each seat", "set", "card"),
        raw_electability=Field("sum of the cards, by seat"),
        raw_affiliation=Field("sum of the cards, by seat"),
        electability=ELECTABILITY,
        affiliation=AFFILIATION,
        primary=Field("Electability plus Affiliation, by seat"),
        general=Field("Electability less Affiliation, by seat"),
        candidates=CANDIDATES,
        contenders=Field("who competes in the General", "set", "seat"),
        start=Field("who began the phase", "seat"),
    ),
    "result": result(
        "who won",
        winner=Field("the President, or nobody alone", "seat"),
        by=Field("how it was decided", "code", "by"),
        winners=Field("who has won", "set", "seat"),
        candidates=CANDIDATES,
        points=Field("points of the party variation, by seat", shown=False),
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
    events=EVENTS,
    tables_only=frozenset({"hands", "change", "standing", "totals", "trial"}),
    redeal=redeal,
    stage=STAGE,
    first=lambda state: state.chance.below(state.players, Purpose.START, 0),
    first_position="who begins the Primary",
    later_first=lambda state: state.chance.below(state.players, Purpose.START, 1),
    standing=Score("totals", wins="most", note="totals"),
    match=Score("points", wins="most"),
    floor=(1.3, 0.15),
    trial=Trial,
    narrator=ArticleIINarrator,
    grants=GRANTS,
)
