"""Games of Kbernestich played whole, as the sections of the report read them."""

import numpy as np

from experiments.core.block_records import report_context
from experiments.core.cells import Cell, play
from experiments.core.event_tables import event_frames
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.report import REPORT
from sim import games
from sim.recorder import Recorder

GAME = games.load("kbernestich")


def played(lineup, count, changes=None):
    rules = GAME.rules.of(changes)
    cell = Cell("kbernestich", rules, len(lineup), lineup, True)
    recorder = Recorder(REPORT.all_notes)
    end = play(cell, np.arange(count, dtype=np.uint64), [recorder])
    return KbernestichArrays(
        event_frames(GAME, recorder, REPORT.all_notes, end), report_context(cell, end)
    )
