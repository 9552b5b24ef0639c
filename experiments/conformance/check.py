"""Conformance: checks that every game and every strategy must pass.

    for check in check_strategy("kunitame", "my.py:Bold"):
        print(check.name, check.ok, check.detail)

They are part of the package, so that you can check your own games and strategies.
"""

from experiments.conformance.check_game import check_game
from experiments.conformance.check_strategy import check_strategy
from experiments.conformance.harness import Check

__all__ = ["Check", "check_game", "check_strategy"]
