"""What would settle the lines of page one that the leading players leave open.

Nothing is settled without them: whether a line is fair, and whether what it claims
holds for others, is asked of their games first.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from reports.course.section import leading_claims
from reports.scorecard import cell_lines
from reports.scorecard.line_statistics import POSITION
from reports.scorecard.score import ScorecardRun, cell_of
from reports.scorecard.scored_line import OPEN, judged
from reports.statistics.equivalence import deciding_games
from reports.statistics.repeated_looks import LATER


def more_games(run: ScorecardRun) -> dict[int, float]:
    """Return the further games that would settle an open line, by number of players.

    Those of what takes the fewest, a line or a claim about its number; none where the
    leading players settle all.
    """
    needed: dict[int, float] = {}
    for players, games in _open(run):
        if not np.isnan(games):
            needed[players] = min(games, needed.get(players, games))
    return needed


def _open(run: ScorecardRun) -> Iterator[tuple[int, float]]:
    """Yield the number of players and the further games for each that is open."""
    data = run.data
    for players in data.counts:
        [cell] = data.cells.filter(data.leads(players), kind="self")["cell"]
        here = cell_of(run, data, cell, players)
        claims = []
        for line in run.lines:
            asked = data.begins if line.id == "positions" else players == data.players
            if line.id not in cell_lines.CELL_LINES or not asked:
                continue
            number = cell_lines.CELL_LINES[line.id](here)
            if judged(line, players, number).verdict in OPEN and number is not None:
                later = np.array(number.errors) * LATER / here.wider(POSITION)
                ends = line.tolerance.fair_range
                enough = deciding_games(number.values, later, number.n, *ends)
                yield players, max(enough - number.n, 1.0)
            claims.append(cell_lines.claim(line, here))
        if players == data.players:
            course = leading_claims(players).values()
            claims += [claim for claim in course if claim.measure in data.measures]
        for claim in filter(None, claims):
            tried = run.robustness.test_claim(claim)
            if tried is not None and tried.asserted.sign is None:
                [row] = tried.rows.filter(pl.col("leads")).to_dicts()
                if row["more_games"] is not None:
                    yield players, row["more_games"]
