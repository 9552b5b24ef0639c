"""A game as its tests play it: told as transcripts, or step by step."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import groupby
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.core.cells import Cell, play, seating
from sim.games import load
from sim.listener import Listener
from sim.masks import Masks
from sim.table import Player, Table
from sim.transcript import Event, Transcript
from strategies.random import Random
from strategies.registry import builtin, make

Changes = Mapping[str, Any]
"""Changes to the rules of a game."""


class Plays:
    """A game, its strategies' ``names`` and its steps; ``stage`` is their clock's.

    ``first`` is the first event that names a seat, and how many seats later the first
    position is.
    Its tests have a ``referee``, and ``rarities``: what happens rarely (``rare``), and
    all of that which the tests must show (``RARE``).
    """

    def __init__(
        self, game: str, stage: str = "phase", first: tuple[str, int] = ("start", 0)
    ) -> None:
        self.id = game
        self.first = first
        self.game = load(game)
        self.names = tuple(builtin(game))
        self.steps = import_module(f"sim.{game}.play").STEPS
        self._stage = stage

    @cached_property
    def referee(self) -> ModuleType:
        """The game's referee: ``check``, ``check_stream`` and ``OPTIONS``."""
        return import_module(f"tests.{self.id}.referee")

    @cached_property
    def rarities(self) -> ModuleType:
        """What happens rarely in the game."""
        return import_module(f"tests.{self.id}.rarities")

    def rare(self, events: Sequence[Event]) -> set[str]:
        """Which of the rare things happened in one game."""
        return set(self.rarities.rare(events))

    def any_rules(self, dice: random.Random, players: int) -> Changes:
        """Changes to the rules, from all that a designer may change."""
        plays = import_module(f"tests.{self.id}.plays")
        changes: Changes = plays.any_rules(dice, players)
        return changes

    def any_options(self, dice: random.Random) -> dict[str, Any]:
        """A value of each rule option, the default somewhat more often."""
        options = self.referee.OPTIONS.items()
        return {key: dice.choice((values[0], *values)) for key, values in options}

    @staticmethod
    def numbers(games: int, first: int = 0) -> NDArray[np.uint64]:
        """The indices of so many games in a row."""
        return np.arange(first, first + games, dtype=np.uint64)

    def ruled(self, changes: Changes | None = None) -> Any:
        """The rules of the game with these changes."""
        return self.game.rules.of(changes)

    def cell(
        self, changes: Changes | None, lineup: Sequence[str], *, seed: int, rotate: bool
    ) -> Cell:
        """What is simulated; a strategy for each seat."""
        return Cell(
            self.id, self.ruled(changes), len(lineup), tuple(lineup), rotate, seed
        )

    def transcripts(
        self,
        changes: Changes | None = None,
        players: int = 4,
        games: int = 10,
        *,
        lineup: Sequence[str] | None = None,
        first: int = 0,
        seed: int = 1,
        rotate: bool = False,
    ) -> list[list[Event]]:
        """The transcripts of some games, one list of events a game."""
        seats = lineup or ["random"] * players
        cell = self.cell(changes, seats, seed=seed, rotate=rotate)
        events = self.events(cell, self.numbers(games, first))
        return [list(game) for _, game in groupby(events, lambda event: event["game"])]

    def events(self, cell: Cell, games: NDArray[np.uint64]) -> list[Event]:
        """The transcripts of the games with these indices, as they were played."""
        writer = Transcript(self.game)
        play(cell, games, [writer])
        return list(writer.events())

    def started(
        self,
        changes: Changes | None = None,
        players: int = 4,
        games: int = 50,
        *,
        first: int = 0,
        seed: int = 1,
    ) -> Any:
        """Games that are set up and not yet begun."""
        return self.game.start(
            self.ruled(changes), players, seed, self.numbers(games, first)
        )

    def table(self, players: Sequence[Player] = (), *listeners: Listener) -> Table:
        """A table where one player fills all seats, or each seat has its own."""
        lineup = list(players) or [Random()]
        return Table(lineup, None, self.game.view, self.game.kinds, listeners)

    def seated(self, lineup: Sequence[str], games: int) -> Table:
        """A table for so many games, with these strategies in rotation."""
        everybody = [make(self.id, name) for name in lineup]
        players, sitting = seating(everybody, True, self.numbers(games))
        alone = len(players) == 1
        return Table(
            players, None if alone else sitting, self.game.view, self.game.kinds
        )

    def stages(self, state: Any, table: Table) -> Iterator[Any]:
        """Play to the end, step by step: the stage before every step."""
        while (stage := getattr(state.clock, self._stage)) in self.steps:
            yield stage
            self.steps[stage](state, table)

    def until(self, wanted: Any, state: Any, table: Table) -> Any:
        """The state, played on until this stage comes."""
        for stage in self.stages(state, table):
            if stage is wanted:
                return state
        raise AssertionError(f"{wanted} never comes")

    def any_lineup(self, dice: random.Random, players: int) -> list[str]:
        """A strategy for each seat; half of the time all of them random."""
        if dice.random() < 0.5:
            return ["random"] * players
        return [dice.choice(self.names) for _ in range(players)]


# --- What a state holds -------------------------------------------------------------


def once(places: Iterable[Masks]) -> Masks:
    """(games,) the cards of all places together, none of which is in two of them."""
    seen: Masks = np.zeros(1, dtype=np.uint64)
    for held in places:
        assert not (seen & held).any(), "a card is in two places"
        seen = seen | held
    return seen
