"""The Users and Actions as tables that a designer edits, read from ``cards.toml``."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

from pydantic import Field, model_validator

from sim.parameters import TableRow, nearest, one_of, tables_of

ACTIONS = (
    "stellar-status",
    "viral-post",
    "lost-password",
    "omg-cat-pic",
    "a-s-l",
    "ipo",
    "new-feature",
    "change-of-management",
    "smtp-block-list",
    "flattery",
    "sherman-act",
    "industrial-espionage",
)
Answer = Literal["always", "never"]
Trait = Literal["exclusive", "block", "two", "far", "logout"]
MOST_FRIENDS = 24  # as many cells as there are within two steps
_PLAIN = {"sends": "none", "personal": "normal", "spam": "normal", "trait": "none"}

_WORDS = {
    "friends": ("all", "each"),
    "sends": ("none",),
    "personal": ("always", "never", "normal"),
    "spam": ("always", "never", "normal"),
    "trait": (*get_args(Trait), "none"),
}


class User(TableRow):
    """A User; see ``cards.toml`` for the fields."""

    copies: int = Field(ge=0, le=20)
    friends: int | Literal["all", "each"]
    sends: tuple[int, ...] | None = None
    personal: Answer | tuple[int, ...] | None = None
    spam: Answer | tuple[int, ...] | None = None
    trait: Trait | None = None

    @model_validator(mode="before")
    @classmethod
    def _told(cls, values: Any) -> Any:
        """Refuse values that are not text; ``normal`` and ``none`` mean no text."""
        if not isinstance(values, dict):
            return values
        for key, allowed in _WORDS.items():
            value = values.get(key)
            if isinstance(value, str) and value not in allowed:
                words = one_of(allowed)
                raise ValueError(f"{key}: {value!r}{nearest(value, allowed)} {words}.")
            if isinstance(value, int) and not 0 <= value <= MOST_FRIENDS:
                raise ValueError(f"{key}: 0 to {MOST_FRIENDS}, all or each.")
            if isinstance(value, list | tuple) and not _are_faces(value):
                raise ValueError(
                    f"{key}: different faces of a die, 1 to 6, one or more."
                )
        return {key: one for key, one in values.items() if one != _PLAIN.get(key, "")}


class Action(TableRow):
    """How many copies of an Action there are in the deck."""

    copies: int = Field(ge=0, le=8)


def _are_faces(faces: Sequence[Any]) -> bool:
    """Whether these are distinct faces of a die, at least one."""
    return 0 < len(faces) == len({one for one in faces if one in range(1, 7)})


@lru_cache(maxsize=1)
def printed_cards() -> tuple[tuple[User, ...], tuple[Action, ...]]:
    """The Users, and the Actions, of the rule text."""
    tables, users = tables_of("socialism"), []
    for row in tables["users"]:
        faces = {k: tuple(v) for k, v in row.items() if isinstance(v, list)}
        users.append(User(**{**row, **faces}))
    return tuple(users), tuple(Action(**row) for row in tables["actions"])
