"""The flow of a game: its steps, one after the other, until there is none."""

from collections.abc import Callable, Mapping
from typing import Any

from sim.table import Table

Step = Callable[[Any, Table], None]
"""Plays some games on to the next question, all at the same time."""


def playing(steps: Mapping[Any, Step], what: str = "phase") -> Step:
    """Plays all games on, from where the clock stands to the end.

    ``steps`` are by what comes next, which ``what`` of the clock says; for games that
    are over there is none.
    """

    def play(state: Any, table: Table) -> None:
        while step := steps.get(getattr(state.clock, what)):
            step(state, table)

    return play
