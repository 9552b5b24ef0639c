"""The flow of a game: its steps, one after the other, until it is over."""

from collections.abc import Callable, Mapping
from typing import Any

from sim.table import Table

Step = Callable[[Any, Table], None]
"""Plays some games on to the next question, all at the same time."""


def make_play(steps: Mapping[Any, Step], over: Any, what: str = "phase") -> Step:
    """Plays all games on, from where the clock stands until it says ``over``.

    ``steps`` are by what comes next, which ``what`` of the clock says.
    """

    def play(state: Any, table: Table) -> None:
        while (comes := getattr(state.clock, what)) is not over:
            steps[comes](state, table)

    return play
