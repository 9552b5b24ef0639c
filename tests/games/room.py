"""Tests that are the same for every game, as classes of which each game has its own.

    class TestReplay(Replay):
        plays = PLAYS
        rules = {"hand": 4}

A game's class says what is the game's own. With ``@each("name", "golden")`` a test's
argument ``name`` is in turn each of what the class calls ``golden``.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

from tests.games.plays import Plays


def first_few(cases: Iterable[Any], number: int = 1) -> list[Any]:
    """Cases of which those after the first ones are slow."""
    found = []
    for n, case in enumerate(cases):
        if n < number or isinstance(case, ParameterSet):
            found.append(case)
        else:
            values = case if isinstance(case, tuple) else (case,)
            found.append(pytest.param(*values, marks=pytest.mark.slow))
    return found


def in_turn(cases: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Cases of which one of each kind (what stands first) stays, the others are soaked.

    Of the first kind it is the first case, of the second the second, and so on round.
    """
    kinds: dict[Any, list[tuple[Any, ...]]] = {}
    for case in cases:
        kinds.setdefault(case[0], []).append(case)
    return [
        pytest.param(*case, marks=() if at == n % len(of) else pytest.mark.soak)
        for n, of in enumerate(kinds.values())
        for at, case in enumerate(of)
    ]


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
