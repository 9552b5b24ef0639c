"""The story of some games for a report: chances to win, and what hangs on decisions.

Of the leading strategy in every seat, and of searchers. These numbers need whole games
side by side, which sums of blocks do not keep, so they are of a sample with games of
its own.
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
SEARCHED, LEAST = 8, 64
"""One in so many games of searchers is played again, to be followed; in full reports no
fewer than ``LEAST``, where there are as many."""
ENOUGH = 128
"""Games of searchers in which one more is given; full reports have as many."""
_CALLS, _FEW = 24, 40  # moments at which decisions are tried, one for so many games
_OF = 128  # games from which these are drawn


Tables = dict[str, pl.DataFrame]


def story_of(
    cell: Cell, games: int, search: Cell | None = None, followed: int = 0
) -> list[Callable[[], Tables]]:
    """What makes the tables of the story, by name; fewer of few games.

    Calls that know nothing of one another. Of a cell in which everybody searches so
    many games are ``followed`` too, if they are enough.
    """
    games = min(games, report_of(cell.game).games, MOST)
    if games < _FEW:
        return []
    return [
        partial(_course, cell, games, search, followed),
        partial(_turns, cell, min(games // _FEW, _CALLS), min(games, _OF)),
        partial(_economy, cell, cell, min(games, ECONOMY), min(games, ECONOMY)),
    ]


def story_of_searchers(
    one: Cell | None, everybody: Cell | None, games: int
) -> list[Callable[[], Tables]]:
    """The same of one who searches: what hangs on his decisions, and is given to him.

    And brakes where everybody does. None of few games, which would take long and tell
    nothing.
    """
    games = min(games, ECONOMY)
    if one is None or everybody is None or games < _FEW:
        return []
    found: list[Callable[[], Tables]] = [
        partial(_turns, one, _CALLS, min(games, _OF), OF_SEARCH)
    ]
    if games >= ENOUGH:
        brakes = games // BRAKED
        found.append(partial(_economy, one, everybody, games, brakes, OF_SEARCH))
    return found


def followed(searched: int, *, full: bool) -> int:
    """In how many games searchers are followed, where they play so many."""
    return max(searched // SEARCHED, min(searched, LEAST) if full else 0)


def _economy(
    given: Cell, braked: Cell, gifts: int, brakes: int, of: str = ""
) -> Tables:
    """What one more is worth, and what brakes do, in so many games each."""
    found = {
        f"{GRANTED}{of}": gifts_of(given, gifts),
        f"{BRAKES}{of}": brakes_of(braked, brakes) if brakes >= FEW else pl.DataFrame(),
    }
    return {name: table for name, table in found.items() if table.height}


def _course(cell: Cell, games: int, search: Cell | None, followed: int) -> Tables:
    """Chances to win, from moment to moment; of searchers too."""
    told = _standing(cell, games)
    if told is None:
        return {}
    others = None if search is None else _standing(search, followed)
    return story(told) | ({} if others is None else of_searchers(told, others))


def _turns(cell: Cell, calls: int, games: int, of: str = "") -> Tables:
    """What hangs on decisions at so many moments, drawn from so many games."""
    found = sampled(cell, games, calls, report_of(cell.game).tried)
    if found is None:
        return {}
    who = pl.lit(cell.strategies()[0].title).alias("strategy")
    return {
        f"turns{of}": turns(found.tried, found.decisions, found.choices).select(
            who, pl.all()
        ),
        f"kinds{of}": by_kind(found.tried, found.kinds).select(who, pl.all()),
    }


def _standing(cell: Cell, games: int) -> Standing | None:
    """How seats stand in games of a cell; None of few, or where it is not told."""
    report = report_of(cell.game)
    if report.standing is None or games < _FEW:
        return None
    played, raw = record(cell, Block(0, 0, games), report.followed, [])
    read = report.read(raw, about(cell, played), report.followed)
    told: Standing | None = report.standing(read)
    return told
