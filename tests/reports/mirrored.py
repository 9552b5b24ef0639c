"""A game in the mirror: the same game, but what was most is fewest, and told so."""

from dataclasses import replace

import numpy as np

from sim.games import Game

OTHER = {"most": "fewest", "fewest": "most"}


def mirrored(game: Game, whole: int = 0) -> Game:
    """The game with its numbers counted down from ``whole``, and their other end ahead.

    Those that it declares, score and standing. Who plays what, and who wins, stays.
    """
    numbers = {name: getattr(game, name) for name in ("score", "standing")}
    numbers = {name: one for name, one in numbers.items() if one is not None}
    told = {(one.note, one.field) for one in numbers.values()}

    class Mirror:
        """A table that hears of the numbers in the mirror."""

        def __init__(self, table):
            self._table = table

        def __getattr__(self, name):
            return getattr(self._table, name)

        def emit(self, state, note, where=None, rows=None, **fields):
            for key, value in fields.items():
                if (note, key) in told:
                    fields[key] = whole - np.asarray(value).astype(np.int64)
            self._table.emit(state, note, where, rows, **fields)

    turned = {name: replace(one, wins=OTHER[one.wins]) for name, one in numbers.items()}
    return replace(
        game, play=lambda state, table: game.play(state, Mirror(table)), **turned
    )
