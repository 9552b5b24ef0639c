"""Tests that are the same for every game, as classes of which each game has its own.

    class TestReplay(Replay):
        plays = PLAYS
        rules = {"hand": 4}

A game's class says what is the game's own. With ``@each("name", "golden")`` a test's
argument ``name`` is in turn each of what the class calls ``golden``.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import pytest

from tests.games.plays import Plays

Test = TypeVar("Test", bound=Callable[..., None])


def each(arguments: str, name: str) -> Callable[[Test], Test]:
    """Run a test with each of what its class has under this name."""

    def marked(test: Test) -> Test:
        vars(test).setdefault("each", {})[arguments] = name
        return test

    return marked


class Room:
    """Tests of one game."""

    plays: Plays

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each test its arguments."""
        wanted: Mapping[str, str] = getattr(metafunc.function, "each", {})
        for arguments, name in wanted.items():
            values = getattr(self, name)
            found = values() if callable(values) else values
            metafunc.parametrize(arguments, list(found))
