"""Tables of rules as rows of a sheet: rows of cards, lists of numbers, and groups.

Rules hold what a designer edits in three forms. A table of rows (``squares``) is one
already. A list whose items have names (``maiden_chastity``) has a row for each item,
whose ``id`` is its place; lists of the same items (the tricks, gems and points of
contracts) are columns of one table. A group (``base_deck``) has a row for each value.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, get_args

from sim.parameters import Group, RuleError, Rules, TableRow, items_of
from sim.parameters.tables import group_of, row_type_of

Row = Mapping[str, Any]
"""The values of a row by field."""
_VALUE = "value"


@dataclass(frozen=True)
class SheetTable:
    """A table of rows with an id; the base of the other forms.

    ``fields`` are the types of its columns, ``rows`` the values by id and field, and
    ``names`` what rows without a printed name are called. ``id_called`` is what a sheet
    of one's own may call the id.
    """

    key: str
    fields: Mapping[str, Any]
    rows: Mapping[str, Row]
    names: Mapping[str, str] = field(default_factory=dict)
    id_called: str = "id"

    @property
    def keys(self) -> Sequence[str]:
        """The rule values that the table holds."""
        return [self.key]

    def changes(self, rows: Mapping[str, Row | None]) -> dict[str, Any]:
        """Return rows that differ, with their fields that do, as changes of rules.

        None is a row that is removed. Raises ``RuleError`` for an id that cannot be.

        >>> from sim.games import load
        >>> drake = sheet_tables(load("drake").rules())
        >>> drake["maiden_chastity"].changes({"2": {"chastity": 4}, "8": None})
        {'maiden_chastity': [1, 4, 3, 4, 1, 2, 3]}
        """
        made = {
            id_: {"remove": True} if row is None else row for id_, row in rows.items()
        }
        return {self.key: made}

    def name(self, id_: str) -> str:
        """Return the printed name of a row, or else its id."""
        return str(self.rows[id_].get("name") or self.names.get(id_, id_))

    def _merged(self, rows: Mapping[str, Row | None]) -> dict[str, Row]:
        """Return all rows that are left, with their changes."""
        every = {
            id_: {**self.rows.get(id_, {}), **(rows.get(id_) or {})}
            for id_ in [*self.rows, *(id_ for id_ in rows if id_ not in self.rows)]
        }
        return {
            id_: row for id_, row in every.items() if rows.get(id_, row) is not None
        }


@dataclass(frozen=True)
class ListTable(SheetTable):
    """Lists of the same items: a row for each, whose id is its place.

    ``columns`` are the columns of each list, by its key.
    """

    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def keys(self) -> Sequence[str]:
        """The lists."""
        return [*self.columns]

    def changes(self, rows: Mapping[str, Row | None]) -> dict[str, Any]:
        """Return the lists with these rows, in the order of their places."""
        left = self._merged(rows)
        for id_, row in left.items():
            if not id_.isdecimal():
                more = len(self.rows) + 1
                words = f"the id of a row is its place in the list, such as {more}"
                raise RuleError(f"{self.key}: {words}, not {id_!r}.")
            for name in self.fields:
                if name not in row:
                    raise RuleError(f"{self.key}.{id_}.{name}: a value is needed.")
        order = sorted(left, key=int)
        return {
            key: [_joined([left[id_][name] for name in names]) for id_ in order]
            for key, names in self.columns.items()
        }


@dataclass(frozen=True)
class GroupTable(SheetTable):
    """A group of values: a row for each of them, and for each item of a list."""

    places: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def changes(self, rows: Mapping[str, Row | None]) -> dict[str, Any]:
        """Return the values that differ; raises ``RuleError`` for rows of no value."""
        for id_, row in rows.items():
            if id_ not in self.rows or row is None:
                what = "has these rows alone" if row else "needs all of its rows"
                raise RuleError(f"{self.key}: {what}: {', '.join(self.rows)}.")
        left = self._merged(rows)
        made = {
            key: [_only(left[id_]) for id_ in ids] if ids else _only(left[key])
            for key, ids in self.places.items()
            if {key, *ids} & rows.keys()
        }
        return {self.key: made}


def sheet_tables(rules: Rules) -> dict[str, SheetTable]:
    """Return all tables of rules, by key: rows and groups first, then lists.

    >>> from sim.games import load
    >>> tables = sheet_tables(load("evilpact").rules())
    >>> tables["turbidity"].rows["1"], tables["spell_element"].rows["hastur"]
    ({'elements': ['red', 'blue']}, {'element': 'yellow'})
    """
    made: dict[str, SheetTable] = {}
    lists: dict[str, list[str]] = {}
    for key, declared in type(rules).model_fields.items():
        value = getattr(rules, key)
        if (row_type := row_type_of(declared)) is not None:
            made[key] = _of_rows(key, row_type, value)
        elif (group := group_of(declared)) is not None:
            made[key] = _of_group(key, group, value)
        elif (items := items_of(declared)) and isinstance(value, tuple):
            lists.setdefault(items[0], []).append(key)
    return made | {keys[0]: _of_lists(rules, keys) for keys in lists.values()}


def _of_rows(
    key: str, row_type: type[TableRow], rows: Sequence[TableRow]
) -> SheetTable:
    """Return a table of rows."""
    known = row_type.model_fields
    fields = {name: one.annotation for name, one in known.items() if name != "id"}
    values = {
        row.id: {name: _as_toml(getattr(row, name)) for name in fields} for row in rows
    }
    return SheetTable(key, fields, values, id_called=row_type.id_called)


def _of_lists(rules: Rules, keys: Sequence[str]) -> ListTable:
    """Return the table of lists of the same items."""
    fields: dict[str, Any] = {}
    rows: dict[str, dict[str, Any]] = {}
    columns: dict[str, list[str]] = {}
    for key in keys:
        declared = type(rules).model_fields[key]
        called, *numbers = items_of(declared)
        columns[key] = [_heading(word) for word in numbers] or [_VALUE]
        kind, *_ = get_args(declared.annotation)
        several = len(columns[key]) > 1
        kinds = get_args(kind) if several else (kind,)
        fields |= dict(zip(columns[key], kinds, strict=True))
        for place, item in enumerate(getattr(rules, key), 1):
            values = _as_toml(item) if several else [_as_toml(item)]
            row = rows.setdefault(str(place), {})
            row |= dict(zip(columns[key], values, strict=True))
    names = {place: called.format(place) for place in rows}
    return ListTable(keys[0], fields, rows, names, columns=columns)


def _of_group(key: str, group: type[Group], value: Group) -> GroupTable:
    """Return the table of a group, whose lists have a row for each item."""
    rows: dict[str, Row] = {}
    names: dict[str, str] = {}
    places: dict[str, list[str]] = {}
    kinds = []
    for name, declared in group.model_fields.items():
        items, item = items_of(declared), _as_toml(getattr(value, name))
        kind, places[name] = declared.annotation, []
        if items:
            kind, *_ = get_args(kind)
            places[name] = [f"{name}-{place}" for place in range(1, len(item) + 1)]
            for place, (id_, n) in enumerate(zip(places[name], item, strict=True), 1):
                rows[id_], names[id_] = {group.column: n}, items[0].format(place)
        else:
            rows[name] = {group.column: item}
        kinds.append(kind)
    return GroupTable(key, {group.column: kinds[0]}, rows, names, places=places)


def _heading(words: str) -> str:
    """Return the name of a column by its heading: "Bust value" is "bust_value"."""
    return words.lower().replace(" ", "_")


def _as_toml(value: Any) -> Any:
    """Return tuples as lists."""
    return [_as_toml(one) for one in value] if isinstance(value, tuple) else value


def _joined(values: Sequence[Any]) -> Any:
    """Return an item of a list: its only value, or a list of several."""
    return values[0] if len(values) == 1 else list(values)


def _only(row: Row) -> Any:
    """Return the only value of a row."""
    (value,) = row.values()
    return value


def changed_rows(
    before: SheetTable | None, after: SheetTable | None
) -> Iterator[tuple[str, str]]:
    """Yield the ids of all rows in both tables as pairs; "" where there is none.

    Rows of a list have no id but their place: in lists of another length what was put
    in or taken out is found by the values.
    """
    none: Mapping[str, Row] = {}
    old, new = (table.rows if table else none for table in (before, after))
    by_place = isinstance(before, ListTable) and len(old) != len(new)
    if not (by_place and after):
        ids = dict.fromkeys([*old, *new])
        yield from (
            (id_ if id_ in old else "", id_ if id_ in new else "") for id_ in ids
        )
        return
    here, there = [*old], [*new]
    one, other = ([str(row) for row in rows.values()] for rows in (old, new))
    pairs = SequenceMatcher(None, one, other, autojunk=False)
    for _, low, high, first, last in pairs.get_opcodes():
        yield from zip_longest(here[low:high], there[first:last], fillvalue="")
