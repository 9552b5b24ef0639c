"""Tidy tables that are made only when a measure reads them.

A worker often counts few of a report's measures, as for other rules and for lineups
that serve comparisons. Tables that no measure reads are then not made, to save time.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl

TableMakers = Mapping[str, Callable[[Any], pl.DataFrame]]
"""Functions that make tables from the games played, by name of the table."""


class LazyTables(Mapping[str, pl.DataFrame]):
    """Tables of the games played, each made once, when it is first read.

    >>> tables = LazyTables([3, 5], {"turns": lambda n: pl.DataFrame({"turns": n})})
    >>> tables["turns"]["turns"].sum()
    8
    """

    def __init__(self, played: Any, makes: TableMakers) -> None:
        self._played, self._makes = played, makes
        self._made: dict[str, pl.DataFrame] = {}

    def __getitem__(self, name: str) -> pl.DataFrame:
        """Return the table of this name; raises ``KeyError`` if there is none."""
        if name not in self._made:
            self._made[name] = self._makes[name](self._played)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of all tables."""
        return iter(self._makes)

    def __len__(self) -> int:
        """Return the number of tables."""
        return len(self._makes)
