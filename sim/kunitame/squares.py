"""The squares of the Government Pledge cards, as a table that a designer edits."""

import tomllib
from importlib.resources import files
from typing import Any, Literal

from pydantic import Field

from sim.parameters import Range, TableRow

RANK_SQUARES = ("fewest", "second-fewest", "second-most", "most")
DEVIL, PRIEST = "black", "white"  # the suits of the Devil and Priest cards


class Square(TableRow):
    """A square; its conditions must all hold. See ``cards.toml`` for the fields."""

    pledge: str
    when: Literal["trick", "all", "rank"]
    num: Range | None = None
    round: Range | None = None
    suit: str | None = None
    parity: Literal["even", "odd"] | None = None
    gem: Literal[1, 3] = Field(
        1, description="points of its gem; the game has gems of 1 and of 3 points"
    )
    return_first: bool = False


def default_squares() -> tuple[Square, ...]:
    """The squares of the rule text, from ``cards.toml``."""
    text = files("sim.kunitame").joinpath("cards.toml").read_text("utf-8")
    return tuple(Square(**_frozen(row)) for row in tomllib.loads(text)["squares"])


def _frozen(row: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
