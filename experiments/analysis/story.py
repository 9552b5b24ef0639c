"""The story of some games for a report: chances to win, and what hangs on decisions.

Of the leading strategy in every seat. These numbers need whole games side by side,
which sums of blocks do not keep, so they are of a sample with games of its own.
"""

from collections.abc import Callable
from functools import partial

import polars as pl

from experiments.analysis.economy import brakes_of, gifts_of
from experiments.analysis.turning_points import sampled
from experiments.core.cells import Cell
from experiments.core.measures import report_of
from experiments.core.recording import Block, about, record
from reports.course.standing import Standing
from reports.course.story import of_searchers, story
from reports.course.turns import by_kind, turns
from reports.ledger.worth import BRAKES, FEW, GRANTED, OF_SEARCH

MOST = 2_048
"""Games from which chances to win are told."""
ECONOMY = 1_024
"""Games in which one more of something is given, and brakes are taken away."""
BRAKED = 4
"""One in so many games of searchers is played with a brake and without."""
SEARCHED = 8
"""One in so many games of searchers is played again, to be followed."""
_ENOUGH = 256  # games of searchers in which one more is given
_CALLS, _FEW = 24, 40  # moments at which decisions are tried, one for so many games
_OF = 128  # games from which these are drawn


Tables = dict[str, pl.DataFrame]


def story_of(
    cell: Cell, games: int, search: Cell | None = None, searched: int = 0
) -> list[Callable[[], Tables]]:
    """What makes the tables of the story, by name; fewer of few games.

    Calls that know nothing of one another. Where a cell in which everybody searches is
    played in many games (``searched``), a part of them is followed too.
    """
    games = min(games, report_of(cell.game).games, MOST)
    if games < _FEW:
        return []
    return [
        partial(_turns, cell, games),
        partial(_course, cell, games, search, searched),
        partial(_economy, cell, cell, min(games, ECONOMY), min(games, ECONOMY)),
    ]


def economies_of_searchers(
    one: Cell | None, everybody: Cell | None, games: int
) -> list[Callable[[], Tables]]:
    """The same of what is given to one who searches, and brakes where everybody does.

    None of few games, which would take long and tell nothing.
    """
    games = min(games, ECONOMY)
    if one is None or everybody is None or games < _ENOUGH:
        return []
    return [partial(_economy, one, everybody, games, games // BRAKED, OF_SEARCH)]


def _economy(
    given: Cell, braked: Cell, gifts: int, brakes: int, of: str = ""
) -> Tables:
    """What one more is worth, and what brakes do, in so many games each."""
    found = {
        f"{GRANTED}{of}": gifts_of(given, gifts),
        f"{BRAKES}{of}": brakes_of(braked, brakes) if brakes >= FEW else pl.DataFrame(),
    }
    return {name: table for name, table in found.items() if table.height}


def _course(cell: Cell, games: int, search: Cell | None, searched: int) -> Tables:
    """Chances to win, from moment to moment; of searchers too."""
    told = _standing(cell, games)
    if told is None:
        return {}
    others = None if search is None else _standing(search, searched // SEARCHED)
    return story(told) | ({} if others is None else of_searchers(told, others))


def _turns(cell: Cell, games: int) -> Tables:
    """What hangs on decisions."""
    calls, each = min(games // _FEW, _CALLS), report_of(cell.game).tried
    found = sampled(cell, min(games, _OF), calls, each)
    if found is None:
        return {}
    return {
        "turns": turns(found.tried, found.decisions, found.choices),
        "kinds": by_kind(found.tried, found.kinds),
    }


def _standing(cell: Cell, games: int) -> Standing | None:
    """How seats stand in games of a cell; None of few, or where it is not told."""
    report = report_of(cell.game)
    if report.standing is None or games < _FEW:
        return None
    played, raw = record(cell, Block(0, 0, games), report.recorded, [])
    told: Standing | None = report.standing(report.reads(raw, about(cell, played)))
    return told
