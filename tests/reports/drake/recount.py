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
    """The Virtue of each seat."""
    return of(events, "virtues")[0]["virtues"]


def result_of(of, count):
    """The Virtue that wins each game."""
    _, raw = record_block(of, Block(0, 0, count), ("result",), [])
    return raw["result"].filter(seat=0)["virtue"].cast(str).to_list()
