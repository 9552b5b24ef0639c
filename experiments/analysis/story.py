"""The story of some games for a report: chances to win, and what hangs on decisions.

Of the leading strategy in every seat. These numbers need whole games side by side,
which sums of blocks do not keep, so they are of a sample with games of its own.
"""

import polars as pl

from experiments.analysis.economy import economy_of
from experiments.analysis.turning_points import sampled
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.core.recording import Block, about, record
from reports.course.story import story
from reports.course.turns import by_kind, turns

MOST = 2_048
"""Games from which chances to win are told."""
ECONOMY = 1_024
"""Games in which one more of something is given, and brakes are taken away."""
_CALLS, _FEW = 24, 40  # moments at which decisions are tried, one for so many games
_OF = 128  # games from which these are drawn


def story_of(cell: Cell, games: int) -> dict[str, pl.DataFrame]:
    """The tables of the story, by name; fewer of few games."""
    report = report_of(cell.game)
    tables: dict[str, pl.DataFrame] = {}
    games = min(games, report.games, MOST)
    if report.standing is not None and games >= _FEW:
        played, raw = record(cell, Block(0, 0, games), report.recorded, [])
        told = report.standing(report.reads(raw, about(cell, played)))
        tables |= {} if told is None else story(told)
    if games >= _FEW:
        tables |= economy_of(cell, min(games, ECONOMY))
    calls = min(games // _FEW, _CALLS)
    found = sampled(cell, min(games, _OF), calls) if calls else None
    if found is not None:
        tables["turns"] = turns(found.tried, found.decisions, found.choices)
        tables["kinds"] = by_kind(found.tried, found.kinds)
    return tables
