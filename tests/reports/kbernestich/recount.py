"""Games of Kbernestich as raw tables and as transcripts."""

from collections import defaultdict

import numpy as np

from experiments.core.block_records import report_context
from experiments.core.cells import Cell, play
from experiments.core.event_tables import event_frames
from reports.kbernestich.game_arrays import KbernestichArrays
from reports.kbernestich.report import REPORT
from sim import games
from sim.recorder import Recorder
from sim.transcript import Transcript

GAME = games.load("kbernestich")


def cell(players=4, lineup=None, changes=None, **more):
    lineup = lineup or ("random",) * players
    rules = GAME.rules.of(changes)
    return Cell("kbernestich", rules, players, lineup, True, **more)


def raw_of(of, count=12):
    recorder = Recorder(REPORT.all_notes)
    played = play(of, np.arange(count, dtype=np.uint64), [recorder])
    return event_frames(GAME, recorder, REPORT.all_notes, played), report_context(
        of, played
    )


def transcripts(of, count=12):
    """The games read as arrays, and their events by game."""
    recorder, transcript = Recorder(REPORT.all_notes), Transcript(GAME)
    played = play(of, np.arange(count, dtype=np.uint64), [recorder, transcript])
    events = defaultdict(list)
    for event in transcript.events():
        events[event["game"]].append(event)
    raw = event_frames(GAME, recorder, REPORT.all_notes, played)
    return KbernestichArrays(raw, report_context(of, played)), dict(events)
