"""What is counted of every game for its scorecard, and no more."""

from functools import lru_cache

from experiments.core.decisions import DECISIONS
from experiments.core.measures import standing
from reports import any_game
from reports.game_report import GameReport
from sim import games


@lru_cache(maxsize=32)
def report_of(game: str) -> GameReport:
    """The report of what every game can tell."""
    return any_game.report(DECISIONS, *standing(games.load(game)))
