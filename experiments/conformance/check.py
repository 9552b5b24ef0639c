"""Conformance: what every game and every strategy is held to.

    for check in check_strategy("kunitame", "my.py:Bold"):
        print(check.name, check.ok, check.detail)

Part of the package, so that one's own games and strategies can be checked too.
"""

from experiments.conformance.check_game import check_game
from experiments.conformance.check_strategy import check_strategy
from experiments.conformance.harness import Check

__all__ = ["Check", "check_game", "check_strategy"]
