"""Multipliers: how many of the points come from doublings, and from which ones."""

import numpy as np

from reports.bounded_claims import BoundedClaim
from reports.counts import Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays
from reports.devil.labels import POINTS
from reports.devil.length_ladders import flags
from reports.figure_specs import bars
from reports.formatting import LINEUPS
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, WordColumn, here
from reports.measures import MeasuresOf

PARTS = {
    "face": "points of the cards",
    "hand": "doubled by Specials in hand",
    "end": "doubled by the end of the round",
}
TIMES = (1, 2, 4, 8, 16)
"""Factors by which points are multiplied; the last stands for larger ones too."""
_ALL = "share of all points added"
_HANDS = MeasuresOf(by="times")
MEASURES = (
    MeasuresOf(by="by").share("points from", _ALL),
    MeasuresOf().share("points from doublings", _ALL),
    _HANDS.share("hands by times", "share of the hands with points"),
    _HANDS.share("points by times", _ALL),
)


def counts(played: DevilArrays) -> list[Counts]:
    """Count points by source, and hands by their multiplier."""
    game, added, points = played.game_of, played.added, played.rounds.each("points")
    face, cost, total = (
        part.sum(axis=0) for part in (points, played.rounds.each("cost"), added)
    )
    each = np.stack([face, cost - face, total - cost])
    times = np.clip(added // np.maximum(points, 1), 1, None)
    code = np.searchsorted(TIMES, times, side="right") - 1
    held = flags(code.reshape(-1), len(TIMES)).reshape(-1, *added.shape) & (added > 0)
    hands, worth = held.sum(axis=1), (held * added).sum(axis=1)
    holding = (points > 0).sum(axis=0)
    return [
        grid_of_rows("points from", game, each, total, by=list(PARTS)),
        grid_of_rows("points from doublings", game, total - face, total),
        grid_of_rows("hands by times", game, hands, holding, times=TIMES),
        grid_of_rows("points by times", game, worth, total, times=TIMES),
    ]


def _times_words(times: int) -> str:
    return f"{times} or more" if times == TIMES[-1] else str(times)


SOURCES = MeasureTable(
    "multipliers-share",
    "Where the points come from",
    "Doubled by Specials: what a hand costs beyond its points; doubled by the end: "
    "what is added beyond that.",
    (
        "players",
        WordColumn("part", "part", "what the points come from", PARTS, "by"),
        Number("points from", "share"),
        LINEUPS,
    ),
    sort=("players", "part"),
    draw=bars("table", f"{_ALL}, %", "part"),
    n=POINTS,
)
HANDS = MeasureTable(
    "multipliers-hands",
    "By how much the points of a hand are multiplied",
    "{players} players; hands with points at the end of a round. Hands whose points do "
    "not count are left out.",
    (
        WordColumn(
            "words",
            "multiplied by",
            "points added / points of the cards",
            _times_words,
            "times",
        ),
        Number("hands by times", "hands"),
        Number("points by times", "of all points", name="points"),
    ),
    only=here,
)
HALF = BoundedClaim(
    "Multipliers, {players} players, {who}: {value} of all points come from "
    "doublings: {verdict}",
    "points from doublings",
    {
        "within": "fewer than half",
        "outside": "more than half, so they rule the game",
        "undecided": "whether that is more than half is undecided",
    },
    most=0.5,
    once=True,
)
SECTION = ReportSection(
    id="multipliers",
    title="Multipliers: points that come from doublings",
    question="How many points come from doublings?",
    intro="With {who}. Every Special in hand doubles that hand, and some ways to end a "
    "round double it again.",
    measures=MEASURES,
    counts=counts,
    records=("round",),
    tables=(SOURCES, HANDS),
    claims=(HALF,),
)
