"""The moments at which decisions are made, such as weeks 1 to 4: read off some games.

How long a game lasts is not declared, and may depend on the rules and on the players.
So moments are those of games that these players play: what comes up in none of them is
worth no what-if.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import sim.games
from experiments.core.cells import Cell, play
from sim import masks
from sim.listener import EVERY, Choice, Listener
from sim.view import Rows
from strategies.random import Random

GAMES = 256
"""The games that are looked at."""


@dataclass(frozen=True)
class Moments:
    """What a unit of the clock counts at some decisions.

    ``found``: the numbers that came up, as labels of the clock. ``words``: their names,
    if they have some (a phase), by number; otherwise they count from 1.
    """

    found: Collection[int]
    words: Sequence[str]

    def number(self, text: str) -> int | None:
        """Return the number that a text means, if that comes up; None if not."""
        number = None
        if text in self.words:
            number = self.words.index(text)
        elif text.isdecimal() and text.isascii():
            number = int(text) - bool(self.words)
        return number if number in self.found else None

    def word(self, number: int) -> str:
        """Return the name of a number, or the number."""
        return self.words[number] if self.words else str(number)

    @property
    def allowed(self) -> str:
        """What comes up, in words."""
        if self.words:
            return ", ".join(self.words[number] for number in sorted(self.found))
        if not self.found:
            return "none"
        first, last = min(self.found), max(self.found)
        return f"{first}" if first == last else f"{first} to {last}"


def moments_of(cell: Cell, unit: str, kinds: Sequence[str]) -> Moments:
    """Return what a unit of the clock counts when these decisions are made.

    ``GAMES`` games of the cell are played; at random where players search, or are of
    the user's own code, which is not run before all is checked.
    """
    strategies = cell.strategies()
    ours = all(type(one).__module__.startswith("strategies.") for one in strategies)
    lineup = cell.lineup if ours and cell.cost == 1 else (Random(),) * cell.players
    clock = _Clock(unit, kinds)
    played = play(
        replace(cell, lineup=lineup, interventions=None),
        np.arange(GAMES, dtype=np.uint64),
        [clock],
    )
    return Moments(clock.found, played.state.vocabularies.get(unit, ()))


class _Clock(Listener):
    """Listens to when decisions of these kinds are made: ``found`` are the numbers."""

    ignores_public_history = True

    def __init__(self, unit: str, kinds: Sequence[str]) -> None:
        self._unit, self._kinds = unit, kinds
        self.found: set[int] = set()

    def hears(self, name: str) -> bool:
        """Hear decisions of these kinds."""
        return name in self._kinds

    def choice(self, state: Any, choice: Choice) -> None:
        """Keep the moment of all rows that are asked."""
        self._keep(state, EVERY, choice)

    def choice_of(self, state: Any, rows: Rows, choice: Choice) -> None:
        """Keep the moment of these rows."""
        self._keep(state, rows, choice)

    def _keep(self, state: Any, rows: Rows | slice, choice: Choice) -> None:
        time = state.clock.labels()[self._unit]
        asked = choice.legal != masks.NOTHING
        now = np.broadcast_to(np.asarray(time), len(state.games))[rows]
        self.found.update(map(int, np.unique(now[asked])))


def units(game: str) -> list[str]:
    """Return the units of the clock by which a game's decisions are named."""
    kinds = sim.games.load(game).kinds.values()
    return sorted({unit for kind in kinds for unit in kind.clock})
