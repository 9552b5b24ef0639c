"""How games end: with a Spoiler, nobody or a Highlander as winner, or tied."""

import numpy as np

from reports import course
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.bounded_claims import BoundedClaim
from reports.counts import Counts, grid
from reports.game_report import ReportSection
from reports.measures import MeasuresOf

HOW = {
    "total": "highest positive total",
    "electability": "equal totals, higher Electability",
    "shared": "equal totals, shared",
    "spoiler": "a Spoiler",
    "spoiler-shared": "Spoilers share",
    "none": "nobody",
    "guard": "broken off",
}
"""The ways in which a game may be decided, in words."""
_KINDS = {"Spoilers": ("spoiler", "spoiler-shared"), "nobody": ("none", "guard")}
MEASURES = (MeasuresOf().share("ended", "share of games", by="by"),)


def counts(played: ArticleIIArrays) -> list[Counts]:
    """Count the games that Spoilers win, and nobody."""
    by = np.array(played.vocabularies["by"])[played.decided_by]
    ends = np.stack([np.isin(by, names) for names in _KINDS.values()])
    return [grid("ended", ends, np.ones((1, played.size)), by=list(_KINDS))]


SPOILERS = BoundedClaim(
    "With {players} players Spoilers win {value} of the games ({who}): {verdict} "
    "{least} to {most} (at most their share of the seats)",
    "ended",
    {"within": "inside", "outside": "outside", "undecided": "undecided against"},
    least=0.05,
    most=lambda players: (players - 2) / players,
    where={"by": "Spoilers"},
    fewest=3,
    subject="games that Spoilers win",
)
"""Below 5 % Spoilers cannot win."""
NOBODY = BoundedClaim(
    "With {players} players nobody wins {value} of the games ({who}): {verdict}",
    "ended",
    most=0.05,
    where={"by": "nobody"},
)
SECTION = ReportSection(
    id="ends",
    title="Spoilers win, nobody wins",
    question="How often does a Spoiler win, or nobody?",
    intro="With {who}. If no total is positive, the Spoiler with the highest "
    "Electability wins; with two players there is no Spoiler, and nobody wins.",
    measures=MEASURES,
    counts=counts,
    records=("standing",),
    tables=(course.ways_decided("ends-how", "Shares of all games.", HOW),),
    claims=(SPOILERS, NOBODY),
)
