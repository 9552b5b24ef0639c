"""What ``import fairdeal`` offers: a game, its rules, and questions about them.

The command line calls the same functions. By default, all cores play, lineups are
rotated, and a random seed is drawn and shown.
"""

from experiments.api import runs, variant
from experiments.api.counterfactuals import knockout, what_if
from experiments.api.evaluate import Report, compare, luck, playtest, power, report
from experiments.api.game import Game, games
from experiments.api.game_info import (
    bench,
    cards,
    measures,
    rules,
    schema,
    strategies,
)
from experiments.api.own_games import check_game, new_game
from experiments.api.own_strategies import check, learn, tune
from experiments.api.questions import ask
from experiments.api.rule_changes import explore, find, levers
from experiments.api.simulate import Trace, play, study, trace
from experiments.api.strategy_strength import exploit, skill, tournament

__all__ = [
    "Game",
    "Report",
    "Trace",
    "ask",
    "bench",
    "cards",
    "check",
    "check_game",
    "compare",
    "exploit",
    "explore",
    "find",
    "games",
    "knockout",
    "learn",
    "levers",
    "luck",
    "measures",
    "new_game",
    "play",
    "playtest",
    "power",
    "report",
    "rules",
    "runs",
    "schema",
    "skill",
    "strategies",
    "study",
    "tournament",
    "trace",
    "tune",
    "variant",
    "what_if",
]
