"""Games of the Drake as the report reads them, and as their transcripts tell them."""

from experiments.core.block_records import Block, record_block
from experiments.core.cells import Cell
from sim import games
from tests.games.event_lines import of

GAME = games.load("drake")
VIRTUES = ("gluttony", "greed", "wrath", "pride")


def cell(players=4, lineup=None, changes=None, **more):
    rules = GAME.rules().changed(changes or {})
    seats = lineup or ("random",) * players
    return Cell("drake", rules, players, seats, True, 5, **more)


def dealt(events):
    """The Virtue of each seat, and its place in the order of turns."""
    virtues = of(events, "virtues")[0]["virtues"]
    start = of(events, "start")
    seats = range(len(virtues))
    if start:
        order = [(start[0]["seat"] + turn) % len(virtues) for turn in seats]
    else:  # update I: "Pride, Greed, Wrath, Gluttony"
        rank = ("pride", "greed", "wrath", "gluttony")
        order = sorted(seats, key=lambda seat: rank.index(virtues[seat]))
    return virtues, {seat: order.index(seat) for seat in seats}


def result_of(of, count):
    """The Virtue that wins each game."""
    _, raw = record_block(of, Block(0, 0, count), ("result",), [])
    return raw["result"].filter(seat=0)["virtue"].cast(str).to_list()
