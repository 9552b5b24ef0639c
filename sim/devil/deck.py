"""The deck and the points as tables that a designer edits, read from ``cards.toml``."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import Field

from sim.parameters import Group, parameter

RANKS = 10


class Deck(Group):
    """Copies of each card in a deck."""

    column = "copies"

    normal: tuple[int, ...] = parameter(
        ..., "normal cards of ranks 1 to 10", items=("Normal card of rank {}", "copies")
    )
    special1: int = Field(ge=0, le=8)
    special4: int = Field(ge=0, le=8)
    blank: int = Field(ge=0, le=40)
    onifuda: int = Field(ge=0, le=40)

    @property
    def size(self) -> int:
        """How many cards there are."""
        special = self.special1 + self.special4
        return sum(self.normal) + special + self.blank + self.onifuda


def printed_value(key: str) -> Any:
    """A value as ``cards.toml`` has it; lists as tuples, a deck as ``Deck``."""
    value = _tables()[key]
    if isinstance(value, dict):
        return Deck(**value | {"normal": tuple(value["normal"])})
    return tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    text = files("sim.devil").joinpath("cards.toml").read_text("utf-8")
    return tomllib.loads(text)
