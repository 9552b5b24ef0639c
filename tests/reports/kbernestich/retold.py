"""Games of Kbernestich as raw tables and as transcripts."""

from collections import defaultdict

import numpy as np

from experiments.blocks import about
from experiments.cells import Cell, play
from experiments.tables import frames
from reports.kbernestich.measures import RAW
from reports.kbernestich.played import Played
from sim import games
from sim.recorder import Recorder
from sim.transcript import Transcript

GAME = games.load("kbernestich")


def cell(players=4, lineup=None, changes=None, **more):
    lineup = lineup or ("random",) * players
    rules = GAME.rules.of(changes)
    return Cell("kbernestich", rules, players, lineup, True, **more)


def raw_of(of, count=12):
    recorder = Recorder(RAW)
    played = play(of, np.arange(count, dtype=np.uint64), [recorder])
    return frames(GAME, recorder, RAW, played), about(of, played)


def told(of, count=12):
    """The games read as arrays, and their events by game."""
    recorder, transcript = Recorder(RAW), Transcript(GAME)
    played = play(of, np.arange(count, dtype=np.uint64), [recorder, transcript])
    events = defaultdict(list)
    for event in transcript.events():
        events[event["game"]].append(event)
    raw = frames(GAME, recorder, RAW, played)
    return Played(raw, about(of, played)), dict(events)
