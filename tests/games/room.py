"""Tests that are the same for every game, as classes of which each game has its own.

    class TestReplay(Replay):
        plays = PLAYS
        rules = {"hand": 4}

A game's class says what is the game's own. With ``@each(name="golden")`` the argument
``name`` of a test is in turn each of what the class calls ``golden``.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import pytest

from tests.games.plays import Plays

Test = TypeVar("Test", bound=Callable[..., None])


def each(**arguments: str) -> Callable[[Test], Test]:
    """Run a test with each of what its class has under these names."""

    def marked(test: Test) -> Test:
        vars(test)["each"] = arguments
        return test

    return marked


class Room:
    """Tests of one game."""

    plays: Plays

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give each test its arguments."""
        arguments: Mapping[str, str] = getattr(metafunc.function, "each", {})
        for argument, name in arguments.items():
            values = getattr(self, name)
            found = values() if callable(values) else values
            metafunc.parametrize(argument, list(found))
