"""The flow of a game: one step after another until it is over."""

from collections.abc import Callable, Mapping
from typing import Any

from sim.table import Table

Step = Callable[[Any, Table], None]
"""Plays all games of a state on to the next decision."""


def make_play(steps: Mapping[Any, Step], over: Any, what: str = "phase") -> Step:
    """Make the ``play`` of a game from its steps.

    It plays on from where the clock stands until that reaches ``over``. ``steps`` are
    keyed by what comes next, which is the clock's attribute ``what``.
    """

    def play(state: Any, table: Table) -> None:
        while (phase := getattr(state.clock, what)) is not over:
            steps[phase](state, table)

    return play
