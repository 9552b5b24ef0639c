"""The recorded notes: a section may read only those that it declares.

A note that never occurred has no table. A note that was not recorded would look just
like that, so reading one is an error.
"""

from collections.abc import Iterator, Mapping, Set

import polars as pl


class NoNote(LookupError):
    """A section reads a note that was not recorded, as it does not declare it."""


class RecordedNotes(Mapping[str, pl.DataFrame]):
    """A table for each kind of note; one that was not recorded raises an error.

    >>> raw = RecordedNotes({"result": pl.DataFrame()}, {"trick"})
    >>> "gem" in raw
    False
    >>> "trick" in raw
    Traceback (most recent call last):
    reports.recorded_notes.NoNote: 'trick' is read but not recorded: name it in records
    """

    def __init__(self, raw: Mapping[str, pl.DataFrame], missing: Set[str]) -> None:
        self._raw, self._missing = raw, missing

    def __getitem__(self, note: str) -> pl.DataFrame:
        """Return the table of a note; raises ``KeyError`` if it never occurred."""
        if note in self._missing:
            raise NoNote(f"{note!r} is read but not recorded: name it in records")
        return self._raw[note]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the notes that occurred."""
        return iter(self._raw)

    def __len__(self) -> int:
        """Return the number of notes that occurred."""
        return len(self._raw)
