"""Rules as parameters: validated values with a unit, a range and a source.

A game's rules are one frozen model whose fields are the parameters. Tables of cards or
squares are tuples of rows with an ``id``; a change names the row by its id, so a
designer writes only what differs. Every mistake is a ``RuleError`` that names the
place, what is allowed, and the nearest valid name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo

from sim.parameters.changes import BY_PLAYERS, as_tuples, change_value, flatten
from sim.parameters.limits import allowed, explain
from sim.parameters.tables import (
    Group,
    Range,
    RuleError,
    TableRow,
    nearest,
    no_such,
    one_of,
    tables_of,
)

__all__ = [
    "BY_PLAYERS",
    "Group",
    "Parameter",
    "Range",
    "RuleError",
    "Rules",
    "TableRow",
    "as_text",
    "item_name",
    "items_of",
    "nearest",
    "no_such",
    "one_of",
    "parameter",
    "tables_of",
]


def parameter(
    default: Any,
    doc: str,
    *,
    unit: str = "",
    source: str = "",
    assumed: str = "",
    items: Sequence[str] = (),
    **limits: Any,
) -> Any:
    """Declare a rule value: its default, what it means, its unit, range and source.

    ``assumed`` gives the reason where the value is not from the rulebook. ``items``, of
    a list: what its items are called, then each number of an item:
    ``("Knight no. {}", "Strength", "Wealth")``.
    """
    about: dict[str, Any] = {"unit": unit, "source": source, "assumed": assumed}
    about["items_called"] = list(items)
    return Field(default, description=doc, json_schema_extra=about, **limits)


@dataclass(frozen=True)
class Parameter:
    """A rule value as it is shown to a designer.

    ``unset``: what a rule that is not set amounts to, None if to nothing. ``items``:
    what the items of a list are called, as in ``parameter``.
    """

    key: str
    value: Any
    default: Any
    doc: str
    unit: str
    allowed: str
    source: str
    assumed: str
    unset: Any = None
    items: tuple[str, ...] = ()

    @property
    def in_force(self) -> Any:
        """The value, or what it amounts to if it is not set."""
        return self.unset if self.value is None else self.value


class Rules(BaseModel):
    """The rules of a game; the base of each game's own model."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def of(cls, changes: Mapping[str, Any] | None = None) -> Self:
        """The base rules with these changes.

        Keys may be dotted (``squares.blue.gem``) or nested. Raises ``RuleError``.
        """
        return cls().changed(changes or {})

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """These rules with these changes; raises ``RuleError``."""
        values = self.model_dump(exclude_none=True)
        for key, change in changes.items():
            change_value(type(self), values, key.split("."), change, key)
        try:
            return type(self).model_validate(as_tuples(values))
        except ValidationError as error:
            raise RuleError(explain(type(self), error, values)) from None

    def problems(self) -> Iterable[str]:
        """Contradictions between values, for any number of players, in words."""
        return ()

    @model_validator(mode="after")
    def _together(self) -> Self:
        """Refuse values that contradict each other."""
        for problem in self.problems():
            raise ValueError(problem)
        return self

    def check(self, players: int) -> None:
        """Refuse a number of players that is not allowed; raises ``RuleError``."""

    def shortages(self, players: int) -> list[str]:
        """Components that the game needs beyond those in its box, in words."""
        return []

    def unset(self) -> Mapping[str, Any]:
        """What the rules that need not be set amount to if they are not, by key."""
        return {}

    def plain(self) -> dict[str, Any]:
        """Every rule value in force, as JSON-compatible values."""
        return self.model_dump(mode="json", exclude_none=True)

    def plain_with(self, players: int) -> dict[str, Any]:
        """The rule values in force with this number of players.

        A table ``by_players`` has a row for each number of players, which is its id;
        the values of the row that applies take its place.
        """
        values = self.plain()
        for row in values.pop(BY_PLAYERS, []):
            if row.pop("id") == str(players):
                values |= row
        return values

    def parameters(self) -> list[Parameter]:
        """Every rule value with what a designer needs to know about it."""
        return list(_parameters(self))

    def differences(self) -> dict[str, tuple[Any, Any]]:
        """Where these rules differ from the base: key -> (base, here)."""
        base = flatten(type(self)().plain())
        here = flatten(self.plain())
        keys = [*base, *(key for key in here if key not in base)]
        return {
            key: (base.get(key), here.get(key))
            for key in keys
            if base.get(key) != here.get(key)
        }


def _parameters(rules: Rules) -> Iterator[Parameter]:
    plain, defaults, unset = rules.plain(), type(rules)().plain(), rules.unset()
    for key, field in type(rules).model_fields.items():
        about = field.json_schema_extra
        extra = about if isinstance(about, dict) else {}
        yield Parameter(
            key=key,
            value=plain.get(key),
            default=defaults.get(key),
            doc=field.description or "",
            unit=str(extra.get("unit", "")),
            allowed=allowed(field),
            source=str(extra.get("source", "")),
            assumed=str(extra.get("assumed", "")),
            unset=unset.get(key),
            items=items_of(field),
        )


def items_of(field: FieldInfo) -> tuple[str, ...]:
    """What the items of a list are called, as declared by ``parameter``."""
    about = field.json_schema_extra
    named = about.get("items_called") if isinstance(about, dict) else None
    return tuple(map(str, named)) if isinstance(named, list) else ()


def item_name(items: Sequence[str], key: str, place: Sequence[int]) -> str:
    """The name of a number in a list; place: its place, from 1, and that within.

    >>> item_name(("Knight no. {}", "Strength", "Wealth"), "knight", (4, 2))
    'Knight no. 4: Wealth'
    >>> item_name(("Maiden no. {}", "Chastity"), "maiden_chastity", (3,))
    'Maiden no. 3: Chastity'
    >>> item_name((), "marie_from", (3,))
    'marie_from (place 3)'
    """
    if not items:
        return f"{key} (place {'.'.join(map(str, place))})"
    of = items[1:][place[1] - 1 if len(place) > 1 else 0] if items[1:] else ""
    return items[0].format(place[0]) + (f": {of}" if of else "")


def as_text(value: Any) -> str:
    """A rule value as text; of a table the ids of its rows."""
    if isinstance(value, list):
        rows = (str(row["id"]) if isinstance(row, dict) else str(row) for row in value)
        return ", ".join(rows)
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)
