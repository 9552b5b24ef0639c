"""Provenance: which file or setting set which rule value.

It is a mapping from keys to sources, which ``record_source`` updates as changes are
applied. A key is a rule (``life``), a field of a row (``squares.blue.gem``), an added
or removed row (``squares.blue``), or a table given whole (``squares``).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from experiments.variants import toml
from experiments.variants.rules_by_players import Pair, expand_by_players
from sim.parameters import Rules


def record_source(
    provenance: dict[str, str], before: Rules, changes: Mapping[str, Any], source: str
) -> None:
    """Record the source of the values that these changes set.

    Sources inside of a row or table that is now set are forgotten.
    """
    for key in changed_keys(before, changes):
        for old in [k for k in provenance if f"{k}.".startswith(f"{key}.")]:
            del provenance[old]
        provenance[key] = source


def changed_keys(before: Rules, changes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys that changes set, down to the fields of existing rows."""
    plain = before.plain()
    for key, change in changes.items():
        table, _, rest = key.partition(".")
        if not isinstance(change, dict):
            yield key
            continue
        rows = {row["id"] for row in plain.get(table, ()) if isinstance(row, dict)}
        inside = {rest: change} if rest else change
        for name, fields in inside.items():
            if name not in rows or fields.get("remove"):
                yield f"{table}.{name}"
            else:
                yield from (f"{table}.{name}.{f}" for f in fields if f != "remove")


def source(provenance: Mapping[str, str], key: str) -> str:
    """Return the source of a value, or of its row or table; "" if it has none."""
    while key:
        if key in provenance:
            return provenance[key]
        key = key.rpartition(".")[0]
    return ""


def overruled_words(
    rules: Rules, provenance: Mapping[str, str], setting: Pair
) -> Iterator[str]:
    """Yield a sentence for each value of a file that a setting overrides."""
    name, value = setting
    for key, _ in expand_by_players(rules, [setting]):
        old, by = value_of(rules, key), source(provenance, key)
        if by and old is not None and old != value:
            new = value if isinstance(value, str) else toml.value(value)
            yield f"--set {name}={new} overrides {key} = {toml.value(old)} of {by}"


def value_of(rules: Rules, key: str) -> Any:
    """Return the value in force of a key such as ``life`` or ``squares.blue.gem``."""
    table, _, rest = key.partition(".")
    value = rules.plain().get(table)
    if not rest:
        return value
    name, _, inside = rest.rpartition(".")
    for row in value if isinstance(value, list) else ():
        if isinstance(row, dict) and row["id"] == name:
            return row.get(inside)
    return None
