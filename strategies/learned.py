"""Learned play: a policy from a file, or the one that a game comes with."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import ClassVar, Self

from sim.masks import Masks
from sim.view import View
from strategies import places, registry
from strategies.base import Strategy
from strategies.network import NetworkPolicy
from strategies.policy_file import SUFFIX, PolicyError, PolicyFile, read

SHIPPED = "learned.npz"
"""The file of the policy that a game comes with, in its folder of strategies."""


@registry.register_files(SUFFIX)
@registry.register
@dataclass(frozen=True)
class Learned(Strategy):
    """Plays as it learned to: small networks, taught what each answer was worth.

    It sees what its seat may know, and what the heuristics would answer. ``policy`` is
    a file that `fairdeal learn` wrote; without one it is the policy that the game comes
    with, for all numbers of players.
    """

    name: ClassVar[str] = "learned"
    in_panel: ClassVar[bool] = False
    policy: str = ""

    def decide(self, view: View) -> Masks:
        """(rows,) the answer with the highest score."""
        return self.playing(view._state.game_id).decide(view)

    def ready(self, game: str) -> Self:
        """This strategy; raises ``PolicyError`` where it has no policy for a game."""
        self.playing(game)
        return self

    def playing(self, game: str) -> NetworkPolicy:
        """The policy, for a game; raises ``PolicyError`` where it has none."""
        return _policy(game, self.file(game))

    def file(self, game: str) -> Path:
        """Where the policy is."""
        if self.policy:
            return places.named(self.policy).absolute()
        return Path(str(files(f"strategies.{game}"))) / SHIPPED


@lru_cache(maxsize=32)
def _policy(game: str, file: Path) -> NetworkPolicy:
    kept = read(file)
    if kept.game != game:
        raise PolicyError(f"{file}: it plays {kept.game}, not {game}")
    return playable(kept)


def playable(kept: PolicyFile) -> NetworkPolicy:
    """The strategy that plays a policy."""
    advisers = tuple(registry.make(kept.game, spec) for spec in kept.advisers)
    return NetworkPolicy(kept.networks, advisers)
