"""Games of Article II as raw tables and as transcripts."""

from collections import defaultdict

import numpy as np

from experiments.core.block_records import report_context
from experiments.core.cells import Cell, play
from experiments.core.event_tables import event_frames
from reports.article_ii.game_arrays import ArticleIIArrays
from reports.article_ii.report import REPORT
from reports.measures import SUM_TYPES
from sim import games
from sim.recorder import Recorder
from sim.transcript import Transcript

GAME = games.load("article_ii")
RAW = REPORT.all_notes


def cell(players=4, lineup=None, changes=None, **more):
    lineup = lineup or ("random",) * players
    rules = GAME.rules().changed(changes or {})
    return Cell("article_ii", rules, players, lineup, True, **more)


def raw_of(of, count, names=RAW):
    recorder = Recorder(names)
    played = play(of, np.arange(count, dtype=np.uint64), [recorder])
    return event_frames(GAME, recorder, names, played), report_context(of, played)


def transcripts(of, count=12):
    """The games read as arrays, and their events by game."""
    recorder, transcript = Recorder(RAW), Transcript(GAME)
    played = play(of, np.arange(count, dtype=np.uint64), [recorder, transcript])
    events = defaultdict(list)
    for event in transcript.events():
        events[event["game"]].append(event)
    raw = event_frames(GAME, recorder, RAW, played)
    return ArticleIIArrays(raw, report_context(of, played)), dict(events)


def by_name(sums):
    """Tables of sums by measure: group -> (y, x)."""
    found = {}
    for counts in sums:
        part = counts.sums()
        names = [n for n in part.columns if n not in SUM_TYPES]
        for row in part.rows(named=True):
            key = tuple(row[name] for name in names)
            found.setdefault(counts.measure, {})[key] = (row["y"], row["x"])
    return found
