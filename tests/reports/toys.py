"""Toy games of a test: registered while it runs, beside the games that there are."""

import sys
from types import ModuleType

from sim import games
from strategies import registry


def registered(monkeypatch, game, about):
    """Register a game by its id, and a folder for its strategies, which is empty.

    Returns that folder's module, whose ``__path__`` may be set.
    """
    module = ModuleType(f"sim.{game.id}.game")
    strategies = ModuleType(f"strategies.{game.id}")
    module.GAME, strategies.__path__ = game, []
    for name, one in (
        (f"sim.{game.id}", ModuleType(f"sim.{game.id}")),
        (f"sim.{game.id}.game", module),
        (f"strategies.{game.id}", strategies),
    ):
        monkeypatch.setitem(sys.modules, name, one)
    monkeypatch.setitem(games.REGISTRY, game.id, about)
    return strategies


def plays_only(monkeypatch, game, strategies):
    """Have a registered game these strategies, by name; all others keep theirs.

    Who is strong at a game is found once for all tests, so no test may change it.
    """
    usual = registry._builtin
    monkeypatch.setattr(
        registry,
        "_builtin",
        lambda asked: strategies if asked == game.id else usual(asked),
    )
