"""Multipliers: how many of the points come from doublings, and from which ones."""

import numpy as np

from reports.bounded_claims import BoundedClaim
from reports.counts import Counts, grid_of_rows
from reports.devil.game_arrays import DevilArrays
from reports.devil.labels import POINTS
from reports.figure_specs import bars
from reports.formatting import LINEUPS
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, WordColumn
from reports.measures import MeasuresOf

PARTS = {
    "face": "points of the cards",
    "hand": "doubled by Specials in hand",
    "end": "doubled by the end of the round",
}
_ALL = "share of all points added"
MEASURES = (
    MeasuresOf(by="by").share("points from", _ALL),
    MeasuresOf().share("points from doublings", _ALL),
)


def counts(played: DevilArrays) -> list[Counts]:
    """Count points by source."""
    game, added, points = played.game_of, played.added, played.rounds.each("points")
    face, cost, total = (
        part.sum(axis=0) for part in (points, played.rounds.each("cost"), added)
    )
    each = np.stack([face, cost - face, total - cost])
    return [
        grid_of_rows("points from", game, each, total, by=list(PARTS)),
        grid_of_rows("points from doublings", game, total - face, total),
    ]


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
HALF = BoundedClaim(
    "Multipliers, {players} players, {who}: {value} of all points come from "
    "doublings: {verdict}",
    "points from doublings",
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
    tables=(SOURCES,),
    claims=(HALF,),
)
