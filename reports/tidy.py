"""Tidy tables that are made when a measure asks for them.

A worker often counts few of a report's measures: of lineups that are there to be
compared, of other rules. So what no measure reads is not made.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl

Makes = Mapping[str, Callable[[Any], pl.DataFrame]]
"""What makes each table of the games that were played, by its name."""


class Tidy(Mapping[str, pl.DataFrame]):
    """Tables of the games that were played, each made once, and not before it is read.

    >>> tables = Tidy([3, 5], {"turns": lambda played: pl.DataFrame({"turns": played})})
    >>> tables["turns"]["turns"].sum()
    8
    """

    def __init__(self, played: Any, makes: Makes) -> None:
        self._played, self._makes = played, makes
        self._made: dict[str, pl.DataFrame] = {}

    def __getitem__(self, name: str) -> pl.DataFrame:
        """The table of this name; raises ``KeyError`` where there is none."""
        if name not in self._made:
            self._made[name] = self._makes[name](self._played)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        """The names of all."""
        return iter(self._makes)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._makes)
