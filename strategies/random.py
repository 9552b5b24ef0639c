"""Random play, in every game."""

from dataclasses import dataclass

from strategies.base import Strategy


@dataclass(frozen=True)
class Random(Strategy):
    """Takes each option with equal probability."""

    name = "random"
    ignores_public_history = True
