"""Who has the first position at the table, as the transcripts tell it too."""

from importlib import import_module

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from sim import games
from sim.transcript import Transcript


class Enough(Exception):
    """Ends games of which the beginning was told."""


class Beginning(Transcript):
    """The seat that the first event of a name tells, game by game."""

    def __init__(self, game: games.Game, name: str, size: int) -> None:
        super().__init__(game)
        self._name, self._size = name, size
        self.seats: list[int] = []

    def event(self, state, name, where, fields) -> None:
        """Tell it, until each game has such an event."""
        super().event(state, name, where, fields)
        told = {
            event["game"]: event["seat"]
            for event in reversed(self.events())
            if event["name"] == self._name
        }
        if len(told) == self._size:
            self.seats = [told[number] for number in sorted(told)]
            raise Enough


@pytest.mark.parametrize("game", games.REGISTRY)
def test_the_first_position_is_whom_the_transcript_names(game):
    known = games.load(game)
    name, later = import_module(f"tests.{game}.plays").PLAYS.first
    for players in known.players:
        numbers = np.arange(20, dtype=np.uint64)
        state = known.start(known.rules(), players, 3, numbers)
        found = known.first(state).tolist()
        cell = Cell(game, known.rules(), players, ("random",) * players, seed=3)
        told = Beginning(known, name, len(numbers))
        with pytest.raises(Enough):
            play(cell, numbers, [told])
        assert found == [(seat + later) % players for seat in told.seats]
        assert len(set(found)) > 1


@pytest.mark.parametrize("players", range(2, 9))
def test_each_position_has_a_name_of_its_own(players):
    names = games.positions(games.load("devil"), players)
    assert len(set(names)) == len(names) == players
    assert names[0] == "first to play"
    assert names[-1] == "last"
