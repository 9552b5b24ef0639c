"""The notes that were recorded: a section may read those that it says it needs.

Games without a note lack its table, so to read one that nobody listened to would look
like games in which that never happened. It is a mistake instead.
"""

from collections.abc import Iterator, Mapping, Set

import polars as pl


class Unheard(LookupError):
    """A note is read that was not recorded: its section does not say that it does."""


class Heard(Mapping[str, pl.DataFrame]):
    """A table for each kind of note; to ask for an ``unheard`` one is a mistake.

    >>> raw = Heard({"result": pl.DataFrame()}, {"trick"})
    >>> "gem" in raw
    False
    >>> "trick" in raw
    Traceback (most recent call last):
    reports.heard.Unheard: 'trick' is read and not recorded: name it in records
    """

    def __init__(self, raw: Mapping[str, pl.DataFrame], unheard: Set[str]) -> None:
        self._raw, self._unheard = raw, unheard

    def __getitem__(self, note: str) -> pl.DataFrame:
        """The table of a note; raises ``KeyError`` where games have none."""
        if note in self._unheard:
            raise Unheard(f"{note!r} is read and not recorded: name it in records")
        return self._raw[note]

    def __iter__(self) -> Iterator[str]:
        """The notes that games have."""
        return iter(self._raw)

    def __len__(self) -> int:
        """How many these are."""
        return len(self._raw)
