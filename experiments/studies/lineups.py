"""Lineups of a study: as its file has them, or a panel of all strategies.

A panel is every strategy against itself, the leading one against tables of each other
one, and a mixed table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from experiments.core.cells import Cell, UsageError
from sim.games import load
from sim.parameters import no_such
from strategies import registry
from strategies.learned import Learned, shipped
from strategies.random import Random
from strategies.specs import split_lineup

LEAD = "allround"
"""The strategy that leads a panel, if the game has it."""
ADAPTED = "adapted"
"""The label of the lineup of those who learn a variant, if nobody is named."""


def base_players(game: str) -> str:
    """Return who plays rules that are compared if nobody is named: the strongest.

    They are the same by all rules.
    """
    return Learned.name if shipped(game) else default_lineup(game)


def default_lineup(game: str) -> str:
    """Return the default lineup: the leading heuristic, or the first that there is."""
    names = [name for name in registry.builtin(game) if name != Random.name]
    return LEAD if LEAD in names else next(iter(names), Random.name)


def can_learn(cells: Iterable[Cell], named: bool) -> bool:
    """Whether others may play in place of these players: one policy, or anybody.

    named: whether a user named them. Nobody learns games that are played one by one.
    """
    cells = [*cells]
    if any(load(cell.game).scalar for cell in cells):
        return False
    seats = {who for cell in cells for who in cell.strategies()}
    learned = all(isinstance(who, Learned) for who in seats)
    return len(seats) == 1 and (learned or not named)


@dataclass(frozen=True)
class NamedLineup:
    """A lineup: its label, and the spec of the strategy in each seat."""

    label: str
    seats: tuple[str, ...]


def lineups_of_text(
    game: str,
    label: str,
    text: str,
    players: Sequence[int],
    extra_strategies: Sequence[str] = (),
) -> dict[int, NamedLineup]:
    """Return a lineup for each number of players that it can seat.

    One name fills all seats; several names seat exactly as many players, a number that
    must be among ``players``. Raises ``UsageError`` or ``UnknownStrategy``.
    """
    seats = len(split_lineup(text))
    if seats > 1 and seats not in players:
        raise UsageError(
            f"lineup {text!r} seats {seats}, but players is "
            f"{', '.join(map(str, players))}. Name one strategy (it fills all seats), "
            "or as many as there are players."
        )
    counts = players if seats == 1 else (seats,)
    return {
        count: NamedLineup(
            label, registry.seat_specs(game, text, count, extra_strategies)
        )
        for count in counts
    }


def panel_lineups(
    game: str,
    players: int,
    extra_strategies: Sequence[str] = (),
    only: Sequence[str] = (),
) -> Iterator[NamedLineup]:
    """Yield the panel for a number of players; ``only`` names its strategies.

    Raises ``UsageError`` for an unknown name.
    """
    specs = _specs(game, extra_strategies, only)
    lead, *others = specs
    for name, spec in specs.items():
        yield NamedLineup(name, (spec,) * players)
    for name in others:
        rest = (specs[name],) * (players - 1)
        yield NamedLineup(f"1 {lead}, {players - 1} {name}", (specs[lead], *rest))
    if others:
        names = mixed_lineup(list(specs), players)
        yield NamedLineup(", ".join(names), tuple(specs[name] for name in names))


def mixed_lineup(names: Sequence[str], players: int) -> list[str]:
    """Return different strategies for all seats, if there are enough; random last."""
    order = sorted(names, key=lambda name: name == Random.name)
    return [order[seat % len(order)] for seat in range(players)]


def _specs(
    game: str, extra_strategies: Sequence[str], only: Sequence[str]
) -> dict[str, str]:
    """Return the strategies of a panel: title -> spec, the leading one first."""
    names = [*registry.builtin(game), *extra_strategies]
    specs = {registry.title(game, name): name for name in names}
    for name in only:
        if name not in specs:
            raise UsageError("panel: " + no_such("strategy", name, specs, "Strategies"))
    chosen = {name: specs[name] for name in only} if only else specs
    first = [LEAD] if LEAD in chosen and not only else []
    return {name: chosen[name] for name in [*first, *chosen]}
