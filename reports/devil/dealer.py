"""The dealer: whether it matters who deals, and in which order players take turns.

The first dealer is drawn, so seats themselves cannot differ. The dealer plays last in
round 1; afterwards whoever ended a round deals the next.
"""

from collections.abc import Iterator

import numpy as np

from reports.bounded_claims import RowsClaim
from reports.counts import Counts, grid_of_rows, numbers_to
from reports.devil.game_arrays import DevilArrays
from reports.figure_specs import dots
from reports.game_report import ReportSection
from reports.measure_tables import MeasureTable, Number, VerdictColumn
from reports.measures import MeasuresOf
from reports.positions import PositionTable, with_position_words
from reports.report_document import Column

_POSITIONS = MeasuresOf(by="position")
_EXTRA = "points added in round 1 less the table's mean"
MEASURES = (_POSITIONS.mean("extra by position, first", _EXTRA, unit="points"),)


def counts(played: DevilArrays) -> Iterator[Counts]:
    """Count points of round 1 by position in the order of turns, dealers last."""
    seats, every, game = played.players, numbers_to(played.players), played.game_of
    position = played.position(played.rounds.once("dealer") + 1)
    here = position == np.array(every)[:, None, None]
    above = (here * (seats * played.added - played.added.sum(axis=0))).sum(axis=1)
    first = played.rounds.round == 1
    yield grid_of_rows(
        "extra by position, first", game, above * first, seats * first, position=every
    )


ROUNDS = MeasureTable(
    "dealer-rounds",
    "Points of round 1 by position",
    "Points added less the mean of the table: more is worse.",
    (
        "players",
        Column("where", "where", "position in the order of turns; the dealer is last"),
        Number("extra by position, first", "points, round 1"),
        VerdictColumn(
            1, "one point", {"above": "costs", "below": "saves"}, family=("players",)
        ),
    ),
    rows=with_position_words("first to play"),
    draw=dots("where", "points of round 1 less the table's mean", reference=0),
    figure_here=True,
    n=Column("n", "n", "first rounds, times the seats", "count"),
)
SECTION = ReportSection(
    id="dealer",
    title="The dealer and the order of turns",
    question="Does it matter who deals, and who has the first turn?",
    intro="With {who}. The first dealer is drawn; the seat to the dealer's left plays "
    "first, the dealer last. Whoever ends a round deals the next.",
    measures=MEASURES,
    counts=counts,
    records=("round",),
    tables=(
        PositionTable(
            "dealer-places",
            "who deals first",
            "Win share of the game by position in round 1",
            once=True,
        ),
        ROUNDS,
    ),
    claims=(
        RowsClaim(
            "Points of round 1, {players} players, {who}, above the table's mean",
            ROUNDS,
            "where",
            {"above": "more than one", "below": "more than one less"},
        ),
    ),
)
