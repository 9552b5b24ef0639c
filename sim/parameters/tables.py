"""The building blocks of rule values: table rows and groups, and words for mistakes."""

import difflib
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, ClassVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.fields import FieldInfo


def _both_ends(given: object) -> object:
    """A whole number as the range that holds it alone."""
    plain = isinstance(given, int) and not isinstance(given, bool)
    return (given, given) if plain else given


Range = Annotated[
    tuple[int, int],
    BeforeValidator(_both_ends),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer"},
                {"type": "array", "items": {"type": "integer"}}
                | {"minItems": 2, "maxItems": 2},
            ]
        }
    ),
]
"""A range of whole numbers, both ends included; 7 is short for [7, 7]."""


class RuleError(ValueError):
    """A rule value is invalid: says where, what is allowed, and what is near."""


class TableRow(BaseModel):
    """A row of a table that a designer edits, known by its id.

    ``id_called`` is what a sheet of one's own may call the id. ``stepped``: whether
    each row is tried as a lever though nobody names it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    id_called: ClassVar[str] = "id"
    stepped: ClassVar[bool] = True

    id: str = Field(min_length=1, pattern=r"^[A-Za-z0-9+./_-]+$")


class Group(BaseModel):
    """Values that belong together, such as the copies of each card in a deck.

    ``column`` is what one of them is called: copies.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    column: ClassVar[str] = "value"


def row_type_of(field: FieldInfo) -> type[TableRow] | None:
    """The row type of a field that is a table; else None."""
    for part in get_args(field.annotation):
        if isinstance(part, type) and issubclass(part, TableRow):
            return part
    return None


def group_of(field: FieldInfo) -> type[Group] | None:
    """The type of a field that is a group; else None."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Group) else None


def nearest(name: str, names: Iterable[str]) -> str:
    """The end of a sentence: ``; did you mean X?``, or a full stop if none is near."""
    near = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else "."


def one_of(names: Iterable[str]) -> str:
    """A list of valid names for a message."""
    return ", ".join(names)


def no_such(
    what: str, name: str, known: Iterable[str], told: str = "Allowed", why: str = ""
) -> str:
    """A message that a name is unknown, with the nearest one and all that are valid.

    >>> no_such("suit", "hears", ("spades", "hearts"))
    "no suit 'hears'; did you mean 'hearts'? Allowed: spades, hearts."
    """
    names = list(known)
    return f"no {what} {name!r}{why}{nearest(name, names)} {told}: {one_of(names)}."


@cache
def tables_of(game: str) -> dict[str, Any]:
    """The tables in a game's ``cards.toml``."""
    text = files(f"sim.{game}").joinpath("cards.toml").read_text("utf-8")
    return tomllib.loads(text)
