"""The declaration of Kunitame: its decisions, events and functions."""

from sim.events import Decision, Field, chance, kinds, outcome, result
from sim.games import Game
from sim.kunitame.grants import GRANTS
from sim.kunitame.narration import KunitameNarrator
from sim.kunitame.play import play
from sim.kunitame.redeal import redeal, rewind_simultaneous
from sim.kunitame.rules import Kunitame
from sim.kunitame.stage import STAGE
from sim.kunitame.state import State
from sim.kunitame.view import KunitameView
from sim.scores import Score

WEEK = Field("election week, from 1")
ROUND = Field("trick of the week, from 1")
SEAT = Field("whose it is", "seat")
POINTS = Field("value of the gems held, by seat")
LIVES = Field("Life gems, by seat")

KINDS = kinds(
    Decision(
        "contract",
        "how many Life gems to stake, and on which numbers of tricks",
        "contract",
        clock=("week",),
        form="bag",
        bound="max_gems",
        tally=True,
    ),
    Decision(
        "cancel",
        "which contract gems to take back where the Devil deck was empty",
        "contract",
        clock=("week",),
        form="sample",
        bound="excess",
        tally=True,
    ),
    Decision("play", "a card", "card", clock=("week", "round")),
    Decision(
        "claim",
        "the gem that a trick wins",
        "square",
        clock=("week", "round"),
        families={"pledge": "", "square": ""},
    ),
    Decision(
        "bonus",
        "the gem won at liquidation",
        "square",
        clock=("week",),
        windfall=True,
    ),
    Decision("return", "where the highest gem goes back", "square", clock=("week",)),
)

EVENTS = {
    "dealer": chance("the first dealer", seat=SEAT),
    "deal": chance(
        "the cards dealt for a week",
        week=WEEK,
        dealer=Field("who deals and leads first", "seat"),
        hands=Field("cards dealt, by seat", "set", "card"),
    ),
    "devil": chance(
        "a Devil card drawn",
        week=WEEK,
        seat=SEAT,
        card=Field("the card", "bit", "card"),
    ),
    "trick": outcome(
        "who won a trick",
        week=WEEK,
        round=ROUND,
        winner=Field("who won it", "seat"),
        card=Field("the card that won", "bit", "card"),
        led=Field("the card that was led", "bit", "card", shown=False),
        met=Field("squares whose condition it met", "set", "square", shown=False),
        gems=Field("squares that held a gem", "set", "square", shown=False),
    ),
    "gem": outcome(
        "a gem won or given back",
        week=WEEK,
        seat=SEAT,
        square=Field("the square", "bit", "square"),
        value=Field("points gained, or given back"),
        round=Field("trick, or 0 at liquidation", shown=False),
    ),
    "contracts": outcome(
        "what became of the contracts of a week",
        week=WEEK,
        tricks=Field("tricks won, by seat"),
        lost=Field("Life gems lost, by seat"),
        lives=LIVES,
        stakes=Field(
            "contract gems by square, by seat", "set", "contract", shown=False
        ),
        points=Field("points before any bonus, by seat", shown=False),
    ),
    "liquidation": outcome(
        "what a seat could win at liquidation",
        week=WEEK,
        seat=SEAT,
        met=Field("squares that all its tricks met", "set", "square"),
        open=Field("squares of liquidation with a gem", "set", "square"),
    ),
    "week": outcome("the end of a week", week=WEEK, points=POINTS, lives=LIVES),
    "tie": chance(
        "cards drawn to break a tie", cards=Field("number drawn, by seat", "drawn")
    ),
    "result": result(
        "who won",
        winner=Field("the winner, or nobody", "seat"),
        by=Field("how it was decided", "code", "by"),
        points=POINTS,
        lives=LIVES,
    ),
}

GAME = Game(
    id="kunitame",
    title="Kunitame",
    players=(3, 4, 5),
    rules=Kunitame,
    start=State,
    play=play,
    view=KunitameView,
    kinds=KINDS,
    events=EVENTS,
    tables_only=frozenset({"liquidation"}),
    redeal=redeal,
    stage=STAGE,
    rewind_simultaneous=rewind_simultaneous,
    first=lambda state: state.first_dealer,
    first_position="first dealer",
    score=Score("points", wins="most"),
    standing=Score("points", wins="most", note="week"),
    floor=(5.0, 2.5),
    grants=GRANTS,
    card_options={"contract_squares": "{tricks}"},
    narrator=KunitameNarrator,
)
