"""The cards and Styles as tables that a designer edits, read from ``cards.toml``."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import Field

from sim.parameters import TableRow

PRINTED = ("updated", "original")
Effect = Literal[
    "doubled",
    "zero",
    "scrupulous",
    "halved",
    "two-cards",
    "reacts",
    "slings",
    "necromancy",
    "zeroes",
    "stays",
    "independent",
    "sheds",
]


class Card(TableRow):
    """A card; see ``cards.toml`` for the fields."""

    kind: Literal["mark", "style", "draw", "remove"]
    copies: int = Field(ge=0, le=63)
    electability: int = Field(0, ge=-40, le=40)
    affiliation: int = Field(0, ge=-40, le=40)
    draw: int = Field(0, ge=0, le=20)


class Style(TableRow):
    """A Style: what it does."""

    effects: tuple[Effect, ...] = ()


@lru_cache(maxsize=2)
def printed_cards(deck: str) -> tuple[Card, ...]:
    """The cards of a printed deck, ``updated`` or ``original``."""
    cards = []
    for row in _tables()["cards"]:
        copies = {name: row[name] for name in PRINTED}
        rest = {key: value for key, value in row.items() if key not in copies}
        if copies[deck]:
            cards.append(Card(**rest, copies=copies[deck]))
    return tuple(cards)


def styles() -> tuple[Style, ...]:
    """What the printed Styles do."""
    return tuple(
        Style(id=row["id"], effects=tuple(row["effects"]))
        for row in _tables()["styles"]
    )


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return tomllib.loads(
        files("sim.article_ii").joinpath("cards.toml").read_text("utf-8")
    )
