"""Numbers as texts, and columns that many tables have.

A row has a number NAME with its interval, NAME_low to NAME_high; the main number is
``estimate`` with ``low`` and ``high``.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from reports.figure_specs import Draw
from reports.number_text import plain_number, with_interval
from reports.report_document import Column, Exhibit, Style

N = Column("n", "n", "count behind the number", "count")
LINEUPS = Column(
    "lineups",
    "over lineups",
    "least and greatest estimate over all lineups simulated; they would differ by "
    "chance alone, too",
)
PLAYERS = Column("players", "players", "number of players", "count")
STRATEGY = Column("strategy", "strategy", "who does it")
SEAT = Column("seat", "seat", "seat at the table, from 1", "count")
POSITION = Column(
    "position", "position", "place in the order of seats; the first is 1", "count"
)
LEAD_CHANGES = Column(
    "lead_changes", "changes", "changes of the sole leader in a game", "count"
)
HOW = Column("by", "by", "how the game was decided")
DECISION = Column("decision", "decision", "kind of decision")
OPTION = Column("option", "option", "what can be chosen")
GROUPS = (PLAYERS, STRATEGY, SEAT, POSITION, HOW, LEAD_CHANGES, DECISION, OPTION)
"""Groups of the measures that every game has."""
NO_DATA = "No data: this did not happen in the games simulated, or too rarely."

Row = Mapping[str, Any]
Z = 1.96  # standard errors to either end of a 95 % interval


def bounds_of(name: str) -> tuple[str, str]:
    """Return the columns that hold the interval of a number."""
    return ("low", "high") if name == "estimate" else (f"{name}_low", f"{name}_high")


def estimated(
    title: str, doc: str, style: Style = "number", name: str = "estimate"
) -> Column:
    """Return a column of estimates with their intervals."""
    return Column(name, title, f"{doc}; 95 % interval by game", style, *bounds_of(name))


def renamed(rows: pl.DataFrame, keys: Sequence[str], name: str) -> pl.DataFrame:
    """Return the keys, and the estimates under a new name, ready to be joined."""
    columns = {"estimate": name, "low": f"{name}_low", "high": f"{name}_high"}
    columns |= {"se": f"{name}_se", "n": f"{name}_n"}
    return rows.select(*keys, *(pl.col(old).alias(new) for old, new in columns.items()))


def join(rows: pl.DataFrame, more: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Add the columns of a second table to rows, null where it has no such row."""
    return rows.join(more, on=list(keys), how="left", maintain_order="left")


def subtract(rows: pl.DataFrame, one: str, other: str, name: str) -> pl.DataFrame:
    """Add a column ``name``: one number less another, from independent games."""
    change = pl.col(one) - pl.col(other)
    se = (pl.col(se_of(one)) ** 2 + pl.col(se_of(other)) ** 2).sqrt()
    values = {
        name: change,
        f"{name}_se": se,
        f"{name}_low": change - Z * se,
        f"{name}_high": change + Z * se,
    }
    return rows.with_columns(**values)


def se_of(name: str) -> str:
    """Return the column that holds the standard error of a number."""
    return "se" if name == "estimate" else f"{name}_se"


def exhibit(
    name: str,
    title: str,
    note: str,
    table: pl.DataFrame,
    columns: Sequence[Column],
    draw: Draw | None = None,
) -> Exhibit:
    """Make an exhibit; without data it has no figure, and its note says so."""
    figure = partial(draw, table, title) if table.height and draw else None
    if not table.height:
        note = f"{note} {NO_DATA}"
    return Exhibit(name, title, note, table, tuple(columns), figure)


def percent(value: float, digits: int = 1) -> str:
    """Format a share in percent."""
    return f"{plain_number(100 * value, digits)} %"


def share(row: Row, name: str = "estimate") -> str:
    """Format a share with its interval, in percent."""
    return _with_interval(row, name, 100, unit=" %")


def number(row: Row, name: str = "estimate") -> str:
    """Format a number with its interval."""
    return _with_interval(row, name, 1)


def points(row: Row, name: str = "estimate") -> str:
    """Format a difference of shares in percentage points, with its interval."""
    return _with_interval(row, name, 100, sign="+")


def signed_points(value: float) -> str:
    """Format a difference of shares in percentage points, with its sign."""
    return plain_number(100 * value, 1, "+")


def _with_interval(
    row: Row, name: str, scale: float, unit: str = "", sign: str = ""
) -> str:
    numbers = [row[column] for column in (name, *bounds_of(name))]
    scaled = [None if end is None else scale * end for end in numbers]
    return with_interval(scaled, unit=unit, sign=sign)


def all_of(count: int) -> str:
    """Return how all of several are called.

    >>> all_of(2), all_of(3)
    ('both', 'all 3')
    """
    return "both" if count == 2 else f"all {count}"


def join_words(parts: Sequence[str]) -> str:
    """Join texts as in "a, b and c"."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
