"""Draws and reshuffles: how often no card fits, and how often the pile is empty."""

from reports.bounded_claims import BoundedClaim
from reports.counts import Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays
from reports.figure_specs import dots
from reports.formatting import LINEUPS
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf
from reports.report_document import Column

_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("draws a turn", "share of the turns in which no card fits"),
    _ARRAYS.mean("penalties a round", "cards drawn in a round because of a Special"),
    _ARRAYS.mean("skips a round", "turns lost in a round"),
    _ARRAYS.mean("reshuffles a round", "how often the pile is reshuffled in a round"),
)


def counts(played: DevilArrays) -> list[Counts]:
    """Count draws, penalties, skips and reshuffles of the rounds."""
    rounds, game = played.rounds, played.game_of
    turns = rounds.once("turns")
    return [
        grid_of_rows("draws a turn", game, rounds.once("draws"), turns),
        *(
            grid_of_rows(f"{name} a round", game, rounds.once(name), turns * 0 + 1)
            for name in ("penalties", "skips", "reshuffles")
        ),
    ]


PLAYERS = MeasureTable(
    "draws-players",
    "Draws, penalties, skips and reshuffles",
    "Of all seats together.",
    (
        "players",
        Number("draws a turn", "draws a turn"),
        LINEUPS,
        Number("penalties a round", "penalties", name="penalties"),
        Number("skips a round", "skips", name="skips"),
        Number("reshuffles a round", "reshuffles", name="reshuffles"),
    ),
    draw=dots("table", "turns in which nothing fits, %"),
    n=Column("n", "n", "turns", "count"),
)
HALF = BoundedClaim(
    "Draws, {players} players, {who}: in {value} of the turns nothing in hand fits, "
    "which leaves no choice but to draw a card: {verdict}",
    "draws a turn",
    most=0.5,
    once=True,
)
SECTION = ReportSection(
    id="draws",
    title="Draws and reshuffles",
    question="How many cards are drawn, and how often is the stack shuffled anew?",
    intro="With {who}. A player without a card that fits draws one, and plays it if it "
    "fits. Specials make the next player draw and lose a turn; a 10 makes them lose a "
    "turn.",
    measures=MEASURES,
    counts=counts,
    records=("round",),
    tables=(PLAYERS,),
    claims=(HALF,),
)
