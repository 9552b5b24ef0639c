"""What the functions of the door are given, as what is played: rules, lineup, seed."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from experiments.core.cells import Cell, UsageError
from experiments.rule_set import RuleSet
from sim import games as registry
from strategies import registry as strategies
from strategies.base import Strategy
from strategies.specs import split_lineup

if TYPE_CHECKING:
    from experiments.analysis.sides import Side

Lineup = str | Strategy | Sequence[str | Strategy]
"""Who plays: a text as on the command line ("allround,greedy,random,random"; one name
fills all seats), a strategy, or a strategy or name for each seat."""

GAMES = 100_000
"""Games of one lineup unless said otherwise."""


class Named(Protocol):
    """A game, as ``Game`` is one."""

    @property
    def id(self) -> str:
        """The id that commands and files use."""


Ruled = RuleSet | Named | str
"""What is played by rules: a rule set; or a game or its id, by its base rules."""


def rule_set(rules: Ruled) -> RuleSet:
    """The rule set that is meant; raises ``UnknownGame``."""
    if isinstance(rules, RuleSet):
        return rules
    return RuleSet.of(rules if isinstance(rules, str) else rules.id)


def seed_of(seed: int | None) -> int:
    """The seed, or one that is drawn; raises ``UsageError``."""
    if seed is None:
        return secrets.randbits(32)
    if not 0 <= seed < 1 << 64:
        raise UsageError(f"seed: 0 to {(1 << 64) - 1}, not {seed}.")
    return seed


def players_of(game: str, players: int | None) -> int:
    """As many as are asked for; else 4, or the first number that can play."""
    allowed = registry.load(game).players
    if players is None:
        return 4 if 4 in allowed else allowed[0]
    return players


def cell_of(
    rules: Ruled,
    lineup: Lineup,
    players: int | None,
    rotate: bool,
    seed: int | None,
) -> Cell:
    """What is to be played; as many players as the lineup seats, where not said."""
    of = rule_set(rules)
    seats = 1
    if isinstance(lineup, str):
        seats = len(split_lineup(lineup))
    elif not isinstance(lineup, Strategy):
        seats = len(lineup)
    if players is None and seats in registry.load(of.game).players:
        players = seats
    count = players_of(of.game, players)
    return Cell(
        of.game, of.values, count, seated(of.game, lineup, count), rotate, seed_of(seed)
    )


def seated(game: str, lineup: Lineup, players: int) -> tuple[str | Strategy, ...]:
    """A strategy or spec for each seat; one fills all."""
    if isinstance(lineup, str):
        return strategies.seat_specs(game, lineup, players)
    named = (lineup,) if isinstance(lineup, Strategy) else tuple(lineup)
    return named * players if len(named) == 1 else named


def side_of(
    side: "RuleSet | Lineup | Side",
    rules: Ruled | None,
    lineup: Lineup | None,
    players: int | None,
    rotate: bool,
    seed: int,
) -> "Side":
    """A side of a comparison: rules with the common lineup, or the other way round."""
    from experiments.analysis.sides import Side, leading
    from experiments.variants.variant_files import BASE

    if isinstance(side, Side):
        return side
    if isinstance(side, RuleSet):
        cell = cell_of(side, lineup or leading(side.game), players, rotate, seed)
        changes = [f"{key}={here}" for key, (_, here) in side.differences.items()]
        return Side(" ".join(changes) or BASE, (cell,))
    if rules is None:
        raise UsageError("rules: lineups are compared by rules; say which.")
    cell = cell_of(rules, side, players, rotate, seed)
    return Side(cell.title(), (cell,))


def path_of(out: str | Path | None) -> Path | None:
    """Make a path absolute: it stays the same if a strategy changes the folder."""
    return None if out is None else Path(out).absolute()
