"""Cards of a game in one file: objects with the columns of a table.

A table that a game declares is a rule value, so that another sheet may take its place:

    class Auction(CardGame):
        box = cards_of("auction.csv")

        def setup(self, g):
            g.deck = g.shuffled(g.rules.box)
"""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sim.own_files import note_file
from sim.parameters import RuleError

COPIES = "copies"
"""The column that says how often a card is in the box."""


class Card:
    """A card: its columns are its attributes; each copy is a card of its own.

    Cards with the same columns are ``alike``. A card is called by its first column.
    """

    def __init__(self, columns: dict[str, Any], alike: int = -1) -> None:
        vars(self).update(columns)
        self._name = str(next(iter(columns.values())))
        self._alike = alike

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = ", ".join(key for key in vars(self) if key[0] != "_")
        raise AttributeError(f"card {self} has no column {name!r}; it has {known}")

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return self._name


class CardList(list[Card]):
    """The cards of a table as it is printed; ``rows`` are its lines, with copies."""

    rows: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, rows: Iterable[dict[str, Any]]) -> "CardList":
        """Return the cards of rows, each as often as its column ``copies`` says."""
        kept = tuple(rows)
        made = cls()
        for alike, row in enumerate(kept):
            columns = {name: value for name, value in row.items() if name != COPIES}
            made += [Card(columns, alike) for _ in range(row.get(COPIES, 1))]
        made.rows = kept
        return made


def cards_of(table: str | Path | Iterable[dict[str, Any]]) -> CardList:
    """Read the cards of a table: a CSV file, or rows as dictionaries.

    The first line of the file names the columns. Columns may be divided by commas,
    semicolons or tabs, and numbers may have a decimal comma, as Excel writes them.
    ``copies`` says how often a card is in the box. Declared in the class of a game, as
    in ``box = cards_of("auction.csv")``, the cards are ``g.rules.box``, and a sheet can
    change them.

    >>> [str(card) for card in cards_of([{"name": "king", "copies": 2}])]
    ['king', 'king']

    Raises ``RuleError`` with file and line.
    """
    rows = []
    for place, row in _rows(table):
        number = row.get(COPIES, 1)
        if not isinstance(number, int) or number < 0:
            raise RuleError(f"{place}: {COPIES} is a whole number, not {number!r}.")
        if not row.keys() - {COPIES}:
            raise RuleError(f"{place}: a card needs a column besides {COPIES!r}.")
        rows.append(row)
    return CardList.of(rows)


def _rows(
    table: str | Path | Iterable[dict[str, Any]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(table, str | Path):
        for number, row in enumerate(table, 1):
            yield f"row {number}", dict(row)
        return
    path = Path(table)
    note_file(path)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise RuleError(f"cards: {path} cannot be read: {error.strerror}.") from None
    head = text.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    rows = csv.reader(text.splitlines(), delimiter=mark)
    names = [name.strip() for name in next(rows, [])]
    for name in names:
        if not name.isidentifier() or name.startswith("_"):
            raise RuleError(f"{path}, line 1: {name!r} is no name of a column.")
    for number, values in enumerate(rows, 2):
        if not any(values):
            continue
        if len(values) != len(names):
            raise RuleError(
                f"{path}, line {number}: {len(values)} values, but line 1 names "
                f"{len(names)} columns."
            )
        read = (_value(value.strip()) for value in values)
        yield f"{path}, line {number}", dict(zip(names, read, strict=True))


def _value(text: str) -> Any:
    """A cell as a number where it is one."""
    for kind, written in ((int, text), (float, text), (float, text.replace(",", "."))):
        try:
            return kind(written)
        except ValueError:
            pass
    return text
