"""The squares of the Government Pledge cards, as a table that a designer edits."""

import tomllib
from importlib.resources import files
from typing import Any, Literal

from sim.knobs import Row

RANK_SQUARES = ("fewest", "second-fewest", "second-most", "most")
DEVIL, PRIEST = "black", "white"  # the suits of the Devil and Priest cards


class Square(Row):
    """A square; its conditions must all hold. See ``cards.toml`` for the fields."""

    pledge: str
    when: Literal["trick", "all", "rank"]
    num: tuple[int, int] | None = None
    round: tuple[int, int] | None = None
    suit: str | None = None
    parity: Literal["even", "odd"] | None = None
    gem: Literal[1, 3] = 1
    return_first: bool = False


def default_squares() -> tuple[Square, ...]:
    """The squares of the rule text, from ``cards.toml``."""
    text = files("sim.kunitame").joinpath("cards.toml").read_text("utf-8")
    return tuple(Square(**_frozen(row)) for row in tomllib.loads(text)["squares"])


def _frozen(row: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
