"""The plot sheet as a table that a designer edits, read from ``sheet.toml``."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from sim.parameters import TableRow

Action = Literal["incubation", "observation", "review", "pessimism", "optimism"]


class ByPlayers(TableRow):
    """What differs by the number of players, which is the row's id."""

    start_scores: tuple[int, ...]
    hannah: int
    marie_to: tuple[int, ...]


def printed_value(key: str) -> Any:
    """A value of the sheet as ``sheet.toml`` has it; lists as tuples."""
    value = _sheet()[key]
    if key == "by_players":
        return tuple(ByPlayers(**_frozen(row)) for row in value)
    return tuple(value)


@lru_cache(maxsize=1)
def _sheet() -> dict[str, Any]:
    return tomllib.loads(
        files("sim.kbernestich").joinpath("sheet.toml").read_text("utf-8")
    )


def _frozen(row: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
