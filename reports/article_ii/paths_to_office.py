"""From where Presidents come: their rank in the Primary, and how the General begins.

When the General begins, a seat is ahead of the other Candidate, behind, or a Spoiler.
"""

import numpy as np

from reports.article_ii.game_arrays import ArticleIIArrays
from reports.bounded_claims import BoundedClaim
from reports.counts import Array, Counts, grid
from reports.figure_specs import dots
from reports.formatting import estimated
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, stacked
from reports.measures import MeasuresOf
from reports.report_document import Column

STANDINGS = dict(
    enumerate(("Candidate ahead", "Candidate level", "Candidate behind", "Spoiler"))
)
AHEAD, BEHIND = 0, 2
_LOW = -30_000  # below every total

_OF_SEATS = "share of these seats that win"
_ARRAYS = MeasuresOf()
MEASURES = (
    _ARRAYS.share("won by rank", _OF_SEATS, by="rank"),
    _ARRAYS.share("won by standing", _OF_SEATS, by="standing"),
)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count wins by rank of the Primary, and by standing when the General begins."""
    ranks, over = range(1, played.players + 1), played.over[0]
    at = np.stack([(played.rank == rank) & over for rank in ranks])
    stood = standing(played) & over
    by_rank, by_standing = ((part & played.victory).sum(axis=1) for part in (at, stood))
    return [
        grid("won by rank", by_rank, at.sum(axis=1), rank=ranks),
        grid("won by standing", by_standing, stood.sum(axis=1), standing=[*STANDINGS]),
    ]


def standing(played: ArticleIIArrays) -> Array:
    """Return how a seat stands when the General begins, (standings, seats, games).

    Ahead: with the higher total of the General, if it ended at once.
    """
    named = played.candidates
    total = np.where(named, played.general[0], _LOW)
    least = np.where(named, played.general[0], -_LOW).min(axis=0)
    level = named & (least == total.max(axis=0))
    first = named & (total == total.max(axis=0))
    return np.stack([first & ~level, level, named & ~first, ~named])


PLACES = MeasureTable(
    "paths-places",
    "Presidents by rank of the Primary, and by standing when the General begins",
    "A Spoiler wins if no total is positive, or as Highlander.",
    (
        "players",
        Column("what", "place", "rank of the Primary total, or standing"),
        estimated("win share", "games won by such a seat", "share"),
    ),
    source=stacked(
        {
            f"rank {rank} of the Primary": ("won by rank", {"rank": rank})
            for rank in (1, 2)
        }
        | {
            words: ("won by standing", {"standing": at})
            for at, words in STANDINGS.items()
        }
    ),
    draw=dots("what", "win share of a seat, %", by="table"),
)
FAVOURED = BoundedClaim(
    "With {players} players the Candidate who is ahead when the General begins wins "
    "{value} of the games, the one behind {behind} (even: {even}): {verdict} ({who})",
    "won by standing",
    {
        "within": "the Candidate ahead wins more often than not",
        "outside": "the Candidate ahead loses more often than not",
        "undecided": "whether the Candidate ahead wins more often than not is "
        "undecided",
    },
    least=0.5,
    where={"standing": AHEAD},
    also={"behind": ("won by standing", {"standing": BEHIND})},
)
SECTION = ReportSection(
    id="paths",
    title="Who becomes President, and from where",
    question="Who becomes President, and from which place?",
    intro="With {who}. Rank 1 has the highest total of the Primary; Candidates are "
    "ranks 1 and 2. The Candidate who would have the higher total if the General ended "
    "as it begins is ahead.",
    measures=MEASURES,
    counts=counts,
    records=("standing",),
    tables=(PLACES,),
    claims=(FAVOURED,),
)
