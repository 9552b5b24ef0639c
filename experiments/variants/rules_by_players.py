"""Rules that differ by the number of players: a table with a row for each number.

The row's id is the number. A field of the table can be set for all numbers at once,
as if it were a rule of its own: ``hannah = 1`` is short for ``by_players.3.hannah = 1``
and ``by_players.4.hannah = 1``. Here the short form is expanded, so that the source of
each value is known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sim.parameters import BY_PLAYERS, Rules, TableRow

Pair = tuple[str, Any]


def player_rows(rules: Rules) -> tuple[TableRow, ...]:
    """Return the rows of the table; () if the game has none."""
    table: tuple[TableRow, ...] = getattr(rules, BY_PLAYERS, ())
    return table


def player_columns(rules: Rules) -> list[str]:
    """Return the fields that can be set for every number of players at once."""
    table = player_rows(rules) or player_rows(type(rules)())
    return [
        name for row in table[:1] for name in type(row).model_fields if name != "id"
    ]


def settable(rules: Rules) -> list[str]:
    """Return the keys that can be set: rules, and the fields of ``player_columns``."""
    return [*type(rules).model_fields, *player_columns(rules)]


def expand_by_players(rules: Rules, changes: Iterable[Pair]) -> Iterator[Pair]:
    """Yield changes one by one, the short form expanded for each row of the table."""
    short, numbers = player_columns(rules), [row.id for row in player_rows(rules)]
    for key, value in changes:
        if key in short:
            yield from ((f"{BY_PLAYERS}.{number}.{key}", value) for number in numbers)
        elif key == BY_PLAYERS and isinstance(value, Mapping):
            numbers = list(dict.fromkeys([*numbers, *value]))
            yield from _parts(value)
        elif key == BY_PLAYERS and isinstance(value, Sequence):
            given = [row for row in value if isinstance(row, Mapping)]
            numbers = [row["id"] for row in given if "id" in row]
            yield key, value
        else:
            yield key, value


def is_short(rules: Rules, changes: Mapping[str, Any]) -> bool:
    """Return whether any of the changes is in the short form."""
    return not changes.keys().isdisjoint(player_columns(rules))


def _parts(table: Mapping[str, Any]) -> Iterator[Pair]:
    """Yield a change to the table, field by field."""
    for number, fields in table.items():
        if isinstance(fields, Mapping) and fields:
            yield from ((f"{BY_PLAYERS}.{number}.{k}", v) for k, v in fields.items())
        else:
            yield f"{BY_PLAYERS}.{number}", fields
