"""A leak is seen in any run, and named with its game."""

from importlib import import_module

import numpy as np
import pytest

from experiments.core.cells import Cell, play
from experiments.core.conservation import NotConserved
from sim import games
from sim.kunitame import play as steps
from sim.kunitame.state import Phase

NUMBERS = np.arange(40, dtype=np.uint64)


def test_a_planted_leak_is_named(monkeypatch):
    def leaky(state, table):
        steps.end_week(state, table)
        lost = state.gems_1[7]
        state.gems_1[7] = lost & (lost - np.uint64(1))

    monkeypatch.setitem(steps.STEPS, Phase.WEEK, leaky)
    cell = Cell("kunitame", games.load("kunitame").rules.of(), 4, ("random",), True)
    with pytest.raises(NotConserved, match=r"game 7: 1-point gems are not conserved"):
        play(cell, NUMBERS)


@pytest.mark.parametrize("name", sorted({*games.REGISTRY} - {"kunitame"}))
def test_so_it_is_in_every_game(name, monkeypatch):
    """Also where games leave before all are over.

    Of Kunitame above: its card that is played twice is right again at the end.
    """
    thefts = import_module(f"tests.{name}.test_replay").THEFTS
    steps = import_module(f"sim.{name}.play").STEPS
    for thing, (stage, steal) in thefts.items():

        def thief(state, table, step=steps[stage], steal=steal):
            step(state, table)
            if len(state.games) > 3:
                steal(state)

        with monkeypatch.context() as patch:
            patch.setitem(steps, stage, thief)
            players = min(4, games.load(name).players[-1])
            cell = Cell(name, games.load(name).rules.of(), players, ("random",), True)
            with pytest.raises(NotConserved, match=f"{thing} are not conserved"):
                play(cell, NUMBERS)


@pytest.mark.parametrize("name", games.REGISTRY)
def test_nothing_leaks_in_any_game(name):
    game = games.load(name)
    for players in game.players:
        play(Cell(name, game.rules.of(), players, ("random",), True), NUMBERS)
