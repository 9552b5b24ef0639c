"""Showing things in a terminal: tables, numbers with intervals, JSON."""

import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.execution.documents import to_json
from reports.texts import plain

if TYPE_CHECKING:
    from experiments.core.cells import Cell

WIDE = 120  # columns where nobody's terminal says how many
_NARROW = 10  # columns that a column of a table needs
_SHORT = 16  # letters that stand in one line


class _Console(Console):
    """A console that lets a broken pipe be known."""

    def on_broken_pipe(self) -> NoReturn:
        """Whoever read our output has enough."""
        raise BrokenPipeError


def console(stderr: bool = False) -> Console:
    """Where to print: as wide as the terminal, without colours in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    known = stream.isatty() or "COLUMNS" in os.environ
    return _Console(
        file=stream, width=None if known else WIDE, highlight=False, soft_wrap=False
    )


def error(words: str) -> None:
    """Say on stderr what was wrong."""
    print(plain(f"error: {words}"), file=sys.stderr)


def note(words: str) -> None:
    """Say on stderr what to know before it starts."""
    print(plain(f"note: {words}"), file=sys.stderr)


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = ""
) -> None:
    """Print a table; columns of numbers are set to the right.

    Where a terminal is too narrow for its columns, each row is a list instead.
    """
    out = console()
    if not fits(columns):
        _records(title, columns, rows, note)
        return
    longest = [
        max((len(text(row[at])) for row in rows), default=0)
        for at, _ in enumerate(columns)
    ]
    made = Table(
        title=escape(plain(title)) or None,
        title_justify="left",
        title_style="bold",
        box=None,
    )
    made.pad_edge = False
    for at, column in enumerate(columns):
        numbers = all(isinstance(row[at], int | float) for row in rows)
        made.add_column(
            escape(plain(column)),
            justify="right" if numbers else "left",
            header_style="dim",
            no_wrap=max(longest[at], len(column)) <= (_SHORT if at else out.width // 2),
            overflow="fold",
        )
    for row in rows:
        made.add_row(*(escape(plain(text(cell))) for cell in row))
    out.print(made)
    if note:
        out.print(escape(plain(note)), style="dim")
    out.print()


def fits(columns: Sequence[str]) -> bool:
    """Whether the terminal has room for so many columns."""
    return console().width >= _NARROW * len(columns)


def _records(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str
) -> None:
    """A table as lists: the first cell of each row, and below it the others."""
    line(title, "bold")
    for row in rows:
        line(text(row[0]), "bold")
        for column, cell in zip(columns[1:], row[1:], strict=True):
            values = text(cell).replace("\n", "; ")
            line(f"  {column}: {values}", wrap=True)
    line(note, "dim", wrap=True)


def line(words: str = "", style: str = "", wrap: bool = False) -> None:
    """Print a line as it is; wrapped between words in a terminal, or if asked."""
    out = console()
    out.print(
        escape(plain(words)),
        style=style or None,
        soft_wrap=not (wrap or out.is_terminal),
    )


def text(value: Any) -> str:
    """A value as a designer reads it."""
    if value is None or value == "":
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "no data" if math.isnan(value) else f"{value:,.3g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(
            f"[{text(one)}]" if isinstance(one, list | tuple) else text(one)
            for one in value
        )
    parts = value.items() if isinstance(value, dict) else ()
    return "; ".join(f"{key} {text(one)}" for key, one in parts) or str(value)


def alike(cell: "Cell") -> str:
    """Who plays where one strategy has all seats, and whom what is found holds for."""
    who = cell.strategies()[0].title
    return f"{cell.players}, all {who}: what is found holds for such players"


def with_interval(found: Mapping[str, Any], kind: str) -> str:
    """An estimate with its interval: shares in percent, others as they are."""
    values = [found["estimate"], found["low"], found["high"]]
    if values[0] is None:
        return "no data"
    scale = 100.0 if kind == "share" else 1.0
    known = [value * scale for value in values if value is not None]
    digits = _digits(known)
    unit = " %" if kind == "share" else ""
    middle = f"{known[0]:.{digits}f}{unit}"
    if len(known) < len(values):
        return middle
    return f"{middle} ({known[1]:.{digits}f} to {known[2]:.{digits}f})"


def _digits(values: Sequence[float]) -> int:
    """So many decimals that the interval shows two figures of its width."""
    width = max(values) - min(values)
    if width <= 0:
        return 2
    return min(max(1 - math.floor(math.log10(width)), 0), 4)


def as_json(value: Any) -> None:
    """Print one JSON object."""
    print(to_json(value))
