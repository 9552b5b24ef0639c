"""Cards of a game in one file: objects with the columns of a table.

A table that a game declares is a rule value, so that another sheet may take its place:

    class Auction(CardGame):
        box = cards_of("auction.csv")

        def setup(self, g):
            g.deck = g.shuffled(g.rules.box)
"""

import csv
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.own_files import note_file
from sim.parameters import RuleError, nearest

_FEW = 1 / 4  # of the cells of a column: if more are no numbers, that is meant

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
        known = [key for key in vars(self) if key[0] != "_"]
        raise AttributeError(f"card {self} {no_column(name, known)}")

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return self._name


def no_column(name: str, known: Collection[str]) -> str:
    """That there is no such column, with the nearest and all that there are."""
    return f"has no column {name!r}{nearest(name, known)} It has: {', '.join(known)}"


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


def cards_of(
    table: str | Path | Iterable[dict[str, Any]], text: Collection[str] = ()
) -> CardList:
    """Read the cards of a table: a CSV file, or rows as dictionaries.

    The first line of the file names the columns. Columns may be divided by commas,
    semicolons or tabs, and numbers may have a decimal comma, as Excel writes them.
    ``copies`` says how often a card is in the box. A text, or nothing, in a column of
    numbers is refused; ``text`` names columns that are text, whatever their cells are.
    Declared in the class of a game, as in ``box = cards_of("auction.csv")``, the cards
    are ``g.rules.box``, and a sheet can change them.

    >>> [str(card) for card in cards_of([{"name": "king", "copies": 2}])]
    ['king', 'king']

    Raises ``RuleError`` with file and line.
    """
    rows = []
    for place, row in _rows(table, text):
        number = row.get(COPIES, 1)
        if not isinstance(number, int) or number < 0:
            raise RuleError(f"{place}: {COPIES} is a whole number, not {number!r}.")
        if not row.keys() - {COPIES}:
            raise RuleError(f"{place}: a card needs a column besides {COPIES!r}.")
        rows.append(row)
    return CardList.of(rows)


def _rows(
    table: str | Path | Iterable[dict[str, Any]], text: Collection[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(table, str | Path):
        for number, row in enumerate(table, 1):
            yield f"row {number}", dict(row)
        return
    path = Path(table)
    note_file(path)
    try:
        whole = path.read_text("utf-8-sig")
    except OSError as error:
        raise RuleError(f"cards: {path} cannot be read: {error.strerror}.") from None
    head = whole.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    rows = csv.reader(whole.splitlines(), delimiter=mark)
    names = [name.strip() for name in next(rows, [])]
    for name in names:
        if not name.isidentifier() or name.startswith("_"):
            raise RuleError(f"{path}, line 1: {name!r} is no name of a column.")
    for name in text:
        if name not in names:
            raise RuleError(f"{path}, line 1: the table {no_column(name, names)}.")
    read = {
        number: {n: _value(cell) if n not in text else cell for n, cell in row.items()}
        for number, row in _cells(path, names, rows)
    }
    _check_numbers(path, [n for n in names[1:] if n not in (COPIES, *text)], read)
    for number, row in read.items():
        yield f"{path}, line {number}", row


def _cells(
    path: Path, names: Sequence[str], rows: Iterable[Sequence[str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line, and its cells by column."""
    for number, values in enumerate(rows, 2):
        if not any(values):
            continue
        if len(values) != len(names):
            raise RuleError(
                f"{path}, line {number}: {len(values)} values, but line 1 names "
                f"{len(names)} columns."
            )
        yield number, dict(zip(names, map(str.strip, values), strict=True))


def _check_numbers(
    path: Path, names: Sequence[str], read: Mapping[int, Mapping[str, Any]]
) -> None:
    """Raise ``RuleError`` for a cell that is no number, as nearly all others are."""
    for name in names:
        odd = [number for number, row in read.items() if isinstance(row[name], str)]
        if odd and len(odd) < _FEW * len(read):
            cell = repr(read[odd[0]][name]) if read[odd[0]][name] else "empty"
            raise RuleError(
                f"{path}, line {odd[0]}: {name} is {cell}, and a number in other "
                f"lines. Write a number, or cards_of(..., text=[{name!r}])."
            )


def _value(text: str) -> Any:
    """A cell as a number where it is one."""
    for kind, written in ((int, text), (float, text), (float, text.replace(",", "."))):
        try:
            number = kind(written)
            return number if math.isfinite(number) else text
        except ValueError:
            pass
    return text
