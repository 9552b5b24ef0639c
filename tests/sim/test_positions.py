"""Who has the first position at the table, as the transcripts tell it too."""

import numpy as np
import pytest

from experiments.core.cells import Cell
from experiments.core.traces import events
from sim import games

FIRST = {
    "kunitame": ("dealer", 0),
    "kbernestich": ("start", 0),
    "devil": ("dealer", 1),
    "article_ii": ("start", 0),
    "evilpact": ("start", 0),
    "socialism": ("start", 0),
}
"""The first event that names a seat, and how many seats later the first position is."""


def test_every_game_is_here():
    """The Drake's order is told by its Virtues, not by an event."""
    assert {*FIRST, "drake"} == set(games.REGISTRY)


@pytest.mark.parametrize("game", FIRST)
def test_the_first_position_is_whom_the_transcript_names(game):
    known = games.load(game)
    for players in known.players:
        numbers = np.arange(20, dtype=np.uint64)
        state = known.start(known.rules(), players, 3, numbers)
        found = known.first(state).tolist()
        name, later = FIRST[game]
        cell = Cell(game, known.rules(), players, ("random",) * players, seed=3)
        told = {}
        for event in events(cell, range(20)):
            if event["name"] == name:
                told.setdefault(event["game"], (event["seat"] + later) % players)
        assert found == [told[number] for number in range(20)]
        assert len(set(found)) > 1


@pytest.mark.parametrize("players", range(2, 9))
def test_each_position_has_a_name_of_its_own(players):
    names = games.positions(games.load("devil"), players)
    assert len(set(names)) == len(names) == players
    assert names[0] == "first to play"
    assert names[-1] == "last"
