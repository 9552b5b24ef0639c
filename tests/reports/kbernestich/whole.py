"""Games of Kbernestich played whole, as the sections of the report read them."""

import numpy as np

from experiments.blocks import about
from experiments.cells import Cell, play
from experiments.tables import frames
from reports.kbernestich.measures import RAW
from reports.kbernestich.played import Played
from sim import games
from sim.recorder import Recorder

GAME = games.load("kbernestich")


def played(lineup, count, changes=None):
    rules = GAME.rules.of(changes)
    cell = Cell("kbernestich", rules, len(lineup), lineup, True)
    recorder = Recorder(RAW)
    end = play(cell, np.arange(count, dtype=np.uint64), [recorder])
    return Played(frames(GAME, recorder, RAW, end), about(cell, end))
