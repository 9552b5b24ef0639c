"""Who is ahead, and whether that changes."""

from collections.abc import Iterator

import numpy as np

from reports import course
from reports.counts import Counts, grid, numbers_to
from reports.game_report import ReportSection, SectionParts
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.labels import ROUND
from reports.measures import MeasuresOf
from reports.report_data import ReportData


def counts(played: KbernestichArrays) -> Iterator[Counts]:
    """Yield whether a rank after a round, but the last, won the game."""
    if played.rounds > 1:
        ranks = [played.standing[1:] == rank for rank in range(played.players)]
        won = np.stack([(here & played.victory).any(axis=1) for here in ranks])
        rounds = numbers_to(played.rounds - 1)
        by = {"rank": numbers_to(played.players), "round": rounds}
        yield grid("won by standing", won, np.ones((1, 1, played.size)), **by)


def standing(played: KbernestichArrays) -> course.Standings:
    """Return scores at the end of each round."""
    return course.Standings.of(played.about, played.score, played.winner, played.game)


def _ranks(data: ReportData) -> SectionParts:
    """Yield who wins, by standing."""
    yield course.ranks(
        data,
        "Who wins, by standing at the end of each round",
        "With equal scores the bottom of the stack is ahead.",
        "won by standing",
        ROUND,
        "1 leads",
    )


SECTION = course.section(
    standing,
    "Scores are counted after every round.",
    ReportSection(
        measures=(
            MeasuresOf(by="rank round").share(
                "won by standing", "share of these seats that win the game"
            ),
        ),
        counts=counts,
        records=("score", "sheet"),
        tables=(_ranks,),
    ),
)
