"""Take-that: how often the leader is hit, and kingmaking.

A hit is a card played on another player (or taken from them) that lowers their total of
the phase. The leader is the player who alone would win if the phase ended then.
"""

import numpy as np
import polars as pl

from reports.article_ii import general_choices, what_ifs
from reports.article_ii.game_arrays import PHASE_WORDS, PHASES, ArticleIIArrays
from reports.article_ii.labels import PHASE
from reports.bounded_claims import BoundedClaim
from reports.counts import Array, Counts, grid
from reports.figure_specs import dots
from reports.formatting import LINEUPS
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number
from reports.measures import MeasuresOf

_PHASES = MeasuresOf(by="phase")
MEASURES = (
    _PHASES.share("leader hit", "share of the marks that hit, on who leads"),
    *general_choices.MEASURES,
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count marks that hit another player while somebody else leads."""
    changes = played.changes
    phase = changes["phase"].astype(np.int64)
    hits = (changes["on"] != changes["seat"]) & (changes["gain"] < 0)
    leads = (changes["leader"] >= 0) & (changes["leader"] != changes["seat"])
    could = hits & leads & _marks(played)
    aimed = could & (changes["on"] == changes["leader"])
    every, at_leader = (played.counted(rows, phase, 2) for rows in (could, aimed))
    return [
        grid("leader hit", at_leader, every, phase=PHASES),
        *general_choices.counts(played),
    ]


def _marks(played: ArticleIIArrays) -> Array:
    """Return which changes are marks being placed: they hit whoever they lie on.

    A Style or a removal takes more from players who have more, whatever its target.
    """
    kinds = played.rules["cards"]
    mark = np.array([kinds[name]["kind"] == "mark" for name in played.cards])
    changes = played.changes
    placed = changes["change"] == played.vocabularies["change"].index("placed")
    marks: Array = placed & mark[changes["card"]]
    return marks


LEADER = MeasureTable(
    "take-that-leader",
    "How often a hit falls on the leader",
    "Of marks that others than the leader play on another player while somebody leads "
    "alone; at random it would be one in the number of others. Styles and removals are "
    "left out: they take more from players who have more, whatever their target.",
    (
        "players",
        PHASE,
        Number("leader hit", "on the leader", "share of marks that hit"),
        LINEUPS,
    ),
    where=pl.col("players") > 2,
    draw=dots("election", "share of marks that hit the leader, %", by="table"),
)
SECTION = ReportSection(
    id="take-that",
    title="Take-that: hits on the leader, kingmaking",
    question="How often is the leader hit, and do those who cannot win decide it?",
    intro="With {who}. The leader is the player who alone would win the phase if it "
    "ended at that moment: the highest total of the Primary, the President of the "
    "General. A hit lowers another player's total of the phase.",
    measures=MEASURES,
    counts=counts,
    records=("change", "standing"),
    tables=(LEADER, *general_choices.TABLES),
    claims=(
        *(
            BoundedClaim(
                f"Take-that, {words}, {{players}} players, {{who}}: of the marks that "
                "hit somebody while their player does not lead, {value} hit the "
                "leader; at random it would be {least}: {verdict}",
                "leader hit",
                {
                    "within": "they are aimed at the leader",
                    "outside": "the leader is spared",
                    "undecided": "undecided",
                },
                least=lambda players: 1 / (players - 1),
                where={"phase": phase},
                fewest=3,
            )
            for phase, words in PHASE_WORDS.items()
        ),
        general_choices.KINGMAKER,
    ),
    what_ifs=(what_ifs.CHOICES,),
)
