"""The lineups of a tournament: combinations of strategies with repetition."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb


def count_lineups(strategies: int, players: int, whole: bool) -> int:
    """Return the number of lineups."""
    if whole:
        return comb(strategies + players - 1, players)
    return strategies + comb(strategies, 2) * (players - 1)


def lineups(names: Sequence[str], players: int, whole: bool) -> list[tuple[str, ...]]:
    """Return all combinations with repetition, of all strategies or of two at a time.

    The seats of a strategy are spread around the table.
    """
    every = combinations_with_replacement(names, players)
    return [_spread(names) for names in every if whole or len(set(names)) <= 2]


def lineup_words(lineup: Sequence[str]) -> str:
    """Return a lineup in words: ``3 planner, 1 greedy``."""
    names = dict.fromkeys(sorted(lineup, key=lambda name: -lineup.count(name)))
    return ", ".join(f"{lineup.count(name)} {name}" for name in names)


def _spread(lineup: Sequence[str]) -> tuple[str, ...]:
    """Seat equal strategies as far apart as possible: a, b, a, b for a, a, b, b."""
    order = sorted(lineup, key=lambda name: -lineup.count(name))
    seats = [*range(0, len(order), 2), *range(1, len(order), 2)]
    placed = dict(zip(seats, order, strict=True))
    return tuple(placed[seat] for seat in range(len(order)))
