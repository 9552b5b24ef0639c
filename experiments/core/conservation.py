"""Conservation laws, checked in every run: what a game may neither gain nor lose."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.listener import Listener
from sim.view import Rows


class NotConserved(RuntimeError):
    """A game gained or lost cards, gems or cubes: its rules have a bug."""


class ConservationCheck(Listener):
    """Listens to the end of games, and compares ``conserved()`` with their start.

    Raises ``NotConserved``, which names the first such game. ``check_game`` also checks
    at every decision; here it is once a game, or once a round if games leave or are
    dealt anew (``Table.emit_final_state``), so that it costs next to nothing.
    """

    ignores_public_history = True

    def __init__(self) -> None:
        self._start: dict[str, NDArray[Any]] = {}

    def begin(self, state: Any) -> None:
        """Keep the quantities at the start."""
        if hasattr(state, "conserved"):
            self._start = {n: np.array(v) for n, v in state.conserved().items()}

    def hears(self, name: str) -> bool:
        """Hear the end of games."""
        return name == "result" and bool(self._start)

    def event(self, state: Any, name: str, where: Any, fields: Any) -> None:
        """Compare the games that end, without those that have left."""
        self.final_state(state)

    def final_state(self, state: Any, rows: Rows | None = None) -> None:
        """Compare these rows, by default all, with their start."""
        all_rows = rows is None
        started = state.start_rows if all_rows else state.start_rows.take(rows)
        if not self._start or not len(started):
            return
        now = state.conserved() if all_rows else state.conserved(rows)
        for quantity, value in now.items():
            before = self._start[quantity].take(started, axis=-1)
            wrong = np.flatnonzero((before != value).reshape(-1, len(before.T)).any(0))
            if len(wrong):
                row = wrong[0]
                game = (state.games if all_rows else state.games.take(rows))[row]
                raise NotConserved(
                    f"game {game}: {quantity} are not conserved: "
                    f"{before[..., row]} at the start, {value[..., row]} at the end. "
                    f"To find the line: fairdeal check-game {state.game_id}"
                )
