"""Lineups of a study: as they are written, or a panel of all strategies.

A panel is every strategy against itself, the leading one against a table of each
other, and a mixed table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from experiments.core.cells import UsageError
from sim.parameters import no_such
from strategies import registry as strategy_registry
from strategies.random import Random
from strategies.specs import split_lineup

LEAD = "allround"
"""The strategy that leads a panel, where the game has it."""


@dataclass(frozen=True)
class NamedLineup:
    """A lineup in words, and the spec of the strategy in each seat."""

    label: str
    seats: tuple[str, ...]


def written(
    game: str,
    label: str,
    text: str,
    players: Sequence[int],
    extra_strategies: Sequence[str] = (),
) -> dict[int, NamedLineup]:
    """A lineup for each number of players that it can seat.

    One name fills all seats; several seat exactly as many, and these have to be
    among ``players``. Raises ``UsageError`` or ``UnknownStrategy``.
    """
    seats = len(split_lineup(text))
    if seats > 1 and seats not in players:
        raise UsageError(
            f"lineup {text!r} seats {seats}, but players is {_told(players)}. Name one "
            "strategy (it fills all seats), or as many as there are players."
        )
    counts = players if seats == 1 else (seats,)
    return {
        count: NamedLineup(
            label, strategy_registry.seat_specs(game, text, count, extra_strategies)
        )
        for count in counts
    }


def panel(
    game: str,
    players: int,
    extra_strategies: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Iterator[NamedLineup]:
    """The panel for so many players; ``only`` names the strategies of it.

    Raises ``UsageError`` for a name that is none.
    """
    specs = _specs(game, extra_strategies, only)
    lead, *others = specs
    for name, spec in specs.items():
        yield NamedLineup(name, (spec,) * players)
    for name in others:
        rest = (specs[name],) * (players - 1)
        yield NamedLineup(f"1 {lead}, {players - 1} {name}", (specs[lead], *rest))
    if others:
        names = mixed(list(specs), players)
        yield NamedLineup(", ".join(names), tuple(specs[name] for name in names))


def mixed(names: Sequence[str], players: int) -> list[str]:
    """As many different strategies as there are seats; chance last of all."""
    order = [n for n in names if n != Random.name] + [
        n for n in names if n == Random.name
    ]
    return [order[seat % len(order)] for seat in range(players)]


def _specs(
    game: str, extra_strategies: Sequence[str], only: Sequence[str]
) -> dict[str, str]:
    """The strategies of a panel: title -> spec; the leading one first."""
    names = [*strategy_registry.builtin(game), *extra_strategies]
    specs = {strategy_registry.title(game, name): name for name in names}
    for name in only:
        if name not in specs:
            raise UsageError("panel: " + no_such("strategy", name, specs, "Strategies"))
    chosen = {name: specs[name] for name in only} if only else specs
    first = [LEAD] if LEAD in chosen and not only else []
    return {name: chosen[name] for name in [*first, *chosen]}


def _told(players: Sequence[int]) -> str:
    return ", ".join(map(str, players))
