"""Learned play: a policy from a file, or one of those that a game comes with."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

from sim.games import load
from sim.masks import Masks
from sim.observation import Observation
from sim.view import View
from strategies import policy_store, registry
from strategies.base import Strategy, says_worth
from strategies.network import NetworkPolicy
from strategies.policy_file import SUFFIX, PolicyError, PolicyFile, from_bytes, read


@registry.register
@registry.register_policy(SUFFIX)
@dataclass(frozen=True)
class Learned(Strategy):
    """Plays as it learned to: small networks, taught what each answer was worth.

    It sees what its seat may know, and what the heuristics would answer. ``policy`` is
    a file that `fairdeal learn` wrote; without one it is the policy that the game comes
    with, for all numbers of players. Raises ``PolicyError`` for a file that is none.
    """

    name: ClassVar[str] = "learned"
    in_panel: ClassVar[bool] = False
    policy: str = ""

    def __post_init__(self) -> None:
        """Read the file, so that the policy is known by its name from now on."""
        super().__post_init__()
        if self.policy and not policy_store.NAME.fullmatch(self.policy):
            object.__setattr__(self, "policy", policy_store.name_of(self.policy))

    def __reduce__(self) -> tuple[Callable[..., Strategy], tuple[Any, ...]]:
        """Travel with the policy."""
        data = policy_store.packed(self.policies)
        return policy_store.restored, (Learned, {"policy": self.policy}, data)

    @property
    def title(self) -> str:
        """The name of the policy."""
        return self.policy or self.name

    @property
    def policies(self) -> tuple[str, ...]:
        """The policy from a file, if it plays one."""
        return (self.policy,) if self.policy else ()

    def decide(self, view: View) -> Masks:
        """(rows,) the answer with the highest score."""
        return self.playing(view._state.game_id).decide(view)

    def ready(self, game: str) -> Self:
        """This strategy; raises ``PolicyError`` where it has no policy for a game."""
        self.playing(game)
        return self

    def playing(self, game: str) -> NetworkPolicy:
        """The policy, for a game; raises ``PolicyError`` where it has none."""
        return _policy(game, self.policy or self.name)


@registry.register
@dataclass(frozen=True)
class Taught(Strategy):
    """Plays as it was taught by the games of heuristics alone.

    That is another kind of learning than that of ``learned``, which learns from its own
    play, too: a finding that holds for both is not about one way to learn. Raises
    ``PolicyError`` in games that come with no such policy.
    """

    name: ClassVar[str] = "taught"
    in_panel: ClassVar[bool] = False

    def decide(self, view: View) -> Masks:
        """(rows,) the answer with the highest score."""
        return _policy(view._state.game_id, self.name).decide(view)

    def ready(self, game: str) -> Self:
        """This strategy; raises ``PolicyError`` where a game comes with no policy."""
        _policy(game, self.name)
        return self


def shipped(game: str, name: str = Learned.name) -> Path | None:
    """The file of a policy that a game comes with; None if it comes with none.

    name: of the strategy that plays it, ``learned`` or ``taught``.
    """
    kept = (folder / f"{name}{SUFFIX}" for folder in registry.folders(game))
    return next((file for file in kept if file.is_file()), None)


@lru_cache(maxsize=32)
def _policy(game: str, name: str) -> NetworkPolicy:
    if policy_store.NAME.fullmatch(name):
        kept = from_bytes(policy_store.data_of(name))
    else:
        file = shipped(game, name)
        if file is None:
            raise PolicyError(
                f"{game} comes with no {name} policy; `fairdeal learn {game}` makes "
                "one, which is named by its file"
            )
        kept = read(file)
    if kept.game != game:
        raise PolicyError(f"{name}: it plays {kept.game}, not {game}")
    return playable(kept)


def playable(kept: PolicyFile) -> NetworkPolicy:
    """The strategy that plays a policy; raises ``PolicyError``.

    Its advisers must be strategies of the game, so that no file names code to load, and
    its networks can read only what the game's views show.
    """
    known = registry.builtin(kept.game, every=True)
    for spec in kept.advisers:
        if spec not in known:
            raise PolicyError(f"it asks {spec!r}, which is no strategy of {kept.game}")
    advisers = tuple(registry.make(kept.game, spec) for spec in kept.advisers)
    if not advisers:
        raise PolicyError("it names no teacher")
    for kind, network in kept.networks.items():
        _check(kept, kind, network.observation, advisers[0])
    return NetworkPolicy(kept.networks, advisers)


def _check(kept: PolicyFile, kind: str, seen: Observation, teacher: Strategy) -> None:
    """Raise ``PolicyError`` if a network cannot play its kind of decision."""
    game = load(kept.game)
    if kind != seen.kind or kind not in game.kinds:
        raise PolicyError(f"{kind!r} is no decision of {kept.game}")
    if seen.advisers != kept.advisers:
        raise PolicyError(f"what it reads at {kind!r} is of other advisers")
    if seen.worth and not says_worth(teacher, kind):
        raise PolicyError(
            f"it reads what options are worth at {kind!r}, which its teacher does not "
            "say"
        )
    try:
        seen.check(game.view, game.kinds[kind])
    except ValueError as error:
        raise PolicyError(str(error)) from error
