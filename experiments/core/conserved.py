"""Conservation, looked at in every run: what a game never makes more or less of."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.listener import Listener
from sim.view import Rows


class NotConserved(RuntimeError):
    """A game made cards, gems or cubes, or lost some: a fault of its rules here."""


class Conserved(Listener):
    """Listens to how games end, and holds ``conserved()`` against their start.

    Raises ``NotConserved``, which names the first such game. ``check_game`` looks at
    every decision too; this is once a game, or once a round where games leave or are
    dealt anew (``Table.emit_final_state``).
    """

    ignores_public_history = True

    def __init__(self) -> None:
        self._start: dict[str, NDArray[Any]] = {}

    def begin(self, state: Any) -> None:
        """Keep what there is at the start."""
        if hasattr(state, "conserved"):
            self._start = {n: np.array(v) for n, v in state.conserved().items()}

    def hears(self, name: str) -> bool:
        """The end of games."""
        return name == "result" and bool(self._start)

    def event(self, state: Any, name: str, where: Any, fields: Any) -> None:
        """Compare the games as they end, but for those that have left."""
        self.final_state(state)

    def final_state(self, state: Any, rows: Rows | None = None) -> None:
        """Compare these rows, or all, with how they began."""
        every = rows is None
        started = state.start_rows if every else state.start_rows.take(rows)
        if not self._start or not len(started):
            return
        now = state.conserved() if every else state.conserved(rows)
        for what, value in now.items():
            before = self._start[what].take(started, axis=-1)
            wrong = np.flatnonzero((before != value).reshape(-1, len(before.T)).any(0))
            if len(wrong):
                row = wrong[0]
                game = (state.games if every else state.games.take(rows))[row]
                raise NotConserved(
                    f"game {game}: {what} are not conserved: "
                    f"{before[..., row]} at the start, {value[..., row]} at the end."
                )
