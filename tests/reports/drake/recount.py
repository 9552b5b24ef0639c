"""Games of the Drake as the report reads them, and as their transcripts tell them."""

from collections import defaultdict

import numpy as np

from experiments.core.cells import Cell
from experiments.core.recording import Block, about, record
from reports.drake.played import PlayedGames
from reports.drake.report import REPORT
from sim import games
from sim.transcript import Transcript

GAME = games.load("drake")
VIRTUES = ("gluttony", "greed", "wrath", "pride")


def cell(players=4, lineup=None, changes=None, **more):
    rules = GAME.rules().changed(changes or {})
    seats = lineup or ("random",) * players
    return Cell("drake", rules, players, seats, True, 5, **more)


def transcripts(of, count):
    """What the report reads of these games, and the events of each game."""
    told = Transcript(GAME)
    played, raw = record(of, Block(0, 0, count), REPORT.records, [told])
    events = defaultdict(list)
    for event in told.events():
        events[event["game"]].append(event)
    return PlayedGames(raw, about(of, played)), [events[n] for n in range(count)]


def counted(read, of_games):
    """Sums of all measures of the report: measure -> group -> (y, x)."""
    found = defaultdict(dict)
    for counts in REPORT.counts_of(read.raw, read.about, of_games):
        sums = counts.sums()
        by = REPORT.measures[counts.measure].by
        for row in sums.rows(named=True):
            found[counts.measure][tuple(row[name] for name in by)] = row["y"], row["x"]
    return found


def named(events, name):
    """The events of this name."""
    return [event for event in events if event["name"] == name]


def dealt(events):
    """The Virtue of each seat, and its place in the order of turns."""
    virtues = named(events, "virtues")[0]["virtues"]
    start = named(events, "start")
    seats = range(len(virtues))
    if start:
        order = [(start[0]["seat"] + turn) % len(virtues) for turn in seats]
    else:  # update I: "Pride, Greed, Wrath, Gluttony"
        rank = ("pride", "greed", "wrath", "gluttony")
        order = sorted(seats, key=lambda seat: rank.index(virtues[seat]))
    return virtues, {seat: order.index(seat) for seat in seats}


def share(values):
    """y and x of a share."""
    values = np.array(list(values), dtype=float)
    return values.sum(), float(len(values))


def result_of(of, count):
    """The Virtue that wins each game."""
    _, raw = record(of, Block(0, 0, count), ("result",), [])
    return raw["result"].filter(seat=0)["virtue"].cast(str).to_list()
