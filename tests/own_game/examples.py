"""Shared by the tests of games in one file: the example games, and probing them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from experiments.conformance.harness import Setting
from experiments.conformance.state_copies import play_probed
from sim.games import Game, load
from sim.own_game.moments import Moment
from strategies.random import Random

FOLDER = Path(__file__).parents[2] / "docs" / "games"
NAMES = ("six_nimmt", "oh_hell", "no_thanks")


def example(name: str) -> Game:
    """Return an example game of the docs."""
    return load(str(FOLDER / f"{name}.py"))


def each_question(
    game: Game, games: int, look: Callable[[Moment, int], None], players: int = 4
) -> None:
    """Pass each question of random games, and the seat that is asked, to ``look``."""

    def see(view):
        rows = range(len(view)) if view._rows is None else view._rows.tolist()
        seats = np.broadcast_to(view.seat, len(view)).tolist()
        for row, seat in zip(rows, seats, strict=True):
            look(view._state.moments[row], seat)

    setting = Setting(game, game.rules(), players, 3)
    play_probed(setting, games, see, [Random()] * players)


def ends(game: Game, games: int, players: int = 4) -> dict[str, np.ndarray]:
    """Return the result of games that are played at random."""
    from sim.rollouts import RolloutTable

    numbers = np.arange(games, dtype=np.uint64)
    table = RolloutTable(game, [Random()])
    table.play(game.start(game.rules(), players, 7, numbers))
    return dict(table.end)


def piles(board) -> Iterator[tuple[str, list]]:
    """Yield the piles of a board by name."""
    for name, several in board._plan.piles:
        for pile in getattr(board, name) if several else [getattr(board, name)]:
            yield name, pile
