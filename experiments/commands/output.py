"""Print to a terminal: tables, numbers with intervals, JSON."""

import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from experiments.execution.text_files import to_json
from reports.safe_text import plain

if TYPE_CHECKING:
    from experiments.core.cells import Cell

WIDE = 120  # columns if the terminal does not say how many
_NARROW = 10  # columns that a column of a table needs
_SHORT = 16  # letters that are kept on one line


class _Console(Console):
    """A console that raises on a broken pipe."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise ``BrokenPipeError``: the reader closed our output."""
        raise BrokenPipeError


def console(stderr: bool = False) -> Console:
    """Return where to print: as wide as the terminal, without colours in a pipe."""
    stream = sys.stderr if stderr else sys.stdout
    known = stream.isatty() or "COLUMNS" in os.environ
    return _Console(
        file=stream, width=None if known else WIDE, highlight=False, soft_wrap=False
    )


def error(words: str) -> None:
    """Print an error to stderr."""
    print(plain(f"error: {words}"), file=sys.stderr)


def note(words: str) -> None:
    """Print a note to stderr."""
    print(plain(f"note: {words}"), file=sys.stderr)


def table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str = ""
) -> None:
    """Print a table; columns of numbers are aligned to the right.

    In a terminal that is too narrow, print each row as a list instead.
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
    """Whether the terminal has room for these columns."""
    return console().width >= _NARROW * len(columns)


def _records(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], note: str
) -> None:
    """Print a table as lists: the first cell of each row, and the others below it."""
    print_line(title, "bold")
    for row in rows:
        print_line(text(row[0]), "bold")
        for column, cell in zip(columns[1:], row[1:], strict=True):
            values = text(cell).replace("\n", "; ")
            print_line(f"  {column}: {values}", wrap=True)
    print_line(note, "dim", wrap=True)


def print_line(words: str = "", style: str = "", wrap: bool = False) -> None:
    """Print a line; it wraps between words in a terminal, or with ``wrap``."""
    out = console()
    out.print(
        escape(plain(words)),
        style=style or None,
        soft_wrap=not (wrap or out.is_terminal),
    )


def print_levels(levels: Mapping[str, str]) -> None:
    """Say who plays as each level of strength, as specs; nothing if nobody does."""
    if levels:
        played = (f"{level} plays as {spec}" for level, spec in levels.items())
        print_line(f"levels     {', '.join(played)}", wrap=True)


def text(value: Any) -> str:
    """Format a value for a designer."""
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
            f"[{text(item)}]" if isinstance(item, list | tuple) else text(item)
            for item in value
        )
    parts = value.items() if isinstance(value, dict) else ()
    return "; ".join(f"{key} {text(item)}" for key, item in parts) or str(value)


def common_strategy(cell: "Cell") -> str:
    """Who plays if one strategy has every seat, and for whom results hold."""
    who = cell.strategies()[0].title
    return f"{cell.players}, all {who}: results hold for such players"


def format_interval(row: Mapping[str, Any], kind: str) -> str:
    """Format an estimate with its interval; shares are in percent."""
    values = [row["estimate"], row["low"], row["high"]]
    if values[0] is None:
        return "no data"
    scale = 100.0 if kind == "share" else 1.0
    known = [value * scale for value in values if value is not None]
    digits = _digits(known)
    unit = " %" if kind == "share" else ""
    middle = f"{known[0]:z.{digits}f}{unit}"
    if len(known) < len(values):
        return middle
    return f"{middle} ({known[1]:z.{digits}f} to {known[2]:z.{digits}f})"


def _digits(values: Sequence[float]) -> int:
    """The number of decimals that shows two digits of the interval's width."""
    width = max(values) - min(values)
    if width <= 0:
        return 2
    return min(max(1 - math.floor(math.log10(width)), 0), 4)


def as_json(value: Any) -> None:
    """Print one JSON object."""
    print(to_json(value))
