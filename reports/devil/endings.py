"""How rounds end, and who profits: the player who ends it, or the others."""

import numpy as np
import polars as pl

from reports.bounded_claims import RowsClaim
from reports.counts import Counts, grid_of_rows
from reports.devil.game_arrays import ENDINGS, DevilArrays
from reports.devil.labels import ENDING
from reports.figure_specs import dots
from reports.formatting import LINEUPS
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, VerdictColumn
from reports.measures import MeasuresOf
from reports.report_document import Column

_ENDINGS = MeasuresOf(by="by")
MEASURES = (
    _ENDINGS.share("rounds by ending", "share of the rounds that end in this way"),
    _ENDINGS.mean("turns by ending", "turns of a round that ends in this way"),
    _ENDINGS.mean("ender by ending", "points added to the seat that ended it"),
    _ENDINGS.mean("others by ending", "points added to each of the others"),
    _ENDINGS.mean("ahead by ending", "others less ender"),
)


def counts(played: DevilArrays) -> list[Counts]:
    """Count points and turns by ending."""
    others = played.players - 1
    ended = played.ending == np.arange(len(ENDINGS))[:, None]
    rest = played.added.sum(axis=0) - played.own
    values = {
        "turns": (played.rounds.once("turns"), 1),
        "ender": (played.own, 1),
        "others": (rest, others),
        "ahead": (rest - others * played.own, others),
    }
    game = played.game_of
    return [
        grid_of_rows("rounds by ending", game, ended, game * 0 + 1, by=ENDINGS),
        *(
            grid_of_rows(f"{name} by ending", game, ended * y, ended * x, by=ENDINGS)
            for name, (y, x) in values.items()
        ),
    ]


PROFIT = MeasureTable(
    "endings-profit",
    "How rounds end, and points added then: to the ender, and to the others",
    "Ahead is what the player who ended the round gained on the mean of the others.",
    (
        "players",
        ENDING,
        Number("rounds by ending", "rounds"),
        LINEUPS,
        Number("turns by ending", "turns", name="turns"),
        Number("ender by ending", "ender", name="ender"),
        Number("others by ending", "others", name="others"),
        Number("ahead by ending", "ahead", name="ahead"),
        VerdictColumn(
            1, "a point", {"above": "profits", "below": "pays"}, "ahead", ("players",)
        ),
    ),
    where=pl.col("estimate") > 0,
    sort=("players", "how"),
    draw=dots("how", "points gained on the others", "ahead", by="players", reference=0),
    n=Column("ahead_n", "n", "these rounds, times the other seats", "count"),
)
SECTION = ReportSection(
    id="endings",
    title="How rounds end, and who profits",
    question="How do rounds end, and who gains by it?",
    intro="With {who}. Points are bad: the lowest total wins. Going out leaves nothing "
    "in hand; declaring counts the player's own hand twice.",
    measures=MEASURES,
    counts=counts,
    records=("round",),
    tables=(PROFIT,),
    claims=(
        RowsClaim(
            "Endings that a player chooses, {players} players, {who}",
            PROFIT,
            "how",
            {
                "above": "the player gains more than a point on the others",
                "below": "the player loses more than a point",
            },
            where=pl.col("by").str.contains("^(end|oni)"),
        ),
    ),
)
