"""Rules as parameters: validated values with a unit, a range and a source.

A game's rules are one frozen model whose fields are the parameters. Tables of cards or
squares are tuples of rows with an ``id``; a change names the row by its id, so a
designer writes only what differs. Every mistake is a ``RuleError`` that names the
place, what is allowed, and the nearest valid name.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

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
    **limits: Any,
) -> Any:
    """Declare a rule value: its default, what it means, its unit, range and source.

    ``assumed`` gives the reason where the value is not from the rulebook.
    """
    about: dict[str, Any] = {"unit": unit, "source": source, "assumed": assumed}
    return Field(default, description=doc, json_schema_extra=about, **limits)


@dataclass(frozen=True)
class Parameter:
    """A rule value as it is shown to a designer."""

    key: str
    value: Any
    default: Any
    doc: str
    unit: str
    allowed: str
    source: str
    assumed: str


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
    plain, defaults = rules.plain(), type(rules)().plain()
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
        )


def as_text(value: Any) -> str:
    """A rule value as text; of a table the ids of its rows."""
    if isinstance(value, list):
        rows = (str(row["id"]) if isinstance(row, dict) else str(row) for row in value)
        return ", ".join(rows)
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)
