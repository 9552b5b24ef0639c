"""The peer of ``bench``: OpenSpiel's C++ random rollouts of Oh Hell.

One rollout from a dealt state of four players and seven tricks is 32 decisions:
four bids and 28 cards. The search bot is asked for one simulation with many
rollouts, so that all of them run in C++.
"""

import random
import time
from importlib.util import find_spec
from typing import Any

GAME = "oh_hell(players=4,num_tricks_fixed=7)"
DECISIONS = 32  # in a rollout


def installed() -> bool:
    """Whether OpenSpiel can be imported (the extra ``fairdeal[bench]``)."""
    return find_spec("pyspiel") is not None


class Peer:
    """A dealt state, rolled out at random."""

    def __init__(self, seed: int = 1) -> None:
        import pyspiel

        self._spiel: Any = pyspiel
        self._game = pyspiel.load_game(GAME)
        self._state = _dealt(self._game, random.Random(seed))
        self._seed = seed

    def seconds(self, rollouts: int) -> float:
        """Time for so many rollouts."""
        evaluator = self._spiel.RandomRolloutEvaluator(rollouts, self._seed)
        bot = self._spiel.MCTSBot(
            self._game, evaluator, 1.0, 1, 100, False, self._seed, False
        )
        start = time.perf_counter()
        bot.step(self._state)
        return time.perf_counter() - start

    def rollouts_in(self, seconds: float) -> int:
        """About how many rollouts take so long."""
        self.seconds(1_000)
        return max(1_000, int(20_000 * seconds / self.seconds(20_000)))


def _dealt(game: Any, rng: random.Random) -> Any:
    """A state in which all cards are dealt and the first bid is due."""
    state = game.new_initial_state()
    while state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(actions, weights)[0])
    return state
