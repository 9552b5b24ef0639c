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
from reports.course.standing import Standing
from reports.course.story import of_searchers, story
from reports.course.turns import by_kind, turns

MOST = 2_048
"""Games from which chances to win are told."""
ECONOMY = 1_024
"""Games in which one more of something is given, and brakes are taken away."""
SEARCHED = 8
"""One in so many games of searchers is played again, to be followed."""
_CALLS, _FEW = 24, 40  # moments at which decisions are tried, one for so many games
_OF = 128  # games from which these are drawn


def story_of(
    cell: Cell, games: int, search: Cell | None = None, searched: int = 0
) -> dict[str, pl.DataFrame]:
    """The tables of the story, by name; fewer of few games.

    Where a cell in which everybody searches is played in many games (``searched``), a
    part of them is followed too.
    """
    tables: dict[str, pl.DataFrame] = {}
    report = report_of(cell.game)
    games = min(games, report.games, MOST)
    told = _standing(cell, games)
    if told is not None:
        tables |= story(told)
        others = None if search is None else _standing(search, searched // SEARCHED)
        tables |= {} if others is None else of_searchers(told, others)
    if games >= _FEW:
        tables |= economy_of(cell, min(games, ECONOMY))
    calls = min(games // _FEW, _CALLS)
    most = min(games, _OF)
    found = sampled(cell, most, calls, report.tried) if calls else None
    if found is not None:
        tables["turns"] = turns(found.tried, found.decisions, found.choices)
        tables["kinds"] = by_kind(found.tried, found.kinds)
    return tables


def _standing(cell: Cell, games: int) -> Standing | None:
    """How seats stand in games of a cell; None of few, or where it is not told."""
    report = report_of(cell.game)
    if report.standing is None or games < _FEW:
        return None
    played, raw = record(cell, Block(0, 0, games), report.recorded, [])
    told: Standing | None = report.standing(report.reads(raw, about(cell, played)))
    return told
