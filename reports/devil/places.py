"""Places in the order of turns, from the first to play to the dealer, summed up."""

import numpy as np
import polars as pl

from reports.devil.grids import flags
from reports.devil.played import Played
from reports.grids import Array
from reports.grids import grid_of_rows as grid


def grids(played: Played) -> list[pl.DataFrame]:
    """Sums by place in the order of turns; the dealer's is the last."""
    seats, places = played.players, range(1, played.players + 1)
    first = _at(played, played.dealer)
    found = [
        grid("won by place", played.number, (first & played.victory).any(axis=1),
             np.ones(played.size), place=places)
    ]  # fmt: skip
    here = _at(played, played.rounds.once("dealer"))
    apart = (here * (seats * played.added - played.added.sum(axis=0))).sum(axis=1)
    ends = flags(played.ender, seats)
    ended = (here & ends).any(axis=1)
    opening = played.rounds.round == 1
    for name, some in (("first", opening), ("later", ~opening)):
        found += [
            grid(f"extra by place, {name}", played.game, apart * some, seats * some,
                 place=places),
            grid(f"ended by place, {name}", played.game, ended * some, some * 1,
                 place=places),
        ]  # fmt: skip
    return found


def _at(played: Played, dealer: Array) -> Array:
    """(places, seats, rows) whether a seat has this place, 1 to the dealer's."""
    place = (played.seats - dealer - 1) % played.players
    return place == np.arange(played.players)[:, None, None]
