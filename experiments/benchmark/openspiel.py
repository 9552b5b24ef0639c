"""The peer of ``bench``: OpenSpiel's C++ random rollouts of a similar game.

They start from a dealt state of four players. Oh Hell with seven tricks always has 32
decisions (four bids and 28 cards); if rollouts differ in length, as in Crazy Eights,
the mean is taken from a sample. The search bot makes one simulation with many rollouts,
so that all of them run in C++.
"""

import random
import time
from importlib.util import find_spec
from typing import Any

_COUNTED = 400  # rollouts in which decisions are counted


def installed() -> bool:
    """Return whether OpenSpiel can be imported (the extra ``fairdeal[bench]``)."""
    return find_spec("pyspiel") is not None


class Peer:
    """A dealt state of a game, rolled out at random.

    ``decisions`` is their mean number in a rollout.
    """

    def __init__(self, game: str, seed: int = 1) -> None:
        import pyspiel

        self._spiel: Any = pyspiel
        self._game = pyspiel.load_game(game)
        rng = random.Random(seed)
        self._state = _dealt(self._game, rng)
        self._seed = seed
        counted = [_rolled_out(self._state, rng) for _ in range(_COUNTED)]
        self.decisions = sum(counted) / _COUNTED

    def seconds(self, rollouts: int) -> float:
        """Return the time of a number of rollouts."""
        evaluator = self._spiel.RandomRolloutEvaluator(rollouts, self._seed)
        bot = self._spiel.MCTSBot(
            self._game, evaluator, 1.0, 1, 100, False, self._seed, False
        )
        start = time.perf_counter()
        bot.step(self._state)
        return time.perf_counter() - start

    def rollouts_in(self, seconds: float) -> int:
        """Return about how many rollouts take this time."""
        self.seconds(1_000)
        return max(1_000, int(20_000 * seconds / self.seconds(20_000)))


def _dealt(game: Any, rng: random.Random) -> Any:
    """Return a state in which all cards are dealt and the first decision is due."""
    state = game.new_initial_state()
    while state.is_chance_node():
        _happen(state, rng)
    return state


def _rolled_out(state: Any, rng: random.Random) -> int:
    """Play a random rollout; return the number of its decisions."""
    copy, decisions = state.clone(), 0
    while not copy.is_terminal():
        if copy.is_chance_node():
            _happen(copy, rng)
        else:
            copy.apply_action(rng.choice(copy.legal_actions()))
            decisions += 1
    return decisions


def _happen(state: Any, rng: random.Random) -> None:
    """Apply a random outcome of a chance node."""
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(actions, weights)[0])
