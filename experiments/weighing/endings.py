"""What the end of any game tells, as measures: who won, final numbers, how it ended.

The same numbers as ``experiments.summary`` sums up as it goes, read from the raw table
``result`` that every game writes, so that they can be paired game by game.
"""

import numpy as np
import polars as pl

from experiments.cells import Cell
from reports.measures import Measure
from sim.events import SEATS
from sim.games import Game

_NOT_NUMBERS = {"winner", "by"}


def measures(game: Game) -> list[Measure]:
    """The measures of a game's end, by strategy and by seat, and how it was decided."""
    seat, first = pl.col("seat").cast(pl.Int64), pl.col("seat") == 0
    values = {"won": pl.col("winner").cast(pl.Int64) == seat}
    fields = game.notes["result"].fields
    for name, field in fields.items():
        if field.form == "set" and field.words == SEATS:
            values[name] = pl.col(name).cast(pl.Int64) // pl.lit(2).pow(seat) % 2 == 1
        elif name not in _NOT_NUMBERS and not field.once:
            values[name] = pl.col(name)
    found = [
        Measure(f"{name} by {group}", "result", value, by=(group,))
        for name, value in values.items()
        for group in ("strategy", "seat")
    ]
    found += [
        Measure(name, "result", pl.col(name), where=first)
        for name, field in fields.items()
        if field.once
    ]
    if "by" in fields:
        found.append(Measure("decided", "result", pl.lit(1), by=("by",), where=first))
    return found


def roles(cell: Cell, beside: Cell) -> list[str]:
    """Who sits in each place of the lineup: a name, or ``planner -> greedy``."""
    pairs = zip(cell.strategies(), beside.strategies(), strict=True)
    titles = [(one.title, other.title) for one, other in pairs]
    return [one if one == other else f"{one} -> {other}" for one, other in titles]


def results(raw: pl.DataFrame, cell: Cell, roles: list[str]) -> pl.DataFrame:
    """The raw table ``result`` of a cell, whose ``strategy`` is the seat's role.

    Which place of the lineup sits in a seat, ``experiments.cells.seating`` says.
    """
    players = cell.players
    chair = raw["seat"].to_numpy().astype(np.int64)
    if cell.rotate:
        turn = raw["game"].to_numpy() % np.uint64(players)
        chair = (chair + turn.astype(np.int64)) % players
    names = pl.Series("strategy", roles, dtype=pl.String)
    return raw.with_columns(names.gather(chair))
